import { expect, it } from 'vitest'
import {
  axeViolations,
  go,
  lastMessage,
  OTHER_ADMIN,
  rowOf,
  useConsole,
} from '../support/console.ts'
import { dateDaysAgo, daysAgo } from '../support/console-api.ts'

const { open, api } = useConsole(['--var', 'EMPLOYEE_REQUESTS:on'])

const EMPLOYEE = 'E-001'

/** On the day that was this many days ago, the demo has no logs, whatever weekday today is. */
const DAYS = 30

it('shows who asked and their words, lets somebody else decide, and prints both', async () => {
  const ana = await api()
  const words = 'Olvidé checar:\nme fui por la otra puerta.'
  const [entrada = 0] = await ana.record(EMPLOYEE, [
    { kind: 'entrada', at: daysAgo(DAYS, '14:00') },
  ])
  await ana.change([entrada], 'approved')
  await ana.paysFrom(dateDaysAgo(DAYS + 1))
  const whom = { employee_id: EMPLOYEE, leave_pending: true }
  await ana.close({ ...whom, before: dateDaysAgo(DAYS - 1) })
  const { log_id } = await ana.ask('salida', daysAgo(DAYS, '23:00'), words)
  const request = log_id ?? 0
  const day = dateDaysAgo(DAYS)
  const path = `checadas?employee_id=${EMPLOYEE}&from=${day}&to=${day}&status=pending`

  const mine = await open({ path })
  const own = rowOf(mine, request)
  await own.getByText('La decide otra persona').waitFor()
  expect(await own.getByRole('button').count()).toBe(0)

  const hers = await open({ path, email: OTHER_ADMIN })
  const row = rowOf(hers, request)
  await row.getByText('Solicitada').waitFor()
  expect(await row.locator('blockquote').textContent()).toBe(words)
  expect(await axeViolations(hers)).toEqual([])
  await row.getByRole('button', { name: /^Aprobar/ }).click()
  await lastMessage(hers).getByText('Aprobada').waitFor()

  // The cell also names a holiday, if the day is one.
  const note = 'Solicitada: «Olvidé checar:\nme fui por la otra puerta.»'
  const printed = hers.locator('.card tbody tr', { hasText: '08:00–17:00' })
  await go(hers, `tarjeta?employee_id=${EMPLOYEE}&from=${day}&to=${day}`)
  expect(await printed.locator('td').last().textContent()).toContain(note)

  // The next closing pays this day as a day before the closing's period.
  const closing = await ana.close({ ...whom, before: dateDaysAgo(DAYS - 2) })
  await go(hers, `tarjeta?closing=${closing.id}`)
  await hers.getByText(`Cierre ${closing.id} ·`).waitFor()
  expect(await hers.locator('.card tbody tr').last().textContent()).toContain('08:00–17:00')
  expect(await printed.locator('td').last().textContent()).toContain(note)
})
