import * as z from 'zod'
import { createDocument } from 'zod-openapi'
import { EntryCodeBody } from '../../src/schemas/core/clients.ts'
import { IntakeItem, ManualLogBody, OwnLogBody } from '../../src/schemas/intake/intake.ts'
import { BulkStatusChangeBody, StatusChangeBody } from '../../src/schemas/logs/log-status.ts'
import { ClosingBody } from '../../src/schemas/payroll/payroll.ts'
import { LoginBody, PasswordChangeBody } from '../../src/schemas/people/auth.ts'
import { auditPaths } from './audit-paths.ts'
import { authPaths } from './auth-paths.ts'
import { clientPaths } from './client-paths.ts'
import { healthPaths } from './health-paths.ts'
import { incidentPaths } from './incident-paths.ts'
import { IntakeRequest, intakePaths } from './intake-paths.ts'
import { describeParameters } from './parameters.ts'
import { sharedResponses } from './parts.ts'
import { payrollPaths } from './payroll-paths.ts'

const bodies = {
  LoginBody,
  PasswordChangeBody,
  EntryCodeBody,
  StatusChangeBody,
  BulkStatusChangeBody,
  IntakeBody: IntakeRequest,
  IntakeItem,
  OwnLogBody,
  ManualLogBody,
  ClosingBody,
}
for (const [id, schema] of Object.entries(bodies)) z.globalRegistry.add(schema, { id })

/**
 * The OpenAPI document, built from the schemas that validate requests; not part of the Worker. Its
 * response schemas are exact: the tests hold the service to them, and `publish` opens them.
 */
export const document = createDocument({
  openapi: '3.1.1',
  info: {
    title: 'Checada',
    version: '0.1.0',
    description: [
      'Asistencia y clientes: inicio de sesión, arranque de las apps y revisión de checadas.',
      'Salvo donde se indica, toda respuesta es `{ success, message, data }`. Los mensajes son para personas: los programas se guían por el estado HTTP.',
      'Toda respuesta lleva `X-Request-Id`, que identifica la petición en el registro del servicio, y `Cache-Control: no-store`, además de los encabezados de seguridad habituales de una API y, para los orígenes permitidos, los de CORS.',
      'En una respuesta pueden aparecer campos nuevos: un cliente ignora los que no conoce.',
    ].join('\n\n'),
    license: { name: 'Propietaria', identifier: 'LicenseRef-Proprietary' },
    contact: { name: 'Quien opera este servicio' },
  },
  servers: [{ url: '/api', description: 'Este servicio.' }],
  tags: [
    { name: 'auth', description: 'Sesiones y contraseñas.' },
    { name: 'clients', description: 'Lo que una app pregunta al arrancar.' },
    { name: 'incidents', description: 'Revisión de checadas.' },
    { name: 'intake', description: 'Checadas que entran y decisiones que salen.' },
    { name: 'payroll', description: 'Horas, cierres de periodo y ajustes.' },
    {
      name: 'audit',
      description: 'Evidencia: el registro sellado, que se verifica sin este servicio.',
    },
    { name: 'health', description: 'Vigilancia del servicio.' },
  ],
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'El `token` del inicio de sesión.' },
    },
    responses: sharedResponses,
  },
  paths: {
    ...authPaths,
    ...clientPaths,
    ...incidentPaths,
    ...intakePaths,
    ...payrollPaths,
    ...auditPaths,
    ...healthPaths,
  },
})

for (const { get, post } of Object.values(document.paths ?? {})) {
  for (const operation of [get, post]) {
    describeParameters(operation?.operationId ?? '', operation?.parameters ?? [])
  }
}
