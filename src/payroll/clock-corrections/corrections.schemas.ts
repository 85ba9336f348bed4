import * as z from 'zod/mini'
import { ClockPath } from '../../clocks/clocks.schemas.ts'
import {
  dayField,
  idAsText,
  optional,
  orMissing,
  requiredComment,
  strictObject,
  yesOrNo,
} from '../../core/values/fields.schemas.ts'
import { clientId, localTime } from '../../intake/intake.schemas.ts'

/** A local day, or a local time of the clock's branch. */
const dayOrTime = (name: string) =>
  z.union([dayField(name), localTime], {
    error: orMissing(
      name,
      `${name} debe ser una fecha, o una hora local como 2026-11-02T08:58:12.`,
    ),
  })

/** A clock that has lost its date may be a year off. */
const SHIFT_MAX_S = 366 * 24 * 3600

const SHIFT_RULE = `El ajuste debe ser un número entero de segundos, de -${SHIFT_MAX_S} a ${SHIFT_MAX_S}, y no 0.`

export const CorrectionBody = strictObject(
  {
    client_id: clientId,
    from: dayOrTime('El inicio'),
    to: dayOrTime('El fin'),
    shift_seconds: z.int({ error: orMissing('El ajuste', SHIFT_RULE) }).check(
      z.gte(-SHIFT_MAX_S, { error: SHIFT_RULE }),
      z.lte(SHIFT_MAX_S, { error: SHIFT_RULE }),
      z.refine((seconds) => seconds !== 0, { error: SHIFT_RULE }),
    ),
    comment: requiredComment,
    dry_run: optional(yesOrNo('La prueba'), false),
  },
  'La corrección debe ser un objeto.',
)

export const CorrectionPath = z.object({
  serial: ClockPath.shape.serial,
  id: idAsText('El identificador de la corrección debe ser un número.'),
})

export const UndoBody = strictObject(
  { comment: requiredComment },
  'La corrección debe ser un objeto.',
)
