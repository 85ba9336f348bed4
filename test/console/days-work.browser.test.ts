import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  collectRequests,
  expectAccessible,
  go,
  holdEffects,
  PHONE,
  useConsole,
  waitForRest,
} from '../support/console.ts'
import { type ApiClient, aWorkDay, dateDaysAgo, daysAgo } from '../support/console-api.ts'

/** Tests that nothing stops a day's work in the console, and that nothing typed is lost. */

const { open, api, takeProblems } = useConsole()

const PEOPLE = ['E-002', 'E-003', 'E-004', 'E-005', 'E-006']
/** A period around the days 40 to 44 days ago. Logs that are 45 days old are refused. */
const PERIOD = `from=${dateDaysAgo(45)}&to=${dateDaysAgo(39)}`

const forgetSalida = async (client: ApiClient, employee_id: string, days: number) => {
  const log = { kind: 'entrada' as const, at: daysAgo(days, '15:00') }
  await client.change(await client.record(employee_id, [log]), 'approved')
}

/** Adds the missing salida of a day. Returns where its row was on the screen. */
const fix = async (row: Locator): Promise<number> => {
  await row.getByRole('button', { name: /^Agregar la salida/ }).click()
  await row.getByLabel('Hora').fill('17:00')
  await row.getByLabel('Motivo').fill('Olvidó checar.')
  const save = row.getByRole('button', { name: 'Agregar y aprobar' })
  await save.scrollIntoViewIfNeeded()
  const { y = 0 } = (await row.boundingBox()) ?? {}
  await save.click()
  return y
}

it('fixes each day in its row with five requests at most, and keeps the place in the list', async () => {
  const client = await api()
  for (const employee_id of PEOPLE) {
    for (let days = 40; days <= 44; days++) await forgetSalida(client, employee_id, days)
  }
  const page = await open({ path: 'checadas/1' })
  await page.context().setExtraHTTPHeaders({ 'CF-Connecting-IP': '203.0.113.7' })
  await go(page, `horas?${PERIOD}`)
  await page.locator('[data-day]').first().waitFor()
  await waitForRest(page)
  const requests = collectRequests(page)
  for (let i = 0; i < PEOPLE.length * 5; i++) {
    const row = page.locator('[data-day]').filter({ hasText: 'Falta la salida' }).nth(3)
    if ((await row.count()) === 0) break
    const id = await row.getAttribute('data-day')
    requests.length = 0
    const y = await fix(page.locator(`[data-day="${id}"]`))
    const fixed = page.locator(`[data-day="${id}"]`)
    await fixed.waitFor({ state: 'detached' })
    await waitForRest(page)
    // It adds the log, reads the day's logs, approves them, and reads the days and the totals.
    expect(requests.length).toBeLessThanOrEqual(5)
    // The row that has the focus is where the fixed row was.
    const focused = page.locator('[data-day]:focus-within')
    await expect
      .poll(async () => Math.abs(((await focused.boundingBox())?.y ?? -1000) - y))
      .toBeLessThan(120)
  }
  expect(await page.getByText('Demasiad').count()).toBe(0)
  const left = page.locator('[data-day]').filter({ hasText: 'Falta la salida' })
  await expect.poll(() => left.count()).toBe(3)
})

it('closes the menu with Escape, and returns the focus to its button', async () => {
  const page = await open()
  const menu = page.locator('summary', { hasText: 'Menú' })
  await menu.click()
  await page.getByRole('link', { name: 'Ayuda' }).waitFor()
  expect(await page.getByRole('link', { name: 'Referencia de la API' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Ayuda' }).waitFor({ state: 'hidden' })
  await page.locator('summary:focus', { hasText: 'Menú' }).waitFor()
})

it('says that a section could not be opened, and opens it after a reload', async () => {
  const page = await open({ path: 'checadas', signedIn: false })
  await page.route('**/revision/part-*.js', async (route) => {
    const isShared = (await (await route.fetch()).text()).includes('Correo electrónico')
    await (isShared ? route.continue() : route.abort())
  })
  await page.getByLabel('Correo electrónico').fill('ana.torres@demo.mx')
  await page.getByLabel('Contraseña').fill('checada-demo')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await page.getByRole('navigation', { name: 'Secciones' }).getByText('Horas').click()
  await page.getByText('No se pudo abrir esta sección').waitFor()
  takeProblems()
  await page.unroute('**/revision/part-*.js')
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await page.getByRole('heading', { name: 'Horas' }).waitFor()
})

it('keeps what is typed before the effects of the page have run', async () => {
  const page = await open({ path: 'cierres' })
  const [group, day] = [page.getByLabel('De quién'), page.getByLabel('Último día')]
  await group.getByRole('option', { name: 'Grupo semanal' }).waitFor({ state: 'attached' })
  const runEffectsOfGroup = await holdEffects(page, '#closing-day')
  await group.selectOption('Grupo semanal')
  await day.fill(dateDaysAgo(20))
  await day.blur()
  await runEffectsOfGroup()
  expect(await day.inputValue()).toBe(dateDaysAgo(20))
  await page.getByRole('button', { name: 'Ver cómo quedaría' }).click()
  await expect.poll(() => page.url()).toContain(`before=${dateDaysAgo(19)}`)

  await go(page, 'horas')
  await page.getByRole('heading', { name: 'Horas', level: 1 }).waitFor()
  const runEffects = await holdEffects(page, 'input[name=time]')
  await go(page, `agregar?employee_id=E-007&day=${dateDaysAgo(44)}&kind=salida`)
  await page.getByLabel('Hora').fill('07:00')
  await runEffects()
  expect(await page.getByLabel('Hora').inputValue()).toBe('07:00')
  expect(await page.getByLabel('Día', { exact: true }).inputValue()).toBe(dateDaysAgo(44))
})

it('sends with Enter the form in which it is pressed, and no other', async () => {
  const client = await api()
  const page = await open({ path: 'empresa?jornada=E-013&horas=26' })
  const shifts = page.getByRole('region', { name: 'Jornada más larga' })
  await expect.poll(() => shifts.getByLabel('Horas').inputValue()).toBe('26')
  await shifts.getByLabel('Primer día').fill(dateDaysAgo(6))
  await shifts.getByLabel('Primer día').press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Guardar' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Volver' }).click()
  // The focus is where it was.
  await shifts.getByLabel('Primer día').and(page.locator(':focus')).waitFor()

  await client.addGroup('mensual')
  await client.changeEmployee('E-008', { payroll_group: 'mensual' })
  await client.change(await client.record('E-008', aWorkDay(44)), 'approved')
  await go(page, `cierres?before=${dateDaysAgo(40)}&payroll_group=mensual`)
  const sent = collectRequests(page, '/closings')
  const first = page.getByLabel('Primer día que se paga aquí')
  await first.fill(dateDaysAgo(44))
  await first.press('Enter')
  await page.getByRole('button', { name: 'Cerrar y pagar 9 h' }).waitFor()
  expect(sent.filter((request) => request.startsWith('POST'))).toEqual([])
})

it('explains a fortnight with pictures, and thirty irregularities, on a phone and on paper', async () => {
  const page = await open({ path: 'ayuda', viewport: PHONE })
  await page.getByRole('heading', { name: 'Ayuda' }).waitFor()
  await expect.poll(() => page.locator('.help ol > li').count()).toBe(10)
  for (const picture of await page.locator('.help img').all()) {
    await picture.scrollIntoViewIfNeeded()
    await expect
      .poll(() =>
        picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
      )
      .toBe(960)
  }
  await expectAccessible(page, 'fortnight')
  await page.getByRole('link', { name: 'treinta irregularidades' }).click()
  await page.getByRole('heading', { name: 'Treinta irregularidades' }).waitFor()
  await expect.poll(() => page.locator('.help ol > li').count()).toBe(30)
  await expectAccessible(page, 'irregularities')
  await page.emulateMedia({ media: 'print' })
  await page.getByRole('link', { name: 'Ayuda' }).waitFor({ state: 'hidden' })
  expect(await page.evaluate('document.body.scrollWidth <= innerWidth')).toBe(true)
})
