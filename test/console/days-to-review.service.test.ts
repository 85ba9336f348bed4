// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { importConsole } from '../support/browser-globals.ts'
import { type ApiClient, dateDaysAgo, daysAgo, recordDays } from '../support/console-api.ts'
import {
  answerWith,
  fill,
  focused,
  focusedName,
  follow,
  go,
  holdRequests,
  partAt,
  partOf,
  press,
  refusal,
  sentRequests,
  setOnline,
  textsAt,
  unfold,
  usePages,
  waitForMessage,
  waitForNone,
  waitForRest,
} from '../support/dom-page.ts'

/** What somebody does about a day, in its row of Horas. */

const { open, api } = usePages()

const period = (from: number, to: number) => `from=${dateDaysAgo(from)}&to=${dateDaysAgo(to)}`

const hoursOf = (employee_id: string, from: number, to: number) =>
  `horas?employee_id=${employee_id}&${period(from, to)}`

const DAYS = '.calendar li:not(.week)'

const rowOf = (employee_id: string, days: number) =>
  `[data-day="${employee_id}${dateDaysAgo(days)}"]`

/** Records punches of a clock that gives no kind. */
const recordPunches = (client: ApiClient, employee_id: string, moments: [number, string][]) =>
  client.record(
    employee_id,
    moments.map(([days, time]) => ({ kind: 'checada' as const, at: daysAgo(days, time) })),
  )

/** The punches of three days. The second day lacks its entrada, so it seems inverted. */
const TURNED: [number, string][] = [
  [44, '14:00'],
  [44, '23:00'],
  [43, '23:00'],
  [42, '14:00'],
  [42, '23:00'],
  [41, '14:00'],
]

it('offers the missing punch of an inverted day, and pays it only if its hours are confirmed', async () => {
  const client = await api()
  await client.change(await recordPunches(client, 'E-009', TURNED), 'approved')
  const page = await open(`horas?${period(44, 40)}&employee_id=E-009`)
  await partAt(rowOf('E-009', 43), 'Las entradas y salidas parecen invertidas')
  const row = await partAt(rowOf('E-009', 43))
  await row.findByRole('button', { name: 'Agregar la checada que falta' })
  await unfold(row, 'Más')
  await press(row, 'Está bien así…')
  await partAt('dialog figcaption', /^Como está: 1\d:00–0\d:00\+1/)
  await partAt('dialog figcaption', /^Si falta una entrada: \?–1\d:00/)
  const dialog = await partOf(page, 'dialog')
  await press(dialog, 'Marcar como revisada')
  await dialog.findByText(/^Confirma las horas que se pagan/)
  await press(dialog, 'Se pagan 15:00 h así', 'checkbox')
  await press(dialog, 'Marcar como revisada')
  await partAt(rowOf('E-009', 43), /revisada por/)
})

it('shows both readings of an inverted day with pending logs', async () => {
  await recordPunches(await api(), 'E-012', TURNED)
  await open(`horas?${period(44, 40)}&employee_id=E-012`)
  const row = await partAt(rowOf('E-012', 43))
  await unfold(row, 'Más')
  await press(row, 'Aprobar y marcar como revisada…')
  await partAt('dialog figcaption', 'Como está: (17:00–08:00+1)')
  await partAt('dialog figcaption', /^Si falta una entrada: \?–17:00$/)
})

it('marks days as reviewed at once with one comment, but no inverted days', async () => {
  const client = await api()
  for (const employee_id of ['E-007', 'E-013']) await recordPunches(client, employee_id, TURNED)
  const path = `horas?${period(43, 43)}&exception=pendientes`
  let page = await open(path)
  const inverted = () => textsAt(DAYS).filter((text) => text.includes('parecen invertidas'))
  await expect.poll(() => inverted().length).toBeGreaterThan(1)
  expect(page.queryAllByRole('button', { name: /^Marcar/ })).toEqual([])
  for (const [people, act, reviewed, done] of [
    [['E-002'], 'Marcar 1 día', 'como revisado', '1 día revisado. Vuelve a la lista'],
    [['E-010', 'E-011'], 'Marcar 2 días', 'como revisados', '2 días revisados. Cada uno vuelve'],
  ] as const) {
    for (const employee_id of people) {
      await client.record(employee_id, [{ kind: 'entrada', at: daysAgo(43, '14:00') }])
    }
    page = await open(path)
    await press(page, `${act} ${reviewed}…`)
    const dialog = await partOf(page, 'dialog', `${act} ${reviewed}`)
    await fill(dialog, 'Motivo', 'Salió por la otra puerta.')
    await press(dialog, act)
    await waitForMessage(done)
  }
})

it('keeps the place of a day whose pending logs were approved', async () => {
  const client = await api()
  for (const days of [44, 43, 42]) {
    await client.record('E-008', [
      { kind: 'entrada', at: daysAgo(days, '14:00') },
      { kind: 'entrada', at: daysAgo(days, '16:00') },
    ])
  }
  const page = await open(`horas?${period(45, 39)}`)
  const row = await partAt(rowOf('E-008', 43))
  // Days that are read again give the focus to the row too.
  await waitForRest()
  await unfold(row, 'Más')
  await press(row, 'Aprobar lo pendiente')
  await press(await partOf(page, 'dialog'), /^Aprobar 2/)
  await waitForMessage('Aprobadas: 2 checadas.')
  await expect.poll(() => focused('data-day')).toBe(`E-008${dateDaysAgo(43)}`)
})

it('shows what the person wrote, and acts on what the user has just decided', async () => {
  const worker = await api('sofia.castaneda@demo.mx')
  await worker.ask('salida', daysAgo(29, '23:00'), 'El reloj no leyó mi huella.')
  const page = await open(`horas?${period(29, 29)}`)
  const row = await partAt(rowOf('E-007', 29), '«El reloj no leyó mi huella.»')
  await unfold(row, 'Más')
  await row.findByRole('button', { name: 'Rechazar la salida de las 17:00' })
  await press(row, 'Aprobar lo pendiente')
  const dialog = await partOf(page, 'dialog')
  await partAt('dialog', '«El reloj no leyó mi huella.»')
  await press(dialog, 'Aprobar 1 checada')
  await waitForMessage('Aprobada: Sofía Castañeda')

  // The row has read again what it acts on.
  await waitForRest()
  await press(row, 'Rechazar la salida de las 17:00')
  const again = await partOf(page, 'dialog')
  await fill(again, 'Motivo', 'Ese día no vino.')
  await press(again, 'Rechazar 1 checada')
  await waitForMessage('Rechazada: Sofía Castañeda')
})

it('offers to reject the second of two entradas within the hour, and no other', async () => {
  const ana = await api()
  for (const [employee_id, second] of [
    ['E-010', '14:25'],
    ['E-011', '17:00'],
  ] as const) {
    const [entrada, again] = ['14:00', second].map((time) => daysAgo(28, time))
    const logs = [
      { kind: 'entrada' as const, at: entrada ?? '' },
      { kind: 'entrada' as const, at: again ?? '' },
      { kind: 'salida' as const, at: daysAgo(28, '22:00') },
    ]
    await ana.change(await ana.record(employee_id, logs), 'approved')
  }
  const page = await open(`horas?${period(28, 28)}`)
  const twice = 'una sobra, o falta la salida de la primera'
  await press(await partAt(rowOf('E-010', 28), twice), 'Rechazar la entrada de las 08:25')
  const dialog = await partOf(page, 'dialog')
  await fill(dialog, 'Motivo', 'La marcó dos veces.')
  await press(dialog, /^Rechazar/)
  // The day is whole, so it leaves the list. Its person's page has it.
  await waitForNone(rowOf('E-010', 28))
  go(`horas?employee_id=E-010&${period(28, 28)}`)
  const whole = await partAt(rowOf('E-010', 28), '08:00–16:00')
  await unfold(whole, 'Más')
  await press(whole, /^Aprobar la entrada de las 08:25/)
  await partAt(rowOf('E-010', 28), twice)

  go(`horas?${period(28, 28)}`)
  const apart = await partAt(rowOf('E-011', 28))
  await apart.findByRole('button', { name: 'Agregar la salida que falta' })
  expect(apart.queryAllByRole('button', { name: /^Rechazar/ })).toEqual([])
  // Behind «Más», any approved log of the day can be rejected.
  await unfold(apart, 'Más')
  await apart.findByRole('button', { name: 'Rechazar la entrada de las 08:00' })
})

it('adds a missing exit in its row, approves the day in the same act, and undoes it', async () => {
  const ana = await api()
  const [entrada = 0] = await recordDays(ana, 'E-005', [40], [40])
  const page = await open(`horas?${period(40, 40)}`)
  const row = await partAt(DAYS, 'Guadalupe Ibarra Cruz')
  await press(row, 'Agregar la salida que falta')
  await expect.poll(focusedName).toBe('time')
  await press(row, 'Agregar y aprobar')
  await row.findByText('Pon la hora.')
  await row.findByText('Escribe por qué falta.')
  await fill(row, 'Hora de la salida', '17:00')
  await fill(row, 'Motivo', 'Olvidó checar; lo confirma su jefa.')
  await press(row, 'Agregar y aprobar')
  await waitForMessage('Se agregó y se aprobó: Guadalupe Ibarra Cruz')
  await waitForNone(DAYS, 'Guadalupe Ibarra Cruz')
  expect((await ana.read(entrada)).status).toBe('approved')
  expect(
    (await ana.logsOf('E-005', dateDaysAgo(40))).map(({ kind, status }) => [kind, status]),
  ).toEqual([
    ['entrada', 'approved'],
    ['salida', 'approved'],
  ])

  await press(page, 'Deshacer')
  await (await partAt(DAYS, 'Guadalupe Ibarra Cruz')).findByText('Tiene checadas por decidir.')
  expect((await ana.read(entrada)).status).toBe('pending')
})

it('adds a log once although the first response is lost, and says what it could not approve', async () => {
  const ana = await api()
  await recordDays(ana, 'E-003', [42], [42])
  await open(`horas?${period(42, 42)}`)
  const row = await partAt(`[data-day="E-003${dateDaysAgo(42)}"]`)
  let attempts = 0
  answerWith(/manual_logs$/, async (send) => {
    attempts++
    const response = await send()
    if (attempts === 1) throw new TypeError('The connection was reset.')
    return response
  })
  answerWith(/change_logs_status$/, () => refusal(403, 'FORBIDDEN', 'Otra persona decidió antes.'))
  await press(row, 'Agregar la salida que falta')
  await fill(row, 'Hora de la salida', '17:00')
  await fill(row, 'Motivo', 'Olvidó checar.')
  await press(row, 'Agregar y aprobar')
  await waitForMessage('Falta aprobarla: Otra persona decidió antes.')
  expect(attempts).toBe(2)
  expect(await ana.logsOf('E-003', dateDaysAgo(42))).toHaveLength(2)
  await row.findByRole('button', { name: 'Aprobar lo pendiente' })
})

it('puts the missing exit of a night shift on the next day, and explains that', async () => {
  const ana = await api()
  await ana.record('E-004', [{ kind: 'entrada', at: `${dateDaysAgo(40)}T03:54:00.000Z` }])
  const night = dateDaysAgo(41)
  const page = await open(`horas?from=${night}&to=${night}`)
  const row = await partAt(DAYS, '21:54–?')
  // People with the same name are shown with their number in the list, the totals and the dialog.
  expect(row.element.textContent).toContain('E-004 · ')
  await partAt('tbody th', 'E-004')
  await unfold(row, 'Más')
  await press(row, 'Aprobar y marcar como revisada…')
  await (await partOf(page, 'dialog')).findByRole('heading', { name: /\(E-004\)/ })
  await press(page, 'Volver')
  await press(row, 'Agregar la salida que falta')
  const date = new Date(`${dateDaysAgo(40)}T12:00:00Z`).toLocaleDateString('es-MX', {
    ...{ day: 'numeric', month: 'long', timeZone: 'UTC' },
  })
  const isNextDay = `Es la hora del ${date}.`
  await fill(row, /^Hora/, '06:00')
  await partAt('.missing .note', isNextDay)
  await fill(row, /^Hora/, '23:10')
  await waitForNone('.missing .note', isNextDay)
  await fill(row, 'Motivo', 'Olvidó checar al salir.')
  // 20:00 of the next day would be 22 hours after the entrada. Nobody may work so long here.
  await fill(row, /^Hora/, '20:00')
  await press(row, 'Agregar y aprobar')
  await row.findByText(/Con esa hora la jornada pasaría de 16 h\./)
  await fill(row, /^Hora/, '06:00')
  await press(row, 'Agregar y aprobar')
  await waitForMessage(`salida del ${date} a las 06:00`)
  go(`horas?from=${night}&to=${night}&employee_id=E-004`)
  await partAt(DAYS, '21:54–06:00+1')
})

it('links to a wrong entrada of the next morning, and opens the form of the row’s day', async () => {
  const ana = await api()
  const [, wrong = 0] = await ana.record('E-006', [
    { kind: 'entrada', at: daysAgo(40, '13:51') },
    { kind: 'entrada', at: daysAgo(39, '13:56') },
  ])
  const path = `horas?${period(40, 40)}`
  const page = await open(path)
  await follow(await partAt(DAYS, '07:51–?'), /ver sus checadas/)
  await partAt(`[data-log="${wrong}"]`)
  go(path)
  const row = await partAt(DAYS, '07:51–?')
  await unfold(row, 'Más')
  await follow(row, 'Agregar otra checada…')
  await fill(page, 'Hora', '07:56')
  await expect.poll(async () => (await page.findByLabelText('Día')).value).toBe(dateDaysAgo(40))
})

it('offers both kinds if the clock gave none, and puts a night entrada on the day before', async () => {
  const ana = await api()
  await ana.record('E-002', [{ kind: 'checada', at: daysAgo(40, '11:00') }])
  await open(`horas?${period(40, 40)}`)
  const row = await partAt(DAYS, '05:00–?')
  await press(row, 'Agregar la checada que falta')
  await fill(row, /^Hora/, '21:00')
  await fill(row, 'Motivo', 'Olvidó checar.')
  await press(row, 'Agregar y aprobar')
  await row.findByText('Elige cuál falta.')
  await press(row, 'Entrada, antes de las 05:00', 'radio')
  await row.findByText(/^Es la hora del/)
  await press(row, 'Agregar y aprobar')
  await expect.poll(() => sentRequests(/manual_logs$/)).toHaveLength(1)
  expect(sentRequests(/manual_logs$/)[0]?.body).toMatchObject({
    kind: 'entrada',
    local_time: `${dateDaysAgo(41)}T21:00:00`,
  })
})

it('keeps the row of an approval, although the hours are read again before its dialog', async () => {
  const client = await api()
  for (const days of [37, 36, 35]) {
    await client.record('E-008', [
      { kind: 'entrada', at: daysAgo(days, '14:00') },
      { kind: 'entrada', at: daysAgo(days, '16:00') },
    ])
  }
  const page = await open(`horas?${period(37, 35)}`)
  const row = await partAt(rowOf('E-008', 36))
  await waitForRest()
  await unfold(row, 'Más')
  const release = holdRequests(/^GET .*\/logs\?/)
  await press(row, 'Aprobar lo pendiente')
  const { about, changed } = await importConsole('ui/queries')
  await client.record('E-009', [{ kind: 'entrada', at: daysAgo(36, '09:00') }])
  changed(about.hours)
  await partAt(rowOf('E-009', 36))
  release()
  await press(await partOf(page, 'dialog'), /^Aprobar 2/)
  await waitForMessage('Aprobadas: 2 checadas.')
  await expect.poll(() => focused('data-day')).toBe(`E-008${dateDaysAgo(36)}`)
})

it('removes a day from the list with a note, until something changes', async () => {
  const ana = await api()
  const [entrada = 0] = await recordDays(ana, 'E-007', [39], [39])
  const page = await open(`horas?${period(39, 39)}`)
  const row = await partAt(DAYS, 'Sofía Castañeda Luna')
  await unfold(row, 'Más')
  await press(row, 'Aprobar y marcar como revisada…')
  const dialog = await partOf(page, 'dialog')
  await fill(dialog, /^Nota/, 'Salió a una diligencia; sin salida.')
  // While the page is offline, no day is marked as reviewed, and the typed text stays.
  await partAt('dialog', 'Se aprueba 1 checada de ese día')
  setOnline(false)
  await dialog.findByText(/Sin conexión/)
  const mark = await dialog.findByRole('button', { name: 'Aprobar y marcar como revisada' })
  expect(mark.disabled).toBe(true)
  setOnline(true)
  await press(dialog, 'Aprobar y marcar como revisada')
  await waitForMessage('Revisada: Sofía Castañeda Luna')
  await waitForNone(DAYS, 'Sofía Castañeda Luna')
  go(hoursOf('E-007', 39, 39))
  await partAt(DAYS, 'revisada por Ana Torres Rivas: «Salió a una diligencia')

  await ana.change([entrada], 'approved')
  go(`horas?${period(39, 39)}`)
  await (await partAt(DAYS, 'Sofía Castañeda Luna')).findByText('Falta la salida.')
})
