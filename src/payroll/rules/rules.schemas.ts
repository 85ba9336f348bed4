import * as z from 'zod/mini'
import {
  dayOrNull,
  optional,
  orMissing,
  requiredText,
  strictObject,
} from '../../core/values/fields.schemas.ts'
import { isTimeZone } from '../../core/values/time-zone.ts'

/** Null, or a text that is not blank. The field must be there. */
const textOrNull = (name: string) =>
  z.union([z.null(), requiredText(name)], {
    error: orMissing(name, `${name} debe ser texto, o null.`),
  })

const common = {
  valid_from: dayOrNull('El primer día'),
  dry_run: optional(z.boolean({ error: 'La prueba debe ser true o false.' })),
}

const RULE = 'La regla debe ser un objeto.'

export const ZoneBody = strictObject(
  {
    branch_office: textOrNull('La sucursal'),
    time_zone: requiredText('La zona horaria').check(
      z.refine(isTimeZone, {
        error: 'El servicio no conoce esa zona horaria: debe ser un nombre como America/Tijuana.',
      }),
    ),
    ...common,
  },
  RULE,
)

const HOURS_RULE = 'La jornada más larga debe ser de 1 a 36 horas enteras.'

export const ShiftBody = strictObject(
  {
    employee_id: textOrNull('El empleado'),
    max_shift_hours: z
      .int({ error: orMissing('La jornada más larga', HOURS_RULE) })
      .check(z.refine((hours) => hours >= 1 && hours <= 36, { error: HOURS_RULE })),
    ...common,
  },
  RULE,
)
