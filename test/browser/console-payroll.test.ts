import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { axeViolations, LAPTOP, OTHER_ADMIN, PHONE, said, useConsole } from '../support/console.ts'
import { type ApiClient, daysAgo } from '../support/console-api.ts'

const { open, api, service } = useConsole()

const dayOf = (days: number) => daysAgo(days, '00:00').slice(0, 10)

/** Days of one person with an entrada at 08:00 and, where it is not missing, a salida at 17:00. */
const someDays = (client: ApiClient, employee_id: string, days: number[], lacking: number[] = []) =>
  client.record(
    employee_id,
    days.flatMap((day) => [
      { kind: 'entrada' as const, at: daysAgo(day, '14:00') },
      ...(lacking.includes(day) ? [] : [{ kind: 'salida' as const, at: daysAgo(day, '23:00') }]),
    ]),
  )

/** The demo begins after these days, so that nobody else has logs there. */
const FIRST = 44
const LAST = 38

const hoursOf = (employee_id: string, from = FIRST, to = LAST) =>
  `horas?employee_id=${employee_id}&from=${dayOf(from)}&to=${dayOf(to)}`

const dayRows = (page: Page) => page.locator('.calendar li')

const go = (page: Page, path: string) => page.evaluate(`location.hash = '#/${path}'`)

const statusOf = async (client: ApiClient, ids: number[]) =>
  (await Promise.all(ids.map((id) => client.read(id)))).map(({ status }) => status)

it('shows days as bars, a missing exit as an open one, in the words of payroll', async () => {
  const ana = await api()
  await someDays(ana, 'E-001', [44, 43], [43])
  const page = await open({ path: hoursOf('E-001') })
  await page.getByText('Omisión de salida').waitFor()

  const rows = await dayRows(page).allTextContents()
  expect(rows).toHaveLength(7)
  expect(rows[0]).toContain('(08:00–17:00) Checadas sin decidir')
  expect(rows[1]).toContain('08:00–?')
  expect(rows[2]).toContain('sin checadas')
  expect(await dayRows(page).nth(0).locator('.waits rect').count()).toBe(1)
  expect(await dayRows(page).nth(1).locator('.open').textContent()).toBe('?')
  expect(await page.locator('tbody td').allTextContents()).toEqual(['0', '–', '2'])

  await dayRows(page).nth(1).getByRole('link').click()
  await page.locator('.log').waitFor()
  expect(await page.locator('.log .when').allTextContents()).toEqual(['Entrada 08:00'])
})

it('approves the days without exception, undoes it, and leaves the rest to be read', async () => {
  const ana = await api()
  const ids = await someDays(ana, 'E-002', [44, 43, 42], [42])
  await ana.addByHand('E-002', 'salida', daysAgo(42, '23:00'))
  const page = await open({ path: hoursOf('E-002') })
  await page.getByRole('button', { name: 'Aprobar los 2 días sin excepción' }).click()
  const dialog = page.getByRole('dialog', { name: 'Aprobar 4 checadas' })
  await dialog.getByText('2 días sin excepción, que suman 18.00 h.').waitFor()
  await dialog.getByRole('button', { name: 'Aprobar 4 checadas' }).click()
  await said(page).getByText('Aprobadas: 4 checadas.').waitFor()
  await expect.poll(() => dayRows(page).nth(0).locator('.worked').textContent()).toBe('9.00 h')
  // The third day has a log that was added by hand: somebody reads it.
  const approved = ['approved', 'approved', 'approved', 'approved', 'pending']
  expect(await statusOf(ana, ids)).toEqual(approved)
  expect(await page.getByRole('button', { name: /sin excepción/ }).count()).toBe(0)

  await page.getByRole('button', { name: 'Deshacer' }).click()
  await page.getByRole('button', { name: 'Aprobar los 2 días sin excepción' }).waitFor()
  expect(new Set(await statusOf(ana, ids))).toEqual(new Set(['pending']))
})

it('approves a night that ends after the period, and says what somebody else decided', async () => {
  const [ana, maria] = [await api(), await api(OTHER_ADMIN)]
  const [entrada = 0, salida = 0, other = 0, exit = 0] = await ana.record('E-004', [
    { kind: 'entrada', at: daysAgo(37, '04:00') },
    { kind: 'salida', at: daysAgo(37, '12:00') },
    { kind: 'entrada', at: daysAgo(40, '14:00') },
    { kind: 'salida', at: daysAgo(40, '22:00') },
  ])
  const page = await open({ path: hoursOf('E-004') })
  await page.getByRole('button', { name: 'Aprobar los 2 días sin excepción' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Aprobar 4 checadas' }).waitFor()
  await maria.change([exit], 'rejected', 'Checada repetida.')
  await dialog.getByRole('button', { name: 'Aprobar 4 checadas' }).click()
  await dialog.getByText('María José Hernández Núñez decidió antes').waitFor()
  expect(await statusOf(ana, [entrada, salida, other, exit])).toEqual([
    'approved',
    'approved',
    'approved',
    'rejected',
  ])
  await dialog.getByRole('button', { name: 'Cerrar' }).click()
  await page.getByText('22:00–06:00+1').waitFor()
})

it('lists a branch: what must be read one by one, and everybody with their totals', async () => {
  const ana = await api()
  await someDays(ana, 'E-012', [44, 43], [43])
  const page = await open({ path: 'horas' })
  await page.getByRole('heading', { name: '¿De quién son las horas?' }).waitFor()
  await go(page, `horas?branch_office=Norte&from=${dayOf(44)}&to=${dayOf(43)}`)
  const found = dayRows(page).filter({ hasText: 'Óscar Treviño Gámez' })
  await found.getByText('Omisión de salida').waitFor()
  // Two days of Luis Mendoza, and one of Óscar Treviño.
  await page.getByRole('button', { name: 'Aprobar los 3 días sin excepción' }).waitFor()
  expect(await page.locator('tbody tr').count()).toBe(4)
  await page.getByText('Sin checadas en el periodo').first().waitFor()
  await page.getByRole('link', { name: 'Óscar Treviño Gámez', exact: true }).click()
  await page.getByRole('heading', { name: 'Óscar Treviño Gámez' }).waitFor()
  expect(page.url()).toContain('employee_id=E-012')
})

it('begins with the running fortnight, goes back by fortnights, and shows 31 days at most', async () => {
  const page = await open({ path: 'horas' })
  const period = page.locator('h1 .count')
  const before = (await period.textContent()) ?? ''
  expect(before).toMatch(/^(1 al 15|16 al \d\d) de /)
  await page.getByRole('link', { name: 'Quincena anterior' }).click()
  await expect.poll(() => period.textContent()).not.toBe(before)
  await page.getByRole('link', { name: 'Quincena siguiente' }).click()
  await expect.poll(() => period.textContent()).toBe(before)
  await go(page, 'horas?from=2026-01-01&to=2026-03-31')
  await expect.poll(() => period.textContent()).toBe('1 al 31 de enero')
})

it('says that hours could not be read, and reads them again', async () => {
  const page = await open({ path: 'relojes' })
  await page.route('**/hours?*', (route) => route.abort('connectionreset'))
  await go(page, hoursOf('E-006'))
  await page.getByRole('heading', { name: 'No se pudieron calcular las horas' }).waitFor()
  await page.unroute('**/hours?*')
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await dayRows(page).first().waitFor()
})

it('downloads hours as a file, with the token in no address', async () => {
  const page = await open({ path: hoursOf('E-001') })
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV por día' }).click()
  const download = await saved
  expect(download.suggestedFilename()).toBe(`horas_${dayOf(FIRST)}_${dayOf(LAST)}.csv`)
  expect(readFileSync(await download.path(), 'utf8')).toMatch(/^\ufeffemployee_id,/)
  const token = await page.evaluate("sessionStorage.getItem('checada.token')")
  expect(addresses.join()).not.toContain(String(token))
})

it('downloads the evidence of a log, one a minute', async () => {
  const page = await open({ path: 'checadas/1' })
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Descargar evidencia' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^evidencia_.*\.ndjson$/)
  expect(await page.getByRole('link', { name: 'Verificar' }).getAttribute('href')).toBe(
    '/verificar',
  )

  await page.route('**/audit/evidence*', (route) =>
    route.fulfill({
      status: 429,
      json: { success: false, message: 'Demasiados intentos.', data: null },
    }),
  )
  await page.getByRole('button', { name: 'Descargar evidencia' }).click()
  await said(page).getByText('Se descarga una evidencia por minuto').waitFor()
})

const closeUntil = async (page: Page, days: number) => {
  await page.getByLabel('Último día').fill(dayOf(days))
  await page.getByLabel('Último día').blur()
}

it('closes a period, what waits left on purpose, and shows its adjustments', async () => {
  const ana = await api()
  const [entrada = 0, salida = 0] = await someDays(ana, 'E-008', [41])
  const page = await open({ path: 'cierres' })
  await closeUntil(page, 1)
  await page.getByText(/checadas? sin decidir hasta ese día/).waitFor()
  expect(await page.getByRole('link', { name: 'Revisarlas' }).getAttribute('href')).toBe(
    `#/checadas?status=pending&to=${dayOf(1)}`,
  )
  const close = page.getByRole('button', { name: /^Cerrar hasta el/ })
  await close.click()
  await page.getByText(/registros? pendientes? antes de esa fecha/).waitFor()
  expect(await page.getByRole('listitem').filter({ hasText: 'Todos' }).count()).toBe(0)

  await page.getByLabel('Dejarlas pendientes').check()
  await page.getByLabel('Comentario (opcional)').fill('Pagada el viernes.')
  // The answer is lost after the commit: it is looked for, not sent twice.
  await page.route('**/closings', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await close.click()
  await said(page).getByText('Se cerró hasta el').waitFor()
  await page.unroute('**/closings')
  const closing = page.getByRole('listitem').filter({ hasText: 'Pagada el viernes.' })
  await closing.waitFor()
  expect(await closing.count()).toBe(1)

  await ana.change([entrada, salida], 'approved')
  await closing.getByRole('link', { name: 'Ver ajustes' }).click()
  const row = closing.getByRole('row').filter({ hasText: 'Héctor Zúñiga Robles' })
  await row.waitFor()
  expect(await row.getByRole('cell').allTextContents()).toEqual(['–', '9.00 h', '+9.00 h'])
  const saved = page.waitForEvent('download')
  await closing.getByRole('button', { name: 'Ajustes', exact: true }).click()
  expect((await saved).suggestedFilename()).toMatch(/^ajustes_.*\.csv$/)
})

it('asks for the reason where a period is reopened, and for a group that exists', async () => {
  const ana = await api()
  await ana.close({ before: dayOf(0), leave_pending: true })
  const page = await open({ path: 'cierres' })
  await page.getByLabel('De quién').selectOption('Un grupo de nómina')
  await page.getByRole('combobox', { name: 'Grupo' }).fill('inexistente')
  await page.getByRole('button', { name: /^(Cerrar|Reabrir)/ }).click()
  await page.getByText('No existe un grupo de nómina con ese nombre.').waitFor()

  await page.getByLabel('De quién').selectOption('Todos')
  await closeUntil(page, 43)
  const pending = page.getByLabel('Dejarlas pendientes')
  if (await pending.isVisible()) await pending.check()
  await page.getByRole('button', { name: /^Reabrir después del/ }).click()
  await page.getByText('Para reabrir un periodo cerrado, el comentario es obligatorio.').waitFor()
  const reason = page.getByLabel('Motivo de la reapertura')
  expect(await reason.getAttribute('aria-invalid')).toBe('true')
  await reason.fill('Faltaba la sucursal Norte.')
  await page.getByRole('button', { name: /^Reabrir después del/ }).click()
  await said(page).getByText('Se reabrió después del').waitFor()
  await page.getByText('Faltaba la sucursal Norte.').waitFor()
})

it('closes and approves nothing without a connection', async () => {
  const ana = await api()
  await someDays(ana, 'E-009', [42])
  const page = await open({ path: 'cierres' })
  const close = page.getByRole('button', { name: /^(Cerrar|Reabrir)/ })
  await close.waitFor()
  await page.context().setOffline(true)
  await page.getByText('Sin conexión: no se decide nada').first().waitFor()
  expect(await close.isDisabled()).toBe(true)
  await page.context().setOffline(false)
  await expect.poll(() => close.isDisabled()).toBe(false)
  await go(page, hoursOf('E-009'))
  const approve = page.getByRole('button', { name: 'Aprobar el día sin excepción' })
  await approve.waitFor()
  await page.context().setOffline(true)
  await expect.poll(() => approve.isDisabled()).toBe(true)
})

/** Each run adjusts a day of its own. */
let adjustedDay = FIRST

it.each([
  ['a laptop', LAPTOP, 'light'],
  ['a laptop', LAPTOP, 'dark'],
  ['a phone', PHONE, 'light'],
  ['a phone', PHONE, 'dark'],
] as const)('has nothing that axe-core finds on %s (%o, %s)', async (_, viewport, colorScheme) => {
  const ana = await api()
  const logs = await someDays(ana, 'E-003', [adjustedDay--])
  const { id } = await ana.close({ before: dayOf(0), leave_pending: true })
  await ana.change(logs, 'approved')
  const page = await open({ viewport, colorScheme })
  for (const [path, wait] of [
    ['horas', '.empty a'],
    [hoursOf('E-001'), '.calendar li'],
    ['horas?branch_office=Norte', 'tbody tr'],
    [`cierres/${id}`, '.closings table'],
  ] as const) {
    await page.goto(`${new URL(service.api).origin}/revision/#/${path}`)
    await page.locator(wait).first().waitFor()
    expect([path, await axeViolations(page)]).toEqual([path, []])
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect([path, overflow]).toEqual([path, 0])
  }
})
