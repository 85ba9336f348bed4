import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  collectRequests,
  download,
  go,
  holdRequests,
  OTHER_ADMIN,
  openMore,
  PHONE,
  rowOf,
  useConsole,
  waitForMessage,
} from '../support/console.ts'
import {
  type ApiClient,
  aWorkDay,
  dateDaysAgo,
  daysAgo,
  emptyDayText,
} from '../support/console-api.ts'

const { open, api } = useConsole()

/** Records an entrada at 08:00 on each day, and a salida at 17:00 except on days in `lacking`. */
const someDays = (client: ApiClient, employee_id: string, days: number[], lacking: number[] = []) =>
  client.record(
    employee_id,
    days.flatMap((day) => [
      { kind: 'entrada' as const, at: daysAgo(day, '14:00') },
      ...(lacking.includes(day) ? [] : [{ kind: 'salida' as const, at: daysAgo(day, '23:00') }]),
    ]),
  )

/** The first and the last day of a period before the demo data, as numbers of days ago. */
const FIRST_DAYS_AGO = 44
const LAST_DAYS_AGO = 38

const hoursOf = (employee_id: string, from = FIRST_DAYS_AGO, to = LAST_DAYS_AGO) =>
  `horas?employee_id=${employee_id}&from=${dateDaysAgo(from)}&to=${dateDaysAgo(to)}`

const dayRows = (page: Page) => page.locator('.calendar li:not(.week)')

const statusOf = async (client: ApiClient, ids: number[]) =>
  (await Promise.all(ids.map((id) => client.read(id)))).map(({ status }) => status)

it('shows days as bars, a missing exit as an open bar, in the terms of payroll', async () => {
  const ana = await api()
  await someDays(ana, 'E-001', [44, 43], [43])
  const page = await open({ path: hoursOf('E-001') })
  await page.getByText('Falta la salida.').waitFor()

  const rows = await dayRows(page).allTextContents()
  expect(rows).toHaveLength(7)
  expect(rows[0]).toContain('(08:00–17:00) Checadas sin decidir')
  expect(rows[1]).toContain('08:00–?')
  expect(rows[2]).toContain(emptyDayText(42))
  expect(await dayRows(page).nth(0).locator('.waits rect').count()).toBe(1)
  expect(await dayRows(page).nth(1).locator('.open').textContent()).toBe('?')
  expect(await page.locator('tbody td').allTextContents()).toEqual(['0', '–9 h por aprobar', '1'])

  await dayRows(page).nth(1).getByRole('link', { name: 'ver sus checadas' }).click()
  await page.locator('.log').waitFor()
  expect(await page.locator('.log .when').allTextContents()).toEqual(['Entrada 08:00'])
})

it('approves the days without exception, undoes it, and leaves the other days for review', async () => {
  const ana = await api()
  const ids = await someDays(ana, 'E-002', [44, 43, 42], [42])
  await ana.addByHand('E-002', 'salida', daysAgo(42, '23:00'))
  const page = await open({ path: hoursOf('E-002') })
  await page.getByRole('button', { name: 'Aprobar los 2 días sin excepción' }).click()
  const dialog = page.getByRole('dialog', { name: 'Aprobar 4 checadas' })
  await dialog.getByText('2 días sin excepción, que suman 18 h.').waitFor()
  await dialog.getByRole('button', { name: 'Aprobar 4 checadas' }).click()
  await waitForMessage(page, 'Aprobadas: 4 checadas.')
  await expect.poll(() => dayRows(page).nth(0).locator('.worked').textContent()).toBe('9 h9.00 h')
  // The third day has a log that was added by hand, so somebody must review it.
  const approved = ['approved', 'approved', 'approved', 'approved', 'pending']
  expect(await statusOf(ana, ids)).toEqual(approved)
  expect(await page.getByRole('button', { name: /sin excepción/ }).count()).toBe(0)

  await page.getByRole('button', { name: 'Deshacer' }).click()
  await page.getByRole('button', { name: 'Aprobar los 2 días sin excepción' }).waitFor()
  expect(new Set(await statusOf(ana, ids))).toEqual(new Set(['pending']))
})

it('approves only the days of the chosen group', async () => {
  const ana = await api()
  const weekly = await someDays(ana, 'E-011', [38])
  const others = await someDays(ana, 'E-006', [38])
  const page = await open({ path: `horas?payroll_group=semanal&${period(38, 38)}` })
  await page.getByRole('button', { name: 'Aprobar el día sin excepción' }).click()
  await page.getByRole('button', { name: 'Aprobar 2 checadas' }).click()
  await waitForMessage(page, 'Aprobadas: 2 checadas.')
  expect(new Set(await statusOf(ana, weekly))).toEqual(new Set(['approved']))
  expect(new Set(await statusOf(ana, others))).toEqual(new Set(['pending']))
  // The menu leads to the closing of the same group and last day.
  await page.locator('.result .menu summary').click()
  const link = page.getByRole('link', { name: /^Cerrar hasta el / })
  expect(await link.getAttribute('href')).toBe(
    `#/cierres?before=${dateDaysAgo(37)}&payroll_group=semanal`,
  )
})

it('approves a night that ends after the period, and shows what somebody else decided', async () => {
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

it('approves the day that passes the limit of its week with the others, and then lists it', async () => {
  const ana = await api()
  const monday = 38 + ((new Date(dateDaysAgo(38)).getUTCDay() + 6) % 7)
  // The law's limit falls from 48 to 40 hours between 2026 and 2030. Five days of 7 h 48 min and
  // one of 10 h pass each of these limits on the last day.
  for (const day of [0, 1, 2, 3, 4]) {
    await ana.record('E-010', aWorkDay(monday - day, '14:00', '21:48'))
  }
  await ana.record('E-010', aWorkDay(monday - 5, '13:00', '23:00'))
  // The filter of the list of logs has no effect on the days of another page.
  const page = await open({ path: 'checadas?status=pending&branch_office=Nada' })
  await page.getByRole('heading', { name: 'Nada coincide con estos filtros' }).waitFor()
  await go(page, hoursOf('E-010', monday, monday - 5))
  const week = page.locator('.calendar .week')
  await week.getByText(/límite de \d\d h; con checadas sin decidir/).waitFor()
  await page.getByRole('button', { name: 'Aprobar los 6 días sin excepción' }).click()
  const dialog = page.getByRole('dialog', { name: 'Aprobar 12 checadas' })
  const over = 'Entre ellas, 2 checadas de días que pasan el límite de su semana.'
  await dialog.getByText(over, { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Aprobar 12 checadas' }).click()
  await week.getByText(/· \d+ h sobre el límite de \d\d h Semana sobre el límite$/).waitFor()
  const last = dayRows(page).nth(5)
  await last.getByText('Su semana pasa el límite de la ley.').waitFor()
  await last.getByRole('button', { name: 'Revisada' }).waitFor()
})

/** The row of a person's day in the list of days to review. */
const dayOfList = (page: Page, name: string, text = '') =>
  dayRows(page).filter({ hasText: name }).filter({ hasText: text })

const period = (from: number, to: number) => `from=${dateDaysAgo(from)}&to=${dateDaysAgo(to)}`

it('lists the days to review in all branches, by exception, branch and group', async () => {
  const ana = await api()
  await someDays(ana, 'E-012', [44, 43], [43])
  await someDays(ana, 'E-011', [44], [44])
  await someDays(ana, 'E-013', [44], [44])
  const page = await open({ path: `horas?${period(44, 43)}` })
  await dayOfList(page, 'Óscar Treviño Gámez', 'Falta la salida.').waitFor()
  await dayOfList(page, "Fernanda O'Farrill Campos").waitFor()
  const branches = page.getByRole('navigation', { name: 'Sucursales' })
  const before = await dayRows(page).count()
  await branches.getByRole('link', { name: 'Norte' }).click()
  await expect.poll(() => dayOfList(page, "Fernanda O'Farrill Campos").count()).toBe(0)
  const ofNorte = await dayRows(page).count()
  // After a reload the counts still cover every branch, although the filter has one branch.
  await page.reload()
  await dayRows(page).first().waitFor()
  expect(await branches.getByRole('link').allTextContents()).toEqual(
    expect.arrayContaining([`Todas ${before}`, `Norte ${ofNorte}`]),
  )
  await branches.getByRole('link', { name: 'Todas' }).click()
  // An earlier choice would be added to a filter that still has the branch Norte.
  await branches.locator('a[aria-current]', { hasText: 'Todas' }).waitFor()
  await page.getByText('Más filtros').click()
  await page.getByLabel('Grupo de nómina').selectOption('semanal')
  await dayOfList(page, "Fernanda O'Farrill Campos").waitFor()
  await expect.poll(() => dayOfList(page, 'Óscar Treviño Gámez').count()).toBe(0)
  await page.getByLabel('Grupo de nómina').selectOption('Todos')
  await dayOfList(page, 'Óscar Treviño Gámez').waitFor()
  await page.getByLabel('Departamento').selectOption('Ventas')
  await dayOfList(page, 'Renata Cárdenas Solís').waitFor()
  await expect.poll(() => dayOfList(page, 'Óscar Treviño Gámez').count()).toBe(0)
  await go(page, `horas?${period(44, 43)}&exception=sin_entrada`)
  await expect.poll(() => dayOfList(page, "Fernanda O'Farrill Campos").count()).toBe(0)
  await page.getByText('Ninguno tiene «Omisión de entrada».').waitFor()
  await page.getByRole('link', { name: 'Ver los demás' }).click()
  // The totals of everybody are below the list.
  await page.getByText('Sin checadas en el periodo').first().waitFor()
  await page.getByRole('link', { name: 'Óscar Treviño Gámez', exact: true }).click()
  await page.getByRole('heading', { name: 'Óscar Treviño Gámez' }).waitFor()
  expect(page.url()).toContain('employee_id=E-012')
})

it('adds a missing exit in its row, approves the day in the same act, and undoes it', async () => {
  const ana = await api()
  const [entrada = 0] = await someDays(ana, 'E-005', [40], [40])
  const page = await open({ path: `horas?${period(40, 40)}` })
  const row = dayOfList(page, 'Guadalupe Ibarra Cruz')
  await row.getByRole('button', { name: 'Agregar la salida que falta' }).click()
  await row.locator('input[name=time]:focus').waitFor()
  const save = row.getByRole('button', { name: 'Agregar y aprobar' })
  await save.click()
  await row.getByText('Pon la hora.').waitFor()
  await row.getByText('Escribe por qué falta.').waitFor()
  await row.getByLabel('Hora de la salida').fill('17:00')
  await row.getByLabel('Motivo').fill('Olvidó checar; lo confirma su jefa.')
  await row.getByLabel('Motivo').press('Enter')
  await waitForMessage(page, 'Se agregó y se aprobó: Guadalupe Ibarra Cruz')
  await expect.poll(() => row.count()).toBe(0)
  expect((await ana.read(entrada)).status).toBe('approved')
  expect(
    (await ana.logsOf('E-005', dateDaysAgo(40))).map(({ kind, status }) => [kind, status]),
  ).toEqual([
    ['entrada', 'approved'],
    ['salida', 'approved'],
  ])

  await page.getByRole('button', { name: 'Deshacer' }).click()
  await row.getByText('Tiene checadas por decidir.').waitFor()
  expect((await ana.read(entrada)).status).toBe('pending')
})

it('adds a log once although the first response is lost, and says what it could not approve', async () => {
  const ana = await api()
  await someDays(ana, 'E-003', [42], [42])
  const page = await open({ path: `horas?${period(42, 42)}` })
  const row = page.locator(`[data-day="E-003${dateDaysAgo(42)}"]`)
  let attempts = 0
  await page.route('**/manual_logs', async (route) => {
    attempts++
    const response = await route.fetch()
    await (attempts === 1 ? route.abort('connectionreset') : route.fulfill({ response }))
  })
  const errorBody = { success: false, message: 'Otra persona decidió antes.', data: null }
  await page.route('**/change_logs_status', (route) =>
    route.fulfill({ status: 403, json: errorBody }),
  )
  await row.getByRole('button', { name: 'Agregar la salida que falta' }).click()
  await row.getByLabel('Hora de la salida').fill('17:00')
  await row.getByLabel('Motivo').fill('Olvidó checar.')
  await row.getByRole('button', { name: 'Agregar y aprobar' }).click()
  await waitForMessage(page, 'Falta aprobarla: Otra persona decidió antes.')
  expect(attempts).toBe(2)
  expect(await ana.logsOf('E-003', dateDaysAgo(42))).toHaveLength(2)
  await row.getByRole('button', { name: 'Aprobar lo pendiente' }).waitFor()
})

it('puts the missing exit of a night shift on the next day, and explains that', async () => {
  const ana = await api()
  await ana.record('E-004', [{ kind: 'entrada', at: `${dateDaysAgo(40)}T03:54:00.000Z` }])
  const night = dateDaysAgo(41)
  const page = await open({ path: `horas?from=${night}&to=${night}` })
  const row = dayOfList(page, '', '21:54–?')
  // People with the same name are shown with their number in the list, the totals and the dialog.
  await row.getByText('E-004 · ').waitFor()
  await page.locator('tbody th', { hasText: 'E-004' }).waitFor()
  await openMore(row)
  await row.getByRole('button', { name: 'Revisada' }).click()
  await page.getByRole('dialog').getByRole('heading', { name: '(E-004)' }).waitFor()
  await page.getByRole('button', { name: 'Volver' }).click()
  await row.getByRole('button', { name: 'Agregar la salida que falta' }).click()
  const date = new Date(`${dateDaysAgo(40)}T12:00:00Z`).toLocaleDateString('es-MX', {
    ...{ day: 'numeric', month: 'long', timeZone: 'UTC' },
  })
  const isNextDay = row.getByText(`Es la hora del ${date}.`)
  await row.getByLabel('Hora').fill('06:00')
  await isNextDay.waitFor()
  await row.getByLabel('Hora').fill('23:10')
  await isNextDay.waitFor({ state: 'detached' })
  await row.getByLabel('Motivo').fill('Olvidó checar al salir.')
  // 20:00 of the next day would be 22 hours after the entrada. Nobody may work so long here.
  await row.getByLabel('Hora').fill('20:00')
  await row.getByRole('button', { name: 'Agregar y aprobar' }).click()
  await row.getByText('Con esa hora la jornada pasaría de 16 h.').waitFor()
  await row.getByLabel('Hora').fill('06:00')
  await row.getByRole('button', { name: 'Agregar y aprobar' }).click()
  await waitForMessage(page, `salida del ${date} a las 06:00`)
  await go(page, `horas?from=${night}&to=${night}&employee_id=E-004`)
  await dayRows(page).filter({ hasText: '21:54–06:00+1' }).waitFor()
})

it('links to a wrong entrada of the next morning, and opens the form of the row’s day', async () => {
  const ana = await api()
  const [, wrong = 0] = await ana.record('E-006', [
    { kind: 'entrada', at: daysAgo(40, '13:51') },
    { kind: 'entrada', at: daysAgo(39, '13:56') },
  ])
  const page = await open({ path: `horas?${period(40, 40)}` })
  const row = dayOfList(page, '', '07:51–?')
  await row.getByRole('link', { name: 'ver sus checadas' }).click()
  await page.locator(`[data-log="${wrong}"]`).waitFor()
  await page.goBack()
  await openMore(row)
  await row.getByRole('link', { name: 'Agregar otra checada…' }).click()
  await page.getByLabel('Hora').fill('07:56')
  await expect
    .poll(() => page.getByLabel('Día', { exact: true }).inputValue())
    .toBe(dateDaysAgo(40))
})

it('offers both kinds if the clock gave none, and puts a night entrada on the day before', async () => {
  const ana = await api()
  await ana.record('E-012', [{ kind: 'checada', at: daysAgo(40, '11:00') }])
  const page = await open({ path: `horas?${period(40, 40)}` })
  const row = dayOfList(page, '', '05:00–?')
  await row.getByRole('button', { name: 'Agregar la checada que falta' }).click()
  await row.getByLabel('Hora').fill('21:00')
  await row.getByLabel('Motivo').fill('Olvidó checar.')
  await row.getByRole('button', { name: 'Agregar y aprobar' }).click()
  await row.getByText('Elige cuál falta.').waitFor()
  await row.getByRole('radio', { name: 'Entrada, antes de las 05:00' }).check()
  await row.getByText(/^Es la hora del/).waitFor()
  const sent = page.waitForRequest('**/manual_logs')
  await row.getByRole('button', { name: 'Agregar y aprobar' }).click()
  expect((await sent).postDataJSON()).toMatchObject({
    kind: 'entrada',
    local_time: `${dateDaysAgo(41)}T21:00:00`,
  })
})

it('fits the hours of a week into their box', async () => {
  const ana = await api()
  await someDays(ana, 'E-004', [44, 43, 42, 41, 38, 37, 36, 35])
  const page = await open({ path: hoursOf('E-004', 44, 35) })
  await dayRows(page).first().waitFor()
  const wide = `[...document.querySelectorAll('.worked')].filter((p) => p.scrollWidth > p.clientWidth)`
  await page.evaluate(`document.querySelector('.week strong').textContent = '50 h 45 min'`)
  await page.evaluate("document.documentElement.style.fontFamily = 'DejaVu Sans, Verdana'")
  expect(await page.evaluate(`${wide}.length`)).toBe(0)
})

it('removes a day from the list with a note, until something changes', async () => {
  const ana = await api()
  const [entrada = 0] = await someDays(ana, 'E-007', [39], [39])
  const page = await open({ path: `horas?${period(39, 39)}` })
  const row = dayOfList(page, 'Sofía Castañeda Luna')
  await openMore(row)
  await row.getByRole('button', { name: 'Revisada' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Nota').fill('Salió a una diligencia; sin salida.')
  // While the browser is offline, no day is marked as reviewed, and the typed text stays.
  await page.context().setOffline(true)
  await dialog.getByText('Sin conexión').waitFor()
  expect(await dialog.getByRole('button', { name: 'Marcar como revisada' }).isDisabled()).toBe(true)
  await page.context().setOffline(false)
  await dialog.getByRole('button', { name: 'Marcar como revisada' }).click()
  await waitForMessage(page, 'Revisada: Sofía Castañeda Luna')
  await expect.poll(() => row.count()).toBe(0)
  await go(page, hoursOf('E-007', 39, 39))
  await page.getByText('revisada por Ana Torres Rivas: «Salió a una diligencia').waitFor()

  await ana.change([entrada], 'approved')
  await go(page, `horas?${period(39, 39)}`)
  await row.getByText('Falta la salida.').waitFor()
})

it('reads the hours of 400 people with four requests, and of one person with four more', async () => {
  const page = await open({ path: 'relojes' })
  await page.waitForLoadState('networkidle')
  const people = Array.from({ length: 400 }, (_, i) => ({
    ...{ employee_id: `T-${i}`, full_name: `Persona ${i}`, branch_office: 'Norte', rfc: '' },
    ...{ exceptions: ['sin_salida'], notices: [], detail: '08:00–?', worked_seconds: null },
    ...{ paid_seconds: null, closing_id: null, reviewed: null, unsynced_from: null },
    ...{ pending_seconds: 0, request_comments: [], extra_log_ids: [], spans: [] },
  }))
  await page.route('**/hours?*', (route) => {
    const url = new URL(route.request().url())
    const [id, by] = [url.searchParams.get('employee_id'), url.searchParams.get('by')]
    const rows = people
      .filter(({ employee_id }) => (id ?? employee_id) === employee_id)
      .flatMap((one) => (by ? [one] : [2, 3].map((day) => ({ ...one, day: `2026-11-0${day}` }))))
    return route.fulfill({ body: rows.map((row) => JSON.stringify(row)).join('\n') })
  })
  const requests = collectRequests(page)
  const names = () =>
    requests
      .splice(0)
      .map((one) => one.replace(/^.*\/|\?.*$/g, ''))
      .sort()
  await go(page, 'horas?from=2026-11-01&to=2026-11-15')
  await page.getByRole('heading', { name: '800 días por aclarar' }).waitFor()
  await page.getByRole('heading', { name: '400 personas' }).waitFor()
  expect(names()).toEqual(['hours', 'hours', 'payroll_groups', 'summary'])
  await page.getByRole('link', { name: 'Persona 7', exact: true }).click()
  await page.getByRole('heading', { name: 'Persona 7' }).waitFor()
  await page.waitForLoadState('networkidle')
  // The requests read the days, the total, the weeks, and the name that is beside the field.
  expect(names()).toEqual(['employees', 'hours', 'hours', 'hours'])
})

it('begins with the running fortnight, goes back by fortnights, and shows 31 days at most', async () => {
  // The groups of the demo have different calendars, so the period is that of a chosen group.
  const page = await open({ path: 'horas?payroll_group=-' })
  const period = page.locator('h1 .count')
  const before = (await period.textContent()) ?? ''
  expect(before).toMatch(/^(1 al 15|16 al \d\d) de /)
  await page.getByRole('button', { name: 'Periodo anterior' }).click()
  await expect.poll(() => period.textContent()).not.toBe(before)
  await page.getByRole('button', { name: 'Periodo siguiente' }).click()
  await expect.poll(() => period.textContent()).toBe(before)
  await go(page, 'horas?from=2026-01-01&to=2026-03-31')
  await expect.poll(() => period.textContent()).toBe('1 al 31 de enero de 2026')
})

it('shows the period before as such, with nothing to press, while another one is read', async () => {
  const ana = await api()
  await ana.record('E-004', [{ kind: 'entrada', at: daysAgo(44, '14:00') }])
  const page = await open({ path: `horas?${period(44, 43)}` })
  await dayRows(page).first().waitFor()
  const shown = await dayRows(page).count()
  const stale = page.locator('main [inert]')
  expect(await stale.count()).toBe(0)
  const release = await holdRequests(page, '**/hours?*')
  await go(page, `horas?${period(16, 15)}`)
  await expect.poll(() => stale.count()).toBe(1)
  expect(await dayRows(page).count()).toBe(shown)
  release()
  await expect.poll(() => stale.count()).toBe(0)
})

it('shows an error if hours cannot be read, and reads them again', async () => {
  const page = await open({ path: 'relojes' })
  await page.route('**/hours?*', (route) => route.abort('connectionreset'))
  await go(page, hoursOf('E-006'))
  await page.getByRole('heading', { name: 'No se pudieron calcular las horas' }).waitFor()
  await page.unroute('**/hours?*')
  await page.getByRole('button', { name: 'Reintentar' }).click()
  await dayRows(page).first().waitFor()
})

it('downloads hours as a file, without the token in any URL', async () => {
  const page = await open({ path: hoursOf('E-001') })
  const addresses = collectRequests(page, '')
  await openMore(page)
  const { name, bytes } = await download(page, page.getByRole('button', { name: 'CSV por día' }))
  expect(name).toBe(`horas_${dateDaysAgo(FIRST_DAYS_AGO)}_${dateDaysAgo(LAST_DAYS_AGO)}.csv`)
  expect(bytes.toString()).toMatch(/^\ufeffNúmero,/)
  const token = await page.evaluate("sessionStorage.getItem('checada.token')")
  expect(addresses.join()).not.toContain(String(token))
})

it('downloads the evidence of a log, at most once per minute', async () => {
  const page = await open({ path: 'checadas/1' })
  const button = page.getByRole('button', { name: 'Descargar evidencia' })
  expect((await download(page, button)).name).toMatch(/^evidencia_.*\.ndjson$/)
  expect(await page.getByRole('link', { name: 'Verificar' }).getAttribute('href')).toBe(
    '/verificar',
  )

  await page.route('**/audit/evidence*', (route) =>
    route.fulfill({
      status: 429,
      json: { success: false, message: 'Demasiados intentos.', data: null },
    }),
  )
  await button.click()
  await waitForMessage(page, 'Se descarga una evidencia por minuto')
})

it('has the approval above the days on a phone, and approves nothing without a connection', async () => {
  const ana = await api()
  await someDays(ana, 'E-009', [42])
  const page = await open({ viewport: PHONE, path: hoursOf('E-009') })
  const approve = page.getByRole('button', { name: 'Aprobar el día sin excepción' })
  await approve.waitFor()
  const topOf = async (locator: Locator) => (await locator.boundingBox())?.y ?? 0
  expect(await topOf(approve)).toBeLessThan(await topOf(dayRows(page).first()))
  await page.context().setOffline(true)
  await expect.poll(() => approve.isDisabled()).toBe(true)
})

it('marks rows of days with an exception, a long day or a repeated punch, and counts them', async () => {
  const ana = await api()
  const [clean = 0, , alone = 0, long = 0, , twice = 0] = await ana.record('E-008', [
    { kind: 'entrada', at: daysAgo(44, '14:00') },
    { kind: 'salida', at: daysAgo(44, '23:00') },
    { kind: 'entrada', at: daysAgo(43, '14:00') },
    { kind: 'entrada', at: daysAgo(41, '14:00') },
    { kind: 'salida', at: daysAgo(40, '03:30') },
    { kind: 'entrada', at: daysAgo(39, '14:00') },
    { kind: 'entrada', at: daysAgo(39, '14:02') },
    { kind: 'salida', at: daysAgo(39, '23:00') },
  ])
  const page = await open({
    path: `checadas?employee_id=E-008&from=${dateDaysAgo(44)}&to=${dateDaysAgo(38)}`,
  })
  await rowOf(page, alone).getByText('Omisión de salida').waitFor()
  await rowOf(page, long).getByText('Jornada mayor de 12 h').waitFor()
  await rowOf(page, twice).getByText('Checada repetida').waitFor()
  expect(await rowOf(page, clean).locator('.notes').count()).toBe(0)

  // All logs arrived weeks late in one batch, so no log is highlighted as late.
  expect(await rowOf(page, clean).locator('.received').textContent()).toContain('días después')
  expect(await rowOf(page, clean).locator('.late').count()).toBe(0)
  await page.getByLabel(/^Seleccionar 8 checadas de la lista$/).check()
  await page.getByRole('button', { name: 'Aprobar 8 checadas' }).click()
  const dialog = page.getByRole('dialog')
  const both =
    'Entre ellas, 3 checadas de días con excepción y 3 checadas de días con checadas repetidas.'
  await dialog.getByText(both).waitFor()
  await dialog.getByRole('button', { name: 'Cancelar' }).click()

  // Without the days, that is not known: neither in the list nor in the dialog.
  const unknown = 'No se pudo leer cuáles son de días con excepción. El servicio no respondió.'
  await page.route('**/hours?*', (route) => route.abort('connectionreset'))
  await page.getByRole('button', { name: 'Actualizar' }).click()
  await page.locator('main > div').getByText(unknown).waitFor()
  await page.getByLabel(/^Seleccionar 8 checadas de la lista$/).check()
  await page.getByRole('button', { name: 'Aprobar 8 checadas' }).click()
  await dialog.getByText(unknown).waitFor()
})

it("adds up a person's whole weeks, Monday to Sunday, even if the period cuts them", async () => {
  const ana = await api()
  // `other` is a different day of the same week. The period does not include it.
  const other = new Date(daysAgo(42, '12:00')).getUTCDay() === 1 ? 41 : 43
  const logs = [42, other].flatMap((day) => aWorkDay(day, '14:00', '23:30'))
  await ana.change(await ana.record('E-013', logs), 'approved')
  const page = await open({
    path: `horas?employee_id=E-013&from=${dateDaysAgo(42)}&to=${dateDaysAgo(42)}`,
  })
  const rows = page.locator('.calendar li')
  await rows.first().waitFor()
  expect(await rows.locator('.worked').allTextContents()).toEqual([
    '9 h 30 min9.50 h',
    '19 h19.00 h',
  ])
  await rows.filter({ hasText: 'Incluye días de otro periodo' }).waitFor()
  // The row asks to look at a day before her first one.
  const exceptions = dateDaysAgo(42) < '2026-11-09' ? '1' : '–'
  expect(await page.locator('tbody td').allTextContents()).toEqual([
    '1',
    '9 h 30 min9.50 h',
    exceptions,
  ])
})

/** Reads the start and end of each bar of a day, as hours on the axis. */
const hoursOfBars = async (page: Page, day: string) => {
  const marks = await page
    .locator('.axis text')
    .evaluateAll((all) =>
      all.map((one) => [Number(one.textContent), Number.parseFloat(one.getAttribute('x') ?? '')]),
    )
  const [[first = 0, start = 0] = [], [second = 0, next = 0] = []] = marks
  const hour = (x: number) => first + ((x - start) / (next - start)) * (second - first)
  const bars = page.locator('.calendar li').filter({ hasText: day }).locator('rect')
  const places = await bars.evaluateAll((all) =>
    all.map((one) =>
      [one.getAttribute('x'), one.getAttribute('width')].map((text) =>
        Number.parseFloat(text ?? ''),
      ),
    ),
  )
  return places.map(([x = 0, width = 0]) =>
    [x, x + width].map((at) => Math.round(hour(at) * 10) / 10),
  )
}

it('draws each day by the hours of its clock: a night, and days of 25 and of 23 hours', async () => {
  const page = await open({ path: 'relojes' })
  const days = [
    ['2026-10-30', ['30T08:00 30T13:00', '30T14:00 30T17:30'], 30_600],
    ['2026-10-31', ['31T22:00 01T06:00'], 9 * 3600],
    ['2026-11-01', ['01T01:40 01T01:10', '? 01T17:00'], 30 * 60],
    ['2026-11-02', ['02T12:00 03T12:00'], 24 * 3600],
    ['2026-11-03', ['03T22:00 04T06:00'], 7 * 3600],
  ] as const
  const endOf = (text = '') =>
    text === '?' ? null : `2026-${Number(text.slice(0, 2)) > 9 ? 10 : 11}-${text}:00`
  const toSpan = (text: string) => {
    const [from, to] = text.split(' ').map(endOf)
    return { from, to, from_log_id: null, to_log_id: null, pending: false, shift_day: null }
  }
  await page.route('**/hours?*', (route) => {
    const person = { employee_id: 'E-1', full_name: 'Ana', branch_office: 'Norte', exceptions: [] }
    const isTotal = route.request().url().includes('by=employee')
    const rows = days.map(([day, spans, worked_seconds]) => ({
      ...person,
      ...{ day, detail: '', worked_seconds, notices: [], paid_seconds: null, reviewed: null },
      ...{ request_comments: [], pending_seconds: 0, log_ids: [], extra_log_ids: [] },
      spans: spans.map(toSpan),
    }))
    const body = isTotal ? [{ ...person, pending_seconds: 0 }] : rows
    return route.fulfill({ body: body.map((row) => JSON.stringify(row)).join('\n') })
  })
  await go(page, 'horas?employee_id=E-1&from=2026-10-30&to=2026-11-03')
  await page.locator('.calendar rect').first().waitFor()
  const hours = ['0', '4', '8', '12', '16', '20', '0', '4', '8']
  expect(await page.locator('.axis text').allTextContents()).toEqual(hours)
  expect(await hoursOfBars(page, 'vie 30')).toEqual([
    [8, 13],
    [14, 17.5],
  ])
  expect(await hoursOfBars(page, 'sáb 31')).toEqual([[22, 30]])
  expect(await hoursOfBars(page, 'lun 2')).toEqual([[12, 36]])
  const note = (day: string) =>
    page.locator('.calendar li').filter({ hasText: day }).locator('.what')
  const changed = 'cambio de hora o de zona: 1 h'
  expect(await note('sáb 31').textContent()).toContain(`${changed} más de lo que marca el reloj`)
  expect(await note('dom 1').textContent()).toContain(`${changed} más de lo que marca el reloj`)
  expect(await note('mar 3').textContent()).toContain(`${changed} menos de lo que marca el reloj`)
  for (const day of ['vie 30', 'lun 2'])
    expect(await note(day).textContent()).not.toContain('cambio')
  for (const [from = 0, to = 0] of await hoursOfBars(page, 'dom 1'))
    expect(to).toBeGreaterThan(from)
})
