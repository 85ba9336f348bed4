import * as z from 'zod'
import {
  AnswerBody,
  ObjectionPath,
  OwnClosingsQuery,
  OwnDaysQuery,
  SignatureBody,
} from '../../src/payroll/card/card.schemas.ts'
import { ClosingPath } from '../../src/payroll/closings/closings.schemas.ts'
import {
  component,
  idField,
  integer,
  operations,
  pageSizeParameter,
  pathParameters,
  queryParameters,
} from './operations.ts'
import { dayFacts, lineFields, PENDING_SECONDS } from './payroll.openapi.ts'

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
  working_since: z.string().nullable().meta({ description: 'Si está en su turno ahora.' }),
  ...dayFacts,
  pending_seconds: z.int().meta({ description: PENDING_SECONDS }),
})

const OwnWeek = component('OwnWeek', {
  week_from: z.iso.date().meta({ description: 'Un lunes.' }),
  week_to: z.iso.date(),
  week_seconds: z.int().meta({ description: 'Completos si el periodo incluye toda la semana.' }),
  limit_seconds: z.int().meta({ description: 'El límite de la ley.' }),
  open: z.boolean().meta({ description: 'Si algo de la semana está pendiente.' }),
  pending_seconds: z.int().meta({ description: 'La suma de los de sus días.' }),
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

const path = pathParameters(ClosingPath, {
  id: { description: 'El número del cierre.', schema: integer(1) },
})

export const ownClosingOperations = operations('payroll', {
  'GET /v2/incidents/my_days': {
    id: 'listOwnDays',
    caller: 'signedIn',
    summary: 'Ver los propios días, 31 a lo más',
    parameters: queryParameters(OwnDaysQuery, {
      from: 'Desde este día.',
      to: 'Hasta este día, incluido.',
      limit: pageSizeParameter(31),
      after: 'Los que siguen a este día. Las semanas son siempre las del periodo.',
    }),
    data: component('OwnDays', { days: z.array(OwnDay), weeks: z.array(OwnWeek) }),
  },
  'GET /v2/incidents/my_closings': {
    id: 'listOwnClosings',
    caller: 'signedIn',
    summary: 'Ver los cierres con renglones propios, el más reciente primero',
    parameters: queryParameters(OwnClosingsQuery, {
      limit: pageSizeParameter(100),
      after: { description: 'Los anteriores a este cierre.', schema: integer(1) },
    }),
    data: OwnClosings,
  },
  'GET /v2/incidents/my_closings/{id}': {
    id: 'readOwnClosing',
    caller: 'signedIn',
    summary: 'Ver un cierre con los renglones propios',
    parameters: path,
    data: OwnClosingLines,
  },
  'POST /v2/incidents/my_closings/{id}/sign': {
    id: 'signOwnClosing',
    caller: 'signedIn',
    summary: 'Firmar de conformidad los renglones propios, u objetarlos, con la contraseña',
    description: 'Cuenta lo último que se firmó. Una objeción lleva comentario.',
    parameters: path,
    body: ['SignatureBody', SignatureBody],
    data: Signature,
    limited: true,
  },
  'GET /v2/incidents/objections': {
    id: 'listObjections',
    summary: 'Ver las objeciones que nadie ha respondido, la más antigua primero',
    data: Objections,
  },
  'GET /v2/incidents/closings/{id}/signatures': {
    id: 'listSignatures',
    summary: 'Ver quién firmó u objetó sus renglones de un cierre vigente',
    parameters: path,
    data: ClosingSignatures,
  },
  'POST /v2/incidents/closings/{id}/objections/{employee_id}/answer': {
    id: 'answerObjection',
    summary: 'Responder una objeción',
    description: 'No cambia ninguna cifra.',
    parameters: pathParameters(ObjectionPath, {
      id: { description: 'El número del cierre.', schema: integer(1) },
      employee_id: 'El número de la persona.',
    }),
    body: ['AnswerBody', AnswerBody],
    data: Answer,
  },
})
