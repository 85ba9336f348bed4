import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { createDocument } from 'zod-openapi'
import { EXCEPTIONS, NOTICES } from '../../src/domain/payroll/work-days.ts'
import { LOG_EVENTS, LOG_KINDS, LOG_STATUSES } from '../../src/shared/log-values.ts'
import type { Document } from './api-types.ts'
import { core } from './core.ts'
import { evidence } from './evidence.ts'
import { intake } from './intake.ts'
import { logs } from './logs.ts'
import { sharedResponses } from './parts.ts'
import { payroll } from './payroll.ts'
import { people } from './people.ts'
import { EXAMPLES, type Json } from './publish.ts'

/** Values that the document names once, wherever a field has them. */
const NAMED_VALUES = {
  LogStatus: LOG_STATUSES,
  LogKind: LOG_KINDS,
  LogEventKind: LOG_EVENTS,
  HoursException: EXCEPTIONS,
  HoursNotice: NOTICES,
}

const nameValues = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(nameValues)
  if (typeof value !== 'object' || value === null) return value
  const { enum: values, ...rest } = value
  const list = JSON.stringify(values)
  const [name] =
    Object.entries(NAMED_VALUES).find(([, named]) => JSON.stringify(named) === list) ?? []
  if (name) {
    const { type: _, ...others } = rest
    return { ...others, $ref: `#/components/schemas/${name}` }
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      EXAMPLES.has(key) ? field : nameValues(field),
    ]),
  )
}

/** One path may have operations of several groups. */
const paths: ZodOpenApiPathsObject = {}
for (const group of [people, core, logs, intake, payroll, evidence]) {
  for (const [path, operations] of Object.entries(group)) {
    paths[path] = { ...paths[path], ...operations }
  }
}

const created = createDocument({
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
  paths,
})

const named = nameValues(JSON.parse(JSON.stringify(created))) as unknown as Document
for (const [name, values] of Object.entries(NAMED_VALUES)) {
  named.components.schemas[name] = { title: name, type: 'string', enum: [...values] }
}

/**
 * The OpenAPI document, built from the schemas that validate requests; not part of the Worker. Its
 * response schemas are exact: the tests hold the service to them, and `publish` opens them.
 */
export const document = named
