import { expect, it } from 'vitest'
import {
  expectAccessible,
  NARROW,
  OTHER_ADMIN,
  openMore,
  SCREENS,
  useConsole,
  waitForRest,
} from '../support/console.ts'
import { aWorkDay } from '../support/console-api.ts'

/** The first page as only a browser shows it. What it says is in today.service.test.ts. */

const { open, api } = useConsole()

it('has the approval of a supervisor’s days at the top of a phone', async () => {
  const ana = await api()
  await ana.record('E-002', aWorkDay(2))
  await ana.changeUser(OTHER_ADMIN, { scope_branches: ['Norte'] })
  const page = await open({ email: OTHER_ADMIN, viewport: NARROW, path: '' })
  await page.getByRole('heading', { name: /^Hoy/ }).waitFor()
  const approve = page.getByRole('button', {
    name: /^Aprobar (el día|los \d+ días) sin excepción$/,
  })
  await approve.waitFor()
  await waitForRest(page)
  const { y = 640, height = 0 } = (await approve.boundingBox()) ?? {}
  expect(y + height).toBeLessThan(320)
})

it.each(SCREENS)('is accessible on %s (%o)', async (_, viewport) => {
  const page = await open({ path: 'hoy', viewport })
  const add = page.getByRole('button', { name: /^Agregar la/ })
  const days = page.locator('[data-day]').filter({ has: add })
  await days.first().waitFor()
  await waitForRest(page)
  const first = page.locator(`[data-day="${await days.first().getAttribute('data-day')}"]`)
  await openMore(first)
  await first.getByRole('link', { name: 'Agregar otra checada…' }).waitFor()
  await expectAccessible(page, 'with the other acts of a day')
  await first.getByRole('button', { name: /^Agregar la/ }).click()
  await first.getByLabel('Motivo').waitFor()
  await expectAccessible(page, 'with the form of a day')
})
