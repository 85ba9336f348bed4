import * as z from 'zod'
import { messageOf } from '../core/errors.ts'
import {
  anyFailure,
  authenticatedOperation,
  authorizedOperation,
  bodyComponent,
  component,
  failureResponse,
  idField,
  integer,
  invalidResponse,
  invalidWithExamples,
  noEmployee,
  pathParameters,
  queryParameters,
  sharedResponse,
  successResponse,
} from '../core/operations.openapi.ts'
import { LINE_EXAMPLE, lineFields } from './payroll.openapi.ts'
import {
  AnswerBody,
  ClosingPath,
  ObjectionPath,
  OwnDaysQuery,
  SignatureBody,
} from './payroll.schemas.ts'

const OwnDay = component('OwnDay', {
  department: z.string(),
  branch_office: z.string(),
  day: z.iso.date(),
  first_in: z.string().nullable().meta({ description: 'Hora local: 2026-11-09 08:00:00.' }),
  last_out: z.string().nullable(),
  pairs: z.int(),
  worked_seconds: z.int().nullable(),
  detail: z.string(),
  exceptions: z.array(z.string()),
  notices: z.array(z.string()),
  paid_seconds: z.int().nullable(),
  closing_id: idField.nullable(),
  log_ids: z.array(idField),
  request_comments: z
    .array(z.string())
    .meta({ description: 'Lo que la persona escribió al pedir.' }),
})

const Signature = component('Signature', {
  at: z.iso.datetime(),
  agrees: z.boolean(),
  comment: z.string().nullable(),
})

const Answer = component('Answer', {
  at: z.iso.datetime(),
  comment: z.string().nullable().meta({ description: 'Null si se borró.' }),
})

const own = {
  id: idField,
  before: z.iso.date(),
  days: z.int(),
  period_seconds: z.int(),
  added_seconds: z.int(),
  deducted_seconds: z.int(),
  total_seconds: z.int().meta({
    description: 'Lo del periodo y lo agregado, menos lo deducido.',
  }),
  hash: z.string().meta({ description: 'La huella de sus renglones, con la que se firma.' }),
  signed: Signature.nullable(),
  answer: Answer.nullable().meta({ description: 'La respuesta a la objeción.' }),
  cancelled: z.boolean(),
}

const OwnClosing = component('OwnClosing', own)
const OwnClosings = component('OwnClosings', { closings: z.array(OwnClosing) })
const OwnLine = component('OwnLine', { employee_id: z.string(), day: z.iso.date(), ...lineFields })
const OwnClosingLines = component('OwnClosingLines', { ...own, lines: z.array(OwnLine) })

const Objections = component('ObjectionList', {
  objections: z.array(
    component('Objection', {
      closing_id: idField,
      before: z.iso.date(),
      employee_id: z.string(),
      full_name: z.string(),
      branch_office: z.string(),
      at: z.iso.datetime(),
      comment: z.string(),
    }),
  ),
})

const ClosingSignatures = component('ClosingSignatures', {
  signatures: z.array(
    component('ClosingSignature', {
      employee_id: z.string(),
      at: z.iso.datetime(),
      agrees: z.boolean(),
      seal: idField.nullable().meta({ description: 'El sello que la cubre; null si todavía no.' }),
    }),
  ),
})

const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const AT = '2026-11-18T15:02:11.000Z'
const OBJECTION = 'El martes salí a las 19:00.'

const CLOSING = {
  id: 3,
  before: '2026-11-16',
  days: 11,
  period_seconds: 316_800,
  added_seconds: 0,
  deducted_seconds: 0,
  total_seconds: 316_800,
  hash: HASH,
  signed: null,
  answer: null,
  cancelled: false,
}

const LINE = {
  employee_id: 'E-002',
  day: '2026-11-09',
  department: 'Almacén',
  branch_office: 'Norte',
  ...LINE_EXAMPLE,
  notices: '',
}

const DAY = {
  department: 'Almacén',
  branch_office: 'Norte',
  day: '2026-11-09',
  first_in: '2026-11-09 08:00:00',
  last_out: '2026-11-09 17:00:00',
  pairs: 2,
  worked_seconds: 28_800,
  detail: '08:00–13:00 14:00–17:00',
  exceptions: [],
  notices: [],
  paid_seconds: 28_800,
  closing_id: 3,
  log_ids: [41, 42, 43, 44],
  request_comments: [],
}

const path = pathParameters(ClosingPath, {
  id: { description: 'El número del cierre.', schema: integer(1) },
})

const unknown = failureResponse(
  'No existe, o no tiene renglones de quien pregunta.',
  'CLOSING_NOT_FOUND',
)

export const ownClosingPaths = {
  '/v2/incidents/my_days': {
    get: authenticatedOperation({
      operationId: 'listOwnDays',
      tags: ['payroll'],
      summary: 'Ver los propios días, 31 a lo más',
      parameters: queryParameters(OwnDaysQuery, {
        from: { description: 'Desde este día.' },
        to: { description: 'Hasta este día, incluido.' },
      }),
      responses: {
        '200': successResponse(
          'Los días.',
          component('OwnDays', { days: z.array(OwnDay) }),
          'Días encontrados.',
          { days: [DAY] },
        ),
        '403': noEmployee,
        '422': invalidWithExamples({
          PERIOD_TOO_LONG: { to: [messageOf('PERIOD_TOO_LONG', { days: 31 })] },
          PERIOD_REVERSED: { to: [messageOf('PERIOD_REVERSED')] },
        }),
      },
    }),
  },
  '/v2/incidents/my_closings': {
    get: authenticatedOperation({
      operationId: 'listOwnClosings',
      tags: ['payroll'],
      summary: 'Ver los cierres con renglones propios, el más reciente primero',
      responses: {
        '200': successResponse('Los cierres.', OwnClosings, 'Cierres encontrados.', {
          closings: [CLOSING],
        }),
        '403': noEmployee,
      },
    }),
  },
  '/v2/incidents/my_closings/{id}': {
    get: authenticatedOperation({
      operationId: 'readOwnClosing',
      tags: ['payroll'],
      summary: 'Ver un cierre con los renglones propios',
      parameters: path,
      responses: {
        '200': successResponse('El cierre.', OwnClosingLines, 'Cierre encontrado.', {
          ...CLOSING,
          lines: [LINE],
        }),
        '403': noEmployee,
        '404': unknown,
        '422': invalidResponse({ id: ['El identificador del cierre debe ser un número.'] }),
      },
    }),
  },
  '/v2/incidents/my_closings/{id}/sign': {
    post: authenticatedOperation({
      operationId: 'signOwnClosing',
      tags: ['payroll'],
      summary: 'Firmar de conformidad los renglones propios, u objetarlos, con la contraseña',
      description: 'Cuenta lo último que se firmó. Una objeción lleva comentario.',
      parameters: path,
      requestBody: bodyComponent('SignatureBody', SignatureBody, {
        hash: HASH,
        agrees: false,
        password: 'una frase larga',
        comment: OBJECTION,
      }),
      responses: {
        '200': successResponse('Firmado.', Signature, 'La objeción quedó registrada.', {
          at: AT,
          agrees: false,
          comment: OBJECTION,
        }),
        '403': noEmployee,
        '404': unknown,
        '409': anyFailure('Cancelado, sin renglones, o con otros renglones.', [
          'CLOSING_CANCELLED',
          'NOTHING_TO_SIGN',
          'SIGNATURE_OUTDATED',
        ]),
        '422': invalidResponse({ password: [messageOf('WRONG_PASSWORD')] }),
        '429': sharedResponse('TooManyRequests'),
      },
    }),
  },
  '/v2/incidents/objections': {
    get: authorizedOperation({
      operationId: 'listObjections',
      tags: ['payroll'],
      summary: 'Ver las objeciones que nadie ha respondido, la más antigua primero',
      responses: {
        '200': successResponse('Las objeciones.', Objections, 'Objeciones sin responder.', {
          objections: [
            {
              closing_id: 3,
              before: '2026-11-16',
              employee_id: 'E-002',
              full_name: 'Luis Mendoza Peña',
              branch_office: 'Norte',
              at: AT,
              comment: OBJECTION,
            },
          ],
        }),
      },
    }),
  },
  '/v2/incidents/closings/{id}/signatures': {
    get: authorizedOperation({
      operationId: 'listSignatures',
      tags: ['payroll'],
      summary: 'Ver quién firmó u objetó sus renglones de un cierre vigente',
      parameters: path,
      responses: {
        '200': successResponse(
          'La última firma de cada persona.',
          ClosingSignatures,
          'Firmas encontradas.',
          {
            signatures: [{ employee_id: 'E-002', at: AT, agrees: true, seal: 412 }],
          },
        ),
        '422': invalidResponse({ id: ['El identificador del cierre debe ser un número.'] }),
      },
    }),
  },
  '/v2/incidents/closings/{id}/objections/{employee_id}/answer': {
    post: authenticatedOperation({
      operationId: 'answerObjection',
      tags: ['payroll'],
      summary: 'Responder una objeción',
      description: 'No cambia ninguna cifra.',
      parameters: pathParameters(ObjectionPath, {
        id: { description: 'El número del cierre.', schema: integer(1) },
        employee_id: { description: 'El número de la persona.' },
      }),
      requestBody: bodyComponent('AnswerBody', AnswerBody, {
        comment: 'Se agregó la salida de las 19:00.',
      }),
      responses: {
        '200': successResponse('Respondida.', Answer, 'La respuesta quedó registrada.', {
          at: AT,
          comment: 'Se agregó la salida de las 19:00.',
        }),
        '403': anyFailure('Sin permiso, o es la propia objeción.', ['FORBIDDEN', 'OWN_OBJECTION']),
        '404': failureResponse('No hay una sin responder.', 'OBJECTION_NOT_FOUND'),
        '409': failureResponse('El cierre está cancelado.', 'CLOSING_CANCELLED'),
        '422': invalidResponse({ comment: ['El comentario es obligatorio.'] }),
      },
    }),
  },
}
