import * as z from 'zod/mini'
import {
  dayOfWork,
  expectedVersion,
  paidDayOrNull,
  shortText,
  strictObject,
} from '../../core/values/fields.schemas.ts'
import { query } from '../../core/values/query-fields.schemas.ts'
import { TEXT_MAX } from '../../core/values/text-limits.ts'
import { parseCalendar } from './calendar.ts'
import { isGroupName } from './groups.ts'

/** `day` selects the period of each group that contains this day. */
export const PayrollGroupsQuery = query({ day: z.optional(dayOfWork) })

const groupName = shortText('El grupo de nómina', TEXT_MAX).check(
  z.refine(isGroupName, {
    error: 'El nombre de un grupo no lleva espacios al principio ni al final, ni nada invisible.',
  }),
)

const CALENDAR_RULE =
  'El calendario debe ser «week monday» (o el día en que empieza la semana), «half month», «month» o «14 days 2026-01-05».'

export const PayrollGroupBody = strictObject(
  {
    payroll_group: groupName,
    calendar: shortText('El calendario', TEXT_MAX).check(
      z.refine((text) => parseCalendar(text) !== undefined, { error: CALENDAR_RULE }),
    ),
    pays_from: paidDayOrNull('El primer día'),
    expected_version: expectedVersion,
  },
  'El grupo debe ser un objeto.',
)
