// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import {
  type ApiClient,
  aWorkDay,
  dateDaysAgo,
  daysAgo,
  emptyDayText,
  OTHER_ADMIN,
  recordDays,
} from '../support/console-api.ts'
import {
  answerWith,
  choose,
  follow,
  go,
  holdRequests,
  linesAnswer,
  loseRequests,
  partAt,
  partOf,
  partsAt,
  press,
  refusal,
  sentRequests,
  shownAddress,
  textsAt,
  usePages,
  waitForMessage,
  waitForNone,
  waitForRest,
} from '../support/dom-page.ts'

const { open, api } = usePages()

/** The first and the last day of a period before the demo data, as numbers of days ago. */
const FIRST_DAYS_AGO = 44
const LAST_DAYS_AGO = 38

const hoursOf = (employee_id: string, from = FIRST_DAYS_AGO, to = LAST_DAYS_AGO) =>
  `horas?employee_id=${employee_id}&from=${dateDaysAgo(from)}&to=${dateDaysAgo(to)}`

const period = (from: number, to: number) => `from=${dateDaysAgo(from)}&to=${dateDaysAgo(to)}`

const DAYS = '.calendar li:not(.week)'

const statusOf = async (client: ApiClient, ids: number[]) =>
  (await Promise.all(ids.map((id) => client.read(id)))).map(({ status }) => status)

it('shows days as bars, a missing exit as an open bar, in the terms of payroll', async () => {
  const ana = await api()
  await recordDays(ana, 'E-001', [44, 43], [43])
  const page = await open(hoursOf('E-001'))
  await page.findByText('Falta la salida.')

  const rows = textsAt(DAYS)
  expect(rows).toHaveLength(7)
  expect(rows[0]).toContain('(08:00–17:00) Checadas sin decidir')
  expect(rows[1]).toContain('08:00–?')
  expect(rows[2]).toContain(emptyDayText(42))
  expect(textsAt(`${DAYS}:nth-child(1) .waits rect`)).toHaveLength(1)
  expect(textsAt(`${DAYS}:nth-child(2) .open`)).toEqual(['?'])
  expect(textsAt('tbody td')).toEqual(['0', '–9 h por aprobar', '1'])

  await follow(await partAt(DAYS, 'Falta la salida.'), /ver sus checadas/)
  await partAt('.log')
  expect(textsAt('.log .when')).toEqual(['Entrada 08:00'])
})

it('approves the days without exception, undoes it, and leaves the other days for review', async () => {
  const ana = await api()
  const ids = await recordDays(ana, 'E-002', [44, 43, 42], [42])
  await ana.addByHand('E-002', 'salida', daysAgo(42, '23:00'))
  const page = await open(hoursOf('E-002'))
  await press(page, 'Aprobar los 2 días sin excepción')
  const dialog = await partOf(page, 'dialog', 'Aprobar 4 checadas')
  await dialog.findByText('2 días sin excepción, que suman 18 h.')
  await press(dialog, 'Aprobar 4 checadas')
  await waitForMessage('Aprobadas: 4 checadas.')
  await expect.poll(() => textsAt(`${DAYS} .worked`)[0]).toBe('9 h9.00 h')
  // The third day has a log that was added by hand, so somebody must review it.
  const approved = ['approved', 'approved', 'approved', 'approved', 'pending']
  expect(await statusOf(ana, ids)).toEqual(approved)
  expect(page.queryAllByRole('button', { name: /sin excepción/ })).toEqual([])

  await press(page, 'Deshacer')
  await page.findByRole('button', { name: 'Aprobar los 2 días sin excepción' })
  expect(new Set(await statusOf(ana, ids))).toEqual(new Set(['pending']))
})

it('approves only the days of the chosen group', async () => {
  const ana = await api()
  const weekly = await recordDays(ana, 'E-011', [38])
  const others = await recordDays(ana, 'E-006', [38])
  const page = await open(`horas?payroll_group=semanal&${period(38, 38)}`)
  await press(page, 'Aprobar el día sin excepción')
  await press(page, 'Aprobar 2 checadas')
  await waitForMessage('Aprobadas: 2 checadas.')
  expect(new Set(await statusOf(ana, weekly))).toEqual(new Set(['approved']))
  expect(new Set(await statusOf(ana, others))).toEqual(new Set(['pending']))
  // The menu leads to the closing of the same group and last day.
  await partAt('.result .menu')
  const link = (await partAt('.result .menu a', /^Cerrar hasta el /)).element
  expect(link.getAttribute('href')).toBe(
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
  const page = await open(hoursOf('E-004'))
  await press(page, 'Aprobar los 2 días sin excepción')
  const dialog = await partOf(page, 'dialog')
  await dialog.findByRole('button', { name: 'Aprobar 4 checadas' })
  await maria.change([exit], 'rejected', 'Checada repetida.')
  await press(dialog, 'Aprobar 4 checadas')
  await dialog.findByText(/María José Hernández Núñez decidió antes/)
  expect(await statusOf(ana, [entrada, salida, other, exit])).toEqual([
    'approved',
    'approved',
    'approved',
    'rejected',
  ])
  await press(dialog, 'Cerrar')
  await partAt(DAYS, '22:00–06:00+1')
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
  const page = await open('checadas?status=pending&branch_office=Nada')
  await page.findByRole('heading', { name: 'Nada coincide con estos filtros' })
  go(hoursOf('E-010', monday, monday - 5))
  await partAt('.calendar .week', /límite de \d\d h; con checadas sin decidir/)
  await press(page, 'Aprobar los 6 días sin excepción')
  const dialog = await partOf(page, 'dialog', 'Aprobar 12 checadas')
  await dialog.findByText('Entre ellas, 2 checadas de días que pasan el límite de su semana.')
  await press(dialog, 'Aprobar 12 checadas')
  const over = /· \d+ h sobre el límite de \d\d h Semana sobre el límite/
  await partAt('.calendar .week', over)
  const last = await partAt(`${DAYS}[data-day="E-010${dateDaysAgo(monday - 5)}"]`)
  await last.findByText('Su semana pasa el límite de la ley.')
  await last.findByRole('button', { name: 'Revisada' })
})

it('lists the days to review in all branches, by exception, branch and group', async () => {
  const ana = await api()
  await recordDays(ana, 'E-012', [44, 43], [43])
  await recordDays(ana, 'E-011', [44], [44])
  await recordDays(ana, 'E-013', [44], [44])
  const page = await open(`horas?${period(44, 43)}`)
  await (await partAt(DAYS, 'Óscar Treviño Gámez')).findByText('Falta la salida.')
  await partAt(DAYS, "Fernanda O'Farrill Campos")
  const branches = () => partOf(page, 'navigation', 'Sucursales')
  const before = textsAt(DAYS).length
  await follow(await branches(), /^Norte/)
  await waitForNone(DAYS, "Fernanda O'Farrill Campos")
  const ofNorte = textsAt(DAYS).length
  // After a reload the counts still cover every branch, although the filter has one branch.
  await open(shownAddress())
  await partAt(DAYS)
  expect(textsAt('nav[aria-label=Sucursales] a')).toEqual(
    expect.arrayContaining([`Todas ${before}`, `Norte ${ofNorte}`]),
  )
  await follow(await branches(), /^Todas/)
  // An earlier choice would be added to a filter that still has the branch Norte.
  await partAt('nav[aria-label=Sucursales] a[aria-current]', 'Todas')
  await choose(page, 'Grupo de nómina', 'semanal')
  await partAt(DAYS, "Fernanda O'Farrill Campos")
  await waitForNone(DAYS, 'Óscar Treviño Gámez')
  await choose(page, 'Grupo de nómina', '')
  await partAt(DAYS, 'Óscar Treviño Gámez')
  await choose(page, 'Departamento', 'Ventas')
  await partAt(DAYS, 'Renata Cárdenas Solís')
  await waitForNone(DAYS, 'Óscar Treviño Gámez')
  go(`horas?${period(44, 43)}&exception=sin_entrada`)
  await waitForNone(DAYS, "Fernanda O'Farrill Campos")
  await page.findByText(/Ninguno tiene «Omisión de entrada»\./)
  await follow(page, 'Ver los demás')
  // The totals of everybody are below the list.
  await partAt('tbody', 'Sin checadas en el periodo')
  await follow(await partAt('tbody th', 'Óscar Treviño Gámez'), 'Óscar Treviño Gámez')
  await page.findByRole('heading', { name: 'Óscar Treviño Gámez' })
  expect(shownAddress()).toContain('employee_id=E-012')
})

it('begins with the running fortnight, goes back by fortnights, and shows 31 days at most', async () => {
  // The groups of the demo have different calendars, so the period is that of a chosen group.
  const page = await open('horas?payroll_group=-')
  const shown = () => textsAt('h1 .count')[0]
  await expect.poll(shown).toMatch(/^(1 al 15|16 al \d\d) de /)
  const before = shown()
  await press(page, 'Periodo anterior')
  await expect.poll(shown).not.toBe(before)
  await press(page, 'Periodo siguiente')
  await expect.poll(shown).toBe(before)
  go('horas?from=2026-01-01&to=2026-03-31')
  await expect.poll(shown).toBe('1 al 31 de enero de 2026')
})

it('shows the period before as such, with nothing to press, while another one is read', async () => {
  const ana = await api()
  await ana.record('E-004', [{ kind: 'entrada', at: daysAgo(44, '14:00') }])
  await open(`horas?${period(44, 43)}`)
  await partAt(DAYS)
  const shown = textsAt(DAYS).length
  const stale = () => textsAt('main [inert]').length
  expect(stale()).toBe(0)
  const release = holdRequests(/hours\?/)
  go(`horas?${period(16, 15)}`)
  await expect.poll(stale).toBe(1)
  expect(textsAt(DAYS)).toHaveLength(shown)
  release()
  await expect.poll(stale).toBe(0)
})

it('shows an error if hours cannot be read, and reads them again', async () => {
  const page = await open('relojes')
  const restore = loseRequests(/hours\?/)
  go(hoursOf('E-006'))
  await page.findByRole('heading', { name: 'No se pudieron calcular las horas' })
  restore()
  await press(page, 'Reintentar')
  await partAt(DAYS)
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
  const page = await open(`checadas?employee_id=E-008&${period(44, 38)}`)
  const rowOf = (log_id: number) => `[data-log="${log_id}"]`
  await partAt(rowOf(alone), 'Omisión de salida')
  await partAt(rowOf(long), 'Jornada mayor de 12 h')
  await partAt(rowOf(twice), 'Checada repetida')
  expect(textsAt(`${rowOf(clean)} .notes`)).toEqual([])

  // All logs arrived weeks late in one batch, so no log is highlighted as late.
  expect(textsAt(`${rowOf(clean)} .received`).join()).toContain('días después')
  expect(textsAt(`${rowOf(clean)} .late`)).toEqual([])
  await press(page, 'Seleccionar 8 checadas de la lista', 'checkbox')
  await press(page, 'Aprobar 8 checadas')
  await partAt(
    'dialog',
    'Entre ellas, 3 checadas de días con excepción y 3 checadas de días con checadas repetidas.',
  )
  await press(await partOf(page, 'dialog'), 'Cancelar')

  // Without the days, that is not known: neither in the list nor in the dialog.
  const unknown = 'No se pudo leer cuáles son de días con excepción. El servicio no respondió.'
  loseRequests(/hours\?/)
  await press(page, 'Actualizar')
  await partAt('main > div', unknown)
  await press(page, 'Seleccionar 8 checadas de la lista', 'checkbox')
  await press(page, 'Aprobar 8 checadas')
  await partAt('dialog', unknown)
})

it("adds up a person's whole weeks, Monday to Sunday, even if the period cuts them", async () => {
  const ana = await api()
  // `other` is a different day of the same week. The period does not include it.
  const other = new Date(daysAgo(42, '12:00')).getUTCDay() === 1 ? 41 : 43
  const logs = [42, other].flatMap((day) => aWorkDay(day, '14:00', '23:30'))
  await ana.change(await ana.record('E-013', logs), 'approved')
  await open(hoursOf('E-013', 42, 42))
  await partAt('.calendar li', 'Incluye días de otro periodo')
  expect(textsAt('.calendar li .worked')).toEqual(['9 h 30 min9.50 h', '19 h19.00 h'])
  // The row asks to look at a day before her first one.
  const exceptions = dateDaysAgo(42) < '2026-11-09' ? '1' : '–'
  expect(textsAt('tbody td')).toEqual(['1', '9 h 30 min9.50 h', exceptions])
})

it('says that evidence is downloaded once per minute', async () => {
  const page = await open('checadas/1')
  const link = await page.findByRole('link', { name: /^Verificar/ })
  expect(link.getAttribute('href')).toBe('/verificar')
  answerWith(/audit\/evidence/, () => refusal(429, 'TOO_MANY_REQUESTS', 'Demasiados intentos.'))
  await press(page, 'Descargar evidencia')
  await waitForMessage('Se descarga una evidencia por minuto')
})

it('reads the hours of 400 people with four requests, and of one person with four more', async () => {
  const page = await open('relojes')
  await partAt('main li')
  const people = Array.from({ length: 400 }, (_, i) => ({
    ...{ employee_id: `T-${i}`, full_name: `Persona ${i}`, branch_office: 'Norte', rfc: '' },
    ...{ exceptions: ['sin_salida'], notices: [], detail: '08:00–?', worked_seconds: null },
    ...{ paid_seconds: null, closing_id: null, reviewed: null, unsynced_from: null },
    ...{ pending_seconds: 0, request_comments: [], extra_log_ids: [], spans: [] },
  }))
  answerWith(/hours\?/, async (_, { url }) => {
    const { searchParams } = new URL(url)
    const [id, by] = [searchParams.get('employee_id'), searchParams.get('by')]
    const rows = people
      .filter(({ employee_id }) => (id ?? employee_id) === employee_id)
      .flatMap((one) => (by ? [one] : [2, 3].map((day) => ({ ...one, day: `2026-11-0${day}` }))))
    return linesAnswer(rows)
  })
  const names = async () => {
    await waitForRest()
    const urls = sentRequests().map(({ url }) => url.replace(/^.*\/|\?.*$/g, ''))
    return urls.slice(before).sort()
  }
  await waitForRest()
  let before = sentRequests().length
  go('horas?from=2026-11-01&to=2026-11-15')
  await page.findByRole('heading', { name: '800 días por aclarar' })
  await page.findByRole('heading', { name: '400 personas' })
  expect(await names()).toEqual(['hours', 'hours', 'payroll_groups', 'summary'])
  before = sentRequests().length
  await follow(await partAt('tbody th', 'Persona 7'), 'Persona 7')
  await page.findByRole('heading', { name: /Persona 7/ })
  // The requests read the days, the total, the weeks, and the name that is beside the field.
  expect(await names()).toEqual(['employees', 'hours', 'hours', 'hours'])
})

/** Reads the start and end of each bar of a day, as hours on the axis. */
const hoursOfBars = (day: string) => {
  const numberOf = (text: string | null) => Number.parseFloat(text ?? '')
  const [[first = 0, start = 0] = [], [second = 0, next = 0] = []] = partsAt('.axis text').map(
    (one) => [Number(one.textContent), numberOf(one.getAttribute('x'))],
  )
  const hour = (x: number) => first + ((x - start) / (next - start)) * (second - first)
  return partsAt(`.calendar li:nth-child(${rowOfDay(day)}) rect`).map((bar) => {
    const [x, width] = [numberOf(bar.getAttribute('x')), numberOf(bar.getAttribute('width'))]
    return [x, x + width].map((at) => Math.round(hour(at) * 10) / 10)
  })
}

const rowOfDay = (day: string) =>
  textsAt('.calendar li').findIndex((text) => text.includes(day)) + 1

it('draws each day by the hours of its clock: a night, and days of 25 and of 23 hours', async () => {
  await open('relojes')
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
  answerWith(/hours\?/, async (_, { url }) => {
    const person = { employee_id: 'E-1', full_name: 'Ana', branch_office: 'Norte', exceptions: [] }
    const rows = days.map(([day, spans, worked_seconds]) => ({
      ...person,
      ...{ day, detail: '', worked_seconds, notices: [], paid_seconds: null, reviewed: null },
      ...{ request_comments: [], pending_seconds: 0, log_ids: [], extra_log_ids: [] },
      spans: spans.map(toSpan),
    }))
    return linesAnswer(url.includes('by=employee') ? [{ ...person, pending_seconds: 0 }] : rows)
  })
  go('horas?employee_id=E-1&from=2026-10-30&to=2026-11-03')
  await partAt('.calendar rect')
  expect(textsAt('.axis text')).toEqual(['0', '4', '8', '12', '16', '20', '0', '4', '8'])
  expect(hoursOfBars('vie 30')).toEqual([
    [8, 13],
    [14, 17.5],
  ])
  expect(hoursOfBars('sáb 31')).toEqual([[22, 30]])
  expect(hoursOfBars('lun 2')).toEqual([[12, 36]])
  const note = (day: string) => textsAt(`.calendar li:nth-child(${rowOfDay(day)}) .what`)[0]
  const changed = 'cambio de hora o de zona: 1 h'
  expect(note('sáb 31')).toContain(`${changed} más de lo que marca el reloj`)
  expect(note('dom 1')).toContain(`${changed} más de lo que marca el reloj`)
  expect(note('mar 3')).toContain(`${changed} menos de lo que marca el reloj`)
  for (const day of ['vie 30', 'lun 2']) expect(note(day)).not.toContain('cambio')
  for (const [from = 0, to = 0] of hoursOfBars('dom 1')) expect(to).toBeGreaterThan(from)
})
