import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi'
import { agreementPaths } from '../../src/agreements/agreements.openapi.ts'
import { clientPaths } from '../../src/clients/clients.openapi.ts'
import { companyPaths } from '../../src/company/company.openapi.ts'
import { namedEnums, nameEnum, sharedResponses } from '../../src/core/operations.openapi.ts'
import { VERSION } from '../../src/core/version.ts'
import { evidencePaths } from '../../src/evidence/evidence.openapi.ts'
import { healthPaths } from '../../src/health/health.openapi.ts'
import { intakePaths } from '../../src/intake/intake.openapi.ts'
import { logPaths } from '../../src/logs/logs.openapi.ts'
import { ownClosingPaths } from '../../src/payroll/own-closings.openapi.ts'
import { payrollPaths } from '../../src/payroll/payroll.openapi.ts'
import { ruleOfHoursPaths } from '../../src/payroll/rules-of-hours.openapi.ts'
import { employeeRecordPaths } from '../../src/people/employee-records.openapi.ts'
import { peoplePaths } from '../../src/people/people.openapi.ts'
import { settingsPaths } from '../../src/people/settings.openapi.ts'
import { userRecordPaths } from '../../src/people/user-records.openapi.ts'
import type { OpenApiDocument } from './api-types.ts'

/** A path can have operations in several groups, so they are merged. */
const paths: ZodOpenApiPathsObject = {}
for (const group of [
  peoplePaths,
  employeeRecordPaths,
  userRecordPaths,
  clientPaths,
  settingsPaths,
  healthPaths,
  logPaths,
  intakePaths,
  payrollPaths,
  companyPaths,
  ruleOfHoursPaths,
  ownClosingPaths,
  agreementPaths,
  evidencePaths,
]) {
  for (const [path, operations] of Object.entries(group)) {
    paths[path] = { ...paths[path], ...operations }
  }
}

const created = createDocument(
  {
    openapi: '3.1.1',
    info: {
      title: 'Checada',
      version: VERSION,
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
      { name: 'people', description: 'Empleados y usuarios.' },
      { name: 'incidents', description: 'Revisión de checadas.' },
      { name: 'intake', description: 'Checadas que entran y decisiones que salen.' },
      { name: 'payroll', description: 'Horas, y cierres que guardan lo que pagan.' },
      { name: 'agreements', description: 'Textos que las personas acuerdan.' },
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
      schemas: namedEnums,
      responses: sharedResponses,
    },
    paths,
  },
  { override: nameEnum },
)

/**
 * The OpenAPI document. It is built from the schemas that validate requests, and is not part of the
 * Worker. Its response schemas allow no additional fields, so that tests find undocumented ones.
 * `toPublished` allows them for clients.
 */
export const document: OpenApiDocument = JSON.parse(JSON.stringify(created))
