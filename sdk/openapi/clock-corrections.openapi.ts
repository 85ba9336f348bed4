import * as z from 'zod'
import { ClockPath } from '../../src/clocks/clocks.schemas.ts'
import {
  CorrectionBody,
  CorrectionPath,
  UndoBody,
} from '../../src/payroll/clock-corrections/corrections.schemas.ts'
import { component, idField, integer, operations, pathParameters } from './operations.ts'

const ChangedDay = component('CorrectedDay', {
  employee_id: z.string(),
  full_name: z.string(),
  day: z.iso.date(),
  before_seconds: z.int().nullable().meta({
    description: 'Lo que suma el día si se aprueba todo lo pendiente; null si nada.',
  }),
  after_seconds: z.int().nullable().meta({ description: 'Lo mismo, ya corregido.' }),
  before_detail: z.string(),
  after_detail: z.string(),
  paid_seconds: z.int().nullable().meta({ description: 'Lo que ya se pagó; null si nada.' }),
})

const Correction = component('ClockCorrection', {
  id: idField.nullable().meta({ description: 'Null en una prueba.' }),
  result: z.enum(['preview', 'created', 'known']).meta({ id: 'CorrectionResult' }),
  logs: z.int().min(0).meta({ description: 'Cuántas checadas se corrigen.' }),
  left_out: z.int().min(0).meta({
    description:
      'Cuántas quedan como estaban, porque son de quien llama (FORBID_SELF_APPROVAL) o de gente que ahora es de otra sucursal.',
  }),
  days: z
    .array(ChangedDay)
    .nullable()
    .meta({ description: 'Los días que cambian, solo en una prueba.' }),
})

const ListedCorrection = component('ListedCorrection', {
  id: idField,
  at: z.iso.datetime(),
  user: component('CorrectionUser', { id: idField, full_name: z.string() }),
  comment: z.string().nullable().meta({ description: 'El motivo; null si se borró.' }),
  shift_seconds: z.int(),
  logs: z.int().min(1),
  first_local_at: z.string().meta({
    description: 'La primera hora equivocada, en la sucursal del reloj.',
  }),
  last_local_at: z.string(),
  undone: z.boolean().meta({ description: 'Si todo lo que agregó está rechazado.' }),
})

const serial = 'El número de serie.'

export const clockCorrectionOperations = operations('intake', {
  'GET /v2/incidents/clocks/{serial}/corrections': {
    id: 'listClockCorrections',
    summary: 'Ver las correcciones de un reloj que estuvo mal, la más reciente primero',
    description: 'Las últimas 50 con checadas de las sucursales de quien llama.',
    parameters: pathParameters(ClockPath, { serial }),
    data: component('ClockCorrections', { corrections: z.array(ListedCorrection) }),
  },
  'POST /v2/incidents/clocks/{serial}/corrections': {
    id: 'correctClock',
    summary: 'Corregir la hora de las checadas de un reloj que estuvo mal',
    description:
      'Para quien decide checadas, dentro de sus sucursales. Cada checada del reloj que no está rechazada y cuya hora local está entre `from` y `to`, incluidos (un día, o una hora local de la sucursal del reloj; 31 días a lo más), se rechaza con el motivo y se agrega a mano `shift_seconds` después, pendiente; 1,000 a lo más, todas o ninguna. Lo ya pagado lo corrige quien también paga. Con `dry_run` nada se guarda, y `days` dice qué sería de cada día. El mismo `client_id` no corrige dos veces.',
    parameters: pathParameters(ClockPath, { serial }),
    body: ['CorrectionBody', CorrectionBody],
    data: Correction,
    limited: true,
  },
  'POST /v2/incidents/clocks/{serial}/corrections/{id}/undo': {
    id: 'undoClockCorrection',
    summary: 'Deshacer una corrección de un reloj',
    description:
      'Rechaza lo que la corrección agregó, y devuelve a lo que rechazó el estado que tenía. Lo que alguien decidió después se queda así. Si se repite, no cambia nada.',
    parameters: pathParameters(CorrectionPath, {
      serial,
      id: { description: 'El `id` de la corrección.', schema: integer(1) },
    }),
    body: ['CorrectionUndoBody', UndoBody],
    data: component('UndoneCorrection', {
      id: idField,
      restored: z.int().min(0),
      rejected: z.int().min(0),
    }),
    limited: true,
  },
})
