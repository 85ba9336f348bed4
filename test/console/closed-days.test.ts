import { expect, it } from 'vitest'
import { closedDaysText } from '../../console/review/closed-days.ts'

/** A log of a day: `open`, `closed`, or `paid`. */
const log = (day: number, state = 'open', employee_id = 'E-1') => ({
  local_at: `2026-11-0${day}T08:00:00-06:00`,
  closed: state !== 'open',
  locked: state === 'paid',
  employee: { employee_id },
})

it('says how many days of a decision were closed before, by person', () => {
  expect(closedDaysText([log(2), log(3)])).toBe('')
  expect(closedDaysText([log(2, 'paid')])).toBe('')
  expect(closedDaysText([log(2, 'closed'), log(2, 'closed')])).toBe(
    'Este día ya se cerró: el próximo cierre lo paga o descuenta.',
  )
  expect(closedDaysText([log(2, 'closed'), log(2, 'closed', 'E-2'), log(5)])).toBe(
    '2 de estos días ya se cerraron: el próximo cierre los paga o descuenta.',
  )
  expect(closedDaysText([log(2, 'closed'), log(3, 'closed')])).toBe(
    'Estos 2 días ya se cerraron: el próximo cierre los paga o descuenta.',
  )
  expect(closedDaysText([log(2, 'closed'), log(3)])).toMatch(/^1 de estos días ya se cerró:/)
})
