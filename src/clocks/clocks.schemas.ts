import * as z from 'zod/mini'
import {
  clockLabel,
  dayField,
  expectedVersion,
  limitedText,
  missingMessage,
  optional,
  requiredText,
  shortText,
  strictObject,
  textField,
  yesOrNo,
} from '../core/values/fields.schemas.ts'
import { COMMENT_MAX, WAIT_REASONS } from '../core/values/log-values.ts'
import { query } from '../core/values/query-fields.schemas.ts'
import { TEXT_MAX } from '../core/values/text-limits.ts'
import { OVER_BOUND } from './punches/fate.ts'
import { NUMBER_MAX } from './punches/lines.ts'
import { serialOf } from './serial.ts'

const SERIAL_RULE = 'El número de serie lleva de 1 a 50 letras, cifras, guiones o guiones bajos.'

const serialField = z.pipe(
  requiredText('El número de serie').check(
    z.refine((text) => serialOf(text) !== undefined, { error: SERIAL_RULE }),
    z.meta({ maxLength: 50 }),
  ),
  z.transform((text: string) => serialOf(text) ?? ''),
)

export const ClockPath = z.object({ serial: serialField })

export const ClockBody = strictObject(
  {
    label: clockLabel,
    branch_office: shortText('La sucursal', TEXT_MAX),
    uses_keys: yesOrNo('El uso de teclas'),
    from_day: dayField('El primer día'),
    retired: yesOrNo('Retirado'),
    expected_version: expectedVersion,
    has_not_called: optional(yesOrNo('El reloj sin red')),
  },
  'El reloj debe ser un objeto.',
)

const numberField = requiredText('El número').check(
  z.refine((text) => /^\S+$/.test(text) && text.length <= NUMBER_MAX, {
    error: `El número lleva de 1 a ${NUMBER_MAX} caracteres sin espacios.`,
  }),
  z.meta({ maxLength: NUMBER_MAX }),
)

export const WaitingBody = strictObject(
  {
    serial: serialField,
    number: optional(numberField),
    all_numbers: optional(yesOrNo('En todos los números')),
    employee_id: optional(requiredText('El empleado')),
    all_clocks: optional(yesOrNo('En todos los relojes')),
    only_these: optional(yesOrNo('Solo estas checadas')),
    dismiss: optional(limitedText('El motivo', COMMENT_MAX)),
    reason: optional(z.enum([...WAIT_REASONS, OVER_BOUND], { error: 'Esa espera no existe.' })),
  },
  'La checada debe ser un objeto.',
).check(
  z.refine(({ employee_id, dismiss }) => (employee_id === undefined) !== (dismiss === undefined), {
    error: 'Di de quién es el número, o por qué se descarta.',
    path: ['employee_id'],
  }),
  z.refine(
    ({ employee_id, all_clocks, only_these }) =>
      !only_these || (employee_id !== undefined && !all_clocks),
    { error: 'Solo estas checadas va con la persona, en un reloj.', path: ['only_these'] },
  ),
  z.refine(
    ({ number, all_numbers, dismiss }) =>
      (number === undefined) === (all_numbers === true) && (dismiss !== undefined || !all_numbers),
    { error: missingMessage('El número'), path: ['number'] },
  ),
)

export const CandidatesQuery = query({ number: numberField })

/** The text of a part of the file. Its size is limited by the body. */
export const ClockFileBody = strictObject(
  { text: textField('El archivo') },
  'El archivo debe ser un objeto.',
)
