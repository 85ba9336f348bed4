import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi'
import { VERSION } from '../../src/core/values/version.ts'
import { agreementOperations } from './agreements.openapi.ts'
import { clientOperations } from './clients.openapi.ts'
import { clockCorrectionOperations } from './clock-corrections.openapi.ts'
import { clockOperations } from './clocks.openapi.ts'
import { companyOperations } from './company.openapi.ts'
import { employeeRecordOperations } from './employee-records.openapi.ts'
import { evidenceOperations } from './evidence.openapi.ts'
import examples from './examples.json' with { type: 'json' }
import { withExamples } from './examples.ts'
import { healthOperations } from './health.openapi.ts'
import { intakeOperations } from './intake.openapi.ts'
import { logOperations } from './logs.openapi.ts'
import { namedEnums, nameEnum, sharedResponses } from './operations.ts'
import { ownClosingOperations } from './own-closings.openapi.ts'
import { payrollOperations } from './payroll.openapi.ts'
import { pushOperations } from './push.openapi.ts'
import { ruleOfHoursOperations } from './rules-of-hours.openapi.ts'
import { peopleOperations } from './session.openapi.ts'
import { settingsOperations } from './settings.openapi.ts'
import { userRecordOperations } from './users.openapi.ts'

/** A path can have operations in several groups. */
const paths: ZodOpenApiPathsObject = {}
for (const { path, method, operation } of [
  ...peopleOperations,
  ...employeeRecordOperations,
  ...userRecordOperations,
  ...clientOperations,
  ...settingsOperations,
  ...healthOperations,
  ...logOperations,
  ...intakeOperations,
  ...pushOperations,
  ...clockOperations,
  ...payrollOperations,
  ...companyOperations,
  ...ruleOfHoursOperations,
  ...clockCorrectionOperations,
  ...ownClosingOperations,
  ...agreementOperations,
  ...evidenceOperations,
]) {
  paths[path] = { ...paths[path], [method]: operation }
}

const created = createDocument(
  {
    openapi: '3.1.1',
    info: {
      title: 'Checada',
      version: VERSION,
      description: [
        'Asistencia y clientes: inicio de sesión, arranque de las apps y revisión de checadas.',
        'Salvo donde se indica, toda respuesta es `{ success, message, data }`. Los mensajes son para personas: los programas se guían por el estado HTTP y por `code`, que llevan todas las negativas salvo las de seis operaciones.',
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
export const document = withExamples(JSON.parse(JSON.stringify(created)), examples)
