import * as z from 'zod'
import { ClockAddressBody, ClockRejectionBody } from '../../src/clocks/clock-acts.schemas.ts'
import {
  CandidatesQuery,
  ClockBody,
  ClockFileBody,
  ClockPath,
  WaitingBody,
} from '../../src/clocks/clocks.schemas.ts'
import { WAIT_REASONS } from '../../src/core/values/log-values.ts'
import { component, Failure, operations, pathParameters, queryParameters } from './operations.ts'

const serial = z.string().meta({ description: 'El número de serie, como en su etiqueta.' })
const moment = z.iso.datetime()
const localMoment = z.string().meta({ description: 'En la hora de la sucursal del reloj.' })

const Clock = component('Clock', {
  serial,
  label: z.string().nullable(),
  branch_office: z.string().meta({ description: 'Sus checadas llevan la hora de esta sucursal.' }),
  uses_keys: z.boolean().meta({
    description: 'Si las personas oprimen entrada o salida; si no, toda checada es `checada`.',
  }),
  from_day: z.iso.date().meta({ description: 'Las checadas de días anteriores no se guardan.' }),
  retired: z.boolean(),
  version: z.int().meta({ description: 'Se envía de vuelta como `expected_version`.' }),
  last_seen_at: moment.nullable().meta({ description: 'Nulo si nunca ha llamado.' }),
  address: z
    .string()
    .nullable()
    .meta({ description: 'La dirección desde la que llama, o la que alguien dijo que es suya.' }),
  seconds_off: z
    .int()
    .nullable()
    .meta({ description: 'Segundos que va adelantado; nulo si no se ha medido.' }),
  complete_until: moment.nullable().meta({
    description: 'Hasta cuándo ha enviado todo; nulo si no se sabe.',
  }),
  receiving: z.boolean().meta({
    description: 'Si todavía envía lo que tiene desde su primer día: no se sabe qué falta.',
  }),
  last_seen_local_at: localMoment.nullable(),
  complete_until_local_at: localMoment.nullable(),
  time_zone: z.string().nullable().meta({
    description: 'La zona de su sucursal, si no es la de la empresa.',
  }),
  added_by: z
    .string()
    .nullable()
    .meta({ description: 'El nombre de quien lo agregó; nulo en los de la versión 2.0.' }),
  confirmed_by: z.string().nullable().meta({ description: 'El nombre de quien lo confirmó.' }),
  unconfirmed: z.boolean().meta({
    description:
      'Si falta que lo confirme alguien que no lo agregó ni lo cambió de sucursal. Hasta entonces, sus checadas cuentan como registradas por quien lo hizo.',
  }),
  unconfirmed_numbers: z.int().min(0).meta({
    description: 'De cuántos números falta que lo confirme alguien que no los nombró.',
  }),
  may_confirm: z.boolean().meta({ description: 'Si quien pregunta puede confirmar algo de ello.' }),
})

const UnknownClock = component('UnknownClock', {
  serial: z.string().meta({ description: 'Sin sus últimos cuatro caracteres.' }),
  first_at: moment,
  last_at: moment,
  address: z.string(),
})

const WaitingPunches = component('WaitingPunches', {
  serial,
  number: z.string(),
  reason: z.enum(WAIT_REASONS).meta({
    id: 'WaitReason',
    description:
      '`number`: no se sabe de quién es. `branch`: esa persona es de otra sucursal. `own`: son de quien subió el archivo. `future` y `too_old`: al llegar, su hora estaba en el futuro o tenía más de 45 días. `time`: esa hora no existe, o el reloj perdió la fecha.',
  }),
  over_bound: z.boolean().meta({
    description:
      'Si esperan porque esa persona ya tenía 50 checadas ese día en el reloj. Su `reason` es entonces `time`, y se descartan con `over_bound`.',
  }),
  count: z.int().min(1),
  first_at: moment,
  last_at: moment,
  first_local_at: localMoment,
  last_local_at: localMoment,
})

const ClockConflict = component(
  'ClockConflict',
  { ...Failure.shape, current: Clock.optional() },
  'El reloj cambió (`current`), o ninguno ha llamado con ese número de serie.',
)

const ClockNumber = component('ClockNumber', {
  number: z.string(),
  all_clocks: z.boolean(),
  is_named: z.boolean().meta({ description: 'Si alguien lo dijo; si no, se parece al empleado.' }),
  valid_from: z.iso.date().nullable().meta({ description: 'Null si siempre.' }),
  employee_id: z.string(),
  full_name: z.string(),
})

const NumberCandidate = component('NumberCandidate', {
  employee_id: z.string(),
  full_name: z.string(),
  branch_office: z.string(),
  why: z.enum(['same', 'one_digit', 'clock']).meta({ id: 'CandidateReason' }),
})

export const clockOperations = operations('intake', {
  'GET /v2/incidents/clocks': {
    id: 'listClocks',
    summary: 'Ver los relojes que se conectan solos y las checadas que esperan',
    description:
      'Para quien lleva a las personas, y para quien lee las horas: los de sus sucursales. `unknown`, los relojes que han llamado y nadie agregó, solo para quien lleva a las personas de todas las sucursales. De `waiting`, 100 grupos de cada reloj a lo más.',
    data: component('ClockList', {
      clocks: z.array(Clock),
      unknown: z.array(UnknownClock),
      waiting: z.array(WaitingPunches),
    }),
  },
  'PUT /v2/incidents/clocks/{serial}': {
    id: 'putClock',
    summary: 'Agregar o cambiar un reloj que se conecta solo',
    description:
      'Para quien lleva a las personas de todas las sucursales, nunca una máquina. Con `expected_version` 0 lo agrega, si ya llamó; uno sin red se agrega con `has_not_called`.',
    parameters: pathParameters(ClockPath, { serial: 'El número de serie.' }),
    body: ['ClockBody', ClockBody],
    data: Clock,
    bodies: { 409: ClockConflict },
    limited: true,
  },
  'POST /v2/incidents/clocks/{serial}/confirm': {
    id: 'confirmClock',
    summary: 'Confirmar un reloj que agregó otra persona, y de quién son sus números',
    description:
      'Para quien lleva a las personas de la sucursal del reloj; no para quien lo agregó o lo cambió de sucursal. De los números, confirma los que nombraron otros. Repetirlo no cambia nada.',
    parameters: pathParameters(ClockPath, { serial: 'El número de serie.' }),
    data: Clock,
    limited: true,
  },
  'POST /v2/incidents/clocks/waiting': {
    id: 'nameNumber',
    summary: 'Decir de quién es el número de un reloj, o descartar sus checadas',
    description:
      'Para quien lleva a las personas de la sucursal del reloj y de la persona, nunca para el número propio, y nunca una máquina. Con `employee_id`, las checadas que esperan se registran; con `all_clocks`, en todos los relojes (solo quien ve todas las sucursales). Con `only_these`, solo las que esperan (por `reason`, si viene): el número queda sin dueño, y las que envíe después esperan. Con `dismiss`, el motivo, se descartan; con `reason`, solo las que esperan por eso; con `all_numbers` en lugar de `number`, las de todos los números. Si se pierde la respuesta, se puede repetir.',
    body: ['WaitingBody', WaitingBody],
    data: component('WaitingResult', { taken: z.int().min(0), dismissed: z.int().min(0) }),
    limited: true,
  },
  'GET /v2/incidents/clocks/{serial}/numbers': {
    id: 'listClockNumbers',
    summary: 'Ver de quién es cada número de un reloj',
    description: 'Para quien lleva a las personas: los números de las suyas.',
    parameters: pathParameters(ClockPath, { serial: 'El número de serie.' }),
    data: component('ClockNumbers', { numbers: z.array(ClockNumber) }),
  },
  'GET /v2/incidents/clocks/{serial}/days_off': {
    id: 'listClockDaysOff',
    summary: 'Ver los días en que un reloj pudo estar mal',
    description:
      'De los últimos 14 días, aquellos en que al menos cinco personas, y 8 de cada 10, comenzaron a la vez 20 minutos o más antes o después de lo que cada una acostumbra en ese reloj (la mitad de sus días de 6 semanas). Es una pregunta: también puede ser un día con otro horario.',
    parameters: pathParameters(ClockPath, { serial: 'El número de serie.' }),
    data: component('ClockDaysOff', {
      days_off: z.array(
        component('ClockDayOff', {
          day: z.iso.date(),
          minutes: z.int().meta({ description: 'Cuánto más tarde; negativo si más temprano.' }),
          people: z.int().min(1),
          of: z.int().min(1).meta({ description: 'De cuántas personas con costumbre conocida.' }),
        }),
      ),
    }),
  },
  'GET /v2/incidents/clocks/{serial}/candidates': {
    id: 'listNumberCandidates',
    summary: 'Ver quién puede ser un número que espera en un reloj',
    description:
      'Para quien lleva a las personas: de las suyas que trabajan aquí, 8 a lo más. `why`: `same`, su número es el mismo sin espacios ni ceros a la izquierda; `one_digit`, cambia una cifra; `clock`, checa en ese reloj.',
    parameters: [
      ...pathParameters(ClockPath, { serial: 'El número de serie.' }),
      ...queryParameters(CandidatesQuery, { number: 'El número que envió el reloj.' }),
    ],
    data: component('NumberCandidates', { candidates: z.array(NumberCandidate) }),
  },
  'POST /v2/incidents/clocks/{serial}/file': {
    id: 'uploadClockFile',
    summary: 'Subir una parte del archivo de la memoria USB de un reloj',
    description:
      'Líneas completas de `attlog.dat`, o de `GLG_001.TXT` o `AGL_001.TXT` con sus encabezados en cada parte, 512 KiB a lo más por llamada. Lo mismo enviado otra vez es `known`. Las propias de quien lo sube esperan a otra persona.',
    parameters: pathParameters(ClockPath, { serial: 'El número de serie.' }),
    body: ['ClockFileBody', ClockFileBody],
    data: component('ClockFileResult', {
      created: z.int().min(0),
      known: z.int().min(0),
      waiting: z.int().min(0),
      before_from_day: z.int().min(0),
      invalid: z.int().min(0),
    }),
    limited: true,
  },
  'POST /v2/incidents/clocks/{serial}/address': {
    id: 'sayClockAddress',
    summary: 'Decir cuál es la dirección de un reloj',
    description:
      'Para quien decide en la sucursal del reloj. Ninguna otra la reemplaza, y lo que llega de otras queda marcado. De IPv6 vale la red de 64 bits.',
    parameters: pathParameters(ClockPath, { serial: 'El número de serie.' }),
    body: ['ClockAddressBody', ClockAddressBody],
    data: Clock,
    limited: true,
  },
  'POST /v2/incidents/clocks/{serial}/reject': {
    id: 'rejectClockLogs',
    summary: 'Rechazar las checadas pendientes de un reloj en un periodo',
    description:
      'Para quien decide: las de su gente, 1,000 a lo más por llamada, con el motivo. Se audita como toda decisión, y nada se borra. Con FORBID_SELF_APPROVAL, las propias quedan para otra persona. Con `elsewhere`, solo las que llegaron de otra dirección que la del reloj. Mientras `left` no sea 0, se repite.',
    parameters: pathParameters(ClockPath, { serial: 'El número de serie.' }),
    body: ['ClockRejectionBody', ClockRejectionBody],
    data: component('ClockRejection', { rejected: z.int().min(0), left: z.int().min(0) }),
    limited: true,
  },
})
