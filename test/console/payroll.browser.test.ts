import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  collectRequests,
  download,
  go,
  NARROW,
  openMore,
  PHONE,
  useConsole,
  waitForMessage,
  waitForRest,
} from '../support/console.ts'
import { aWorkDay, dateDaysAgo, daysAgo } from '../support/console-api.ts'

/** Horas as only a browser shows it. What it says and sends is in payroll.service.test.ts. */

const { open, api } = useConsole()

/** A period before the demo data. */
const PERIOD = `from=${dateDaysAgo(44)}&to=${dateDaysAgo(35)}`

it('adds a missing exit with the keyboard alone', async () => {
  const ana = await api()
  await ana.record('E-005', [{ kind: 'entrada', at: daysAgo(40, '14:00') }])
  const page = await open({ path: `horas?from=${dateDaysAgo(40)}&to=${dateDaysAgo(40)}` })
  const row = page.locator(`[data-day="E-005${dateDaysAgo(40)}"]`)
  await row.getByRole('button', { name: 'Agregar la salida que falta' }).focus()
  await page.keyboard.press('Enter')
  await row.locator('input[name=time]:focus').waitFor()
  await row.getByLabel('Hora de la salida').fill('17:00')
  await row.getByLabel('Motivo').fill('Olvidó checar; lo confirma su jefa.')
  await row.getByLabel('Motivo').press('Enter')
  await waitForMessage(page, 'Se agregó y se aprobó: Guadalupe Ibarra Cruz')
  await row.waitFor({ state: 'detached' })
})

it('fits the hours of a week into their box', async () => {
  const ana = await api()
  for (const days of [44, 43, 42, 41, 38, 37, 36, 35]) await ana.record('E-004', aWorkDay(days))
  const page = await open({ path: `horas?employee_id=E-004&${PERIOD}` })
  await page.locator('.week strong').first().waitFor()
  await waitForRest(page)
  const wide = `[...document.querySelectorAll('.worked')].filter((p) => p.scrollWidth > p.clientWidth)`
  await page.evaluate(`document.querySelector('.week strong').textContent = '50 h 45 min'`)
  await page.evaluate("document.documentElement.style.fontFamily = 'DejaVu Sans, Verdana'")
  expect(await page.evaluate(`${wide}.length`)).toBe(0)
})

it('has the approval and the days on the first screen of a phone, and approves nothing offline', async () => {
  const ana = await api()
  await ana.record('E-009', aWorkDay(42))
  const page = await open({ viewport: PHONE, path: `horas?employee_id=E-009&${PERIOD}` })
  const approve = page.getByRole('button', { name: 'Aprobar el día sin excepción' })
  await approve.waitFor()
  const topOf = async (locator: Locator) => (await locator.boundingBox())?.y ?? PHONE.height
  const first = page.locator('.calendar li:not(.week)').first()
  await first.waitFor()
  await waitForRest(page)
  expect(await topOf(approve)).toBeLessThan(await topOf(first))
  await page.context().setOffline(true)
  await expect.poll(() => approve.isDisabled()).toBe(true)
  await page.context().setOffline(false)

  await ana.record('E-010', [{ kind: 'entrada', at: daysAgo(39, '14:00') }])
  await go(page, `horas?from=${dateDaysAgo(40)}&to=${dateDaysAgo(39)}`)
  // The filters were unfolded for the person's: a page that is opened has them folded.
  await page.reload()
  await page.locator(`[data-day="E-010${dateDaysAgo(39)}"]`).waitFor()
  await waitForRest(page)
  expect(await topOf(page.locator('[data-day]').first())).toBeLessThan(PHONE.height - 100)

  // On a narrower phone, the name of the period stays between its buttons.
  await page.setViewportSize(NARROW)
  await go(page, 'horas?payroll_group=semanal')
  const steps = page.getByRole('navigation', { name: 'Periodos' }).getByRole('button')
  await steps.last().waitFor()
  await waitForRest(page)
  const [before, after] = [steps.first(), steps.last()]
  await expect.poll(async () => (await topOf(after)) - (await topOf(before))).toBe(0)
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
})

it('downloads hours and evidence as files, without the token in any URL', async () => {
  const page = await open({ path: `horas?employee_id=E-001&${PERIOD}` })
  const addresses = collectRequests(page, '')
  await openMore(page)
  const { name, bytes } = await download(page, page.getByRole('button', { name: 'CSV por día' }))
  expect(name).toBe(`horas_${dateDaysAgo(44)}_${dateDaysAgo(35)}.csv`)
  expect(bytes.toString()).toMatch(/^\ufeffNúmero,/)
  await go(page, 'checadas/1')
  const evidence = page.getByRole('button', { name: 'Descargar evidencia' })
  expect((await download(page, evidence)).name).toMatch(/^evidencia_.*\.ndjson$/)
  const token = await page.evaluate("sessionStorage.getItem('checada.token')")
  expect(addresses.join()).not.toContain(String(token))
})
