// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest'
import { type ApiClient, dateDaysAgo, daysAgo, OTHER_ADMIN } from '../support/console-api.ts'
import {
  answerWith,
  fill,
  go,
  partAt,
  partOf,
  press,
  pressKey,
  refusal,
  textsAt,
  usePages,
  waitForMessage,
  waitForNone,
} from '../support/dom-page.ts'

// An installation in a different zone, with optional rules for decisions and a role for payroll. Its
// employees have no app. The demo would give them one.
const { open, api } = usePages([
  ...['--var', 'EMPLOYEE_CLOCK_IN:off', '--var', 'EMPLOYEE_REQUESTS:off'],
  ...['--var', 'PAYROLL_ROLES:auditor', '--var', 'REQUIRE_COMMENT:approved'],
  ...['--var', 'FORBID_SELF_APPROVAL:true'],
])

const PAYROLL = 'auditoria@despacho.mx'

beforeAll(async () => {
  await (await api(PAYROLL)).setZone(null, 'America/Tijuana', dateDaysAgo(3))
})

const rowOf = (log: number) => partAt(`[data-log="${log}"]`)

it('shows times in the zone of the company', async () => {
  const ana = await api()
  const [log = 0] = await ana.record('E-002', [{ kind: 'salida', at: daysAgo(2, '07:30') }])
  await open(`checadas/${log}`)
  const time = new Date(daysAgo(2, '07:30')).toLocaleTimeString('es-MX', {
    timeZone: 'America/Tijuana',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  await partAt('.lead', `Salida a las ${time}`)
})

it('asks for the comment that the installation requires', async () => {
  const ana = await api()
  // The log is from a clock, because Ana may not decide a log that she has added.
  const [log = 0] = await ana.pendingOf('E-004')
  const page = await open(`checadas/${log}`)
  await press(page, /^Aprobar/)
  const dialog = await partOf(page, 'dialog', 'Aprobar 1 checada')
  await press(dialog, 'Aprobar 1 checada')
  await dialog.findByText('Escribe el motivo.')
  // Employees have no app here, so no note names a reader of the comment.
  expect(dialog.queryAllByText(/le[ye]/)).toEqual([])
  expect((await ana.read(log)).status).toBe('pending')
  await fill(dialog, 'Motivo', 'Visto con su jefe.')
  await press(dialog, 'Aprobar 1 checada')
  await waitForNone('dialog')
  expect((await ana.read(log)).status).toBe('approved')
})

it('lets no user decide their own log, alone or among others', async () => {
  const [ana, maria] = [await api(), await api(OTHER_ADMIN)]
  const [own = 0] = await ana.record('E-001', [{ kind: 'entrada', at: daysAgo(9, '15:00') }])
  await maria.record('E-010', [{ kind: 'entrada', at: daysAgo(9, '15:01') }])
  const day = dateDaysAgo(9)
  const page = await open(`checadas?from=${day}&to=${day}&status=pending`)
  const row = await rowOf(own)
  await row.findByText('La decide otra persona')
  expect(row.queryAllByRole('button')).toEqual([])
  ;(await row.findByRole('link')).focus()
  await pressKey('a')
  await waitForMessage('Esta checada la decide otra persona')
  await press(page, /^Seleccionar \d+ checadas? de la lista$/, 'checkbox')
  expect((await row.findByRole('checkbox')).checked).toBe(false)
})

it('does not let users decide a log they added: in the list, on its page, among others', async () => {
  const [ana, maria] = [await api(), await api(OTHER_ADMIN)]
  const add = (client: ApiClient, minute: number) =>
    client.addByHand('E-009', 'entrada', daysAgo(12, `15:${String(minute).padStart(2, '0')}`))
  const own = (await add(ana, 0)).log_id ?? 0
  // There are more logs than one page of the list shows.
  for (let minute = 1; minute <= 52; minute++) await add(maria, minute)
  const day = dateDaysAgo(12)
  const query = `employee_id=E-009&from=${day}&to=${day}&status=pending&kind=entrada`
  const page = await open(`checadas/${own}`)
  await page.findByText('Esta checada la decide otra persona: es tuya o tú la agregaste.')
  expect(page.queryAllByRole('button', { name: /^(Aprobar|Rechazar)/ })).toEqual([])

  go(`checadas?${query}`)
  const row = await partAt(`main [data-log="${own}"]`)
  await row.findByText('La decide otra persona')
  expect(row.queryAllByRole('button')).toEqual([])
  expect((await row.findByRole('checkbox')).disabled).toBe(true)
  // Looking for a button among those of 50 rows would take seconds.
  await press(await partAt('.selector'), 'Seleccionar 49 checadas de la lista', 'checkbox')
  await press(await partAt('.selector'), 'Seleccionar las 53 que coinciden')
  await waitForMessage('Se seleccionaron 52 de 53 checadas: las demás las decide otra persona.')
  await press(await partAt('.selection'), 'Aprobar 52 checadas')
  const dialog = await partAt('dialog[aria-label="Aprobar 52 checadas"]')
  await fill(dialog, 'Motivo', 'Visto con su jefe.')
  await press(dialog, 'Aprobar 52 checadas')
  await waitForMessage('Aprobadas: 52 checadas.')
  expect((await ana.read(own)).status).toBe('pending')

  // On the hours page, the only pending log is the user's own. The page explains that.
  go(`horas?employee_id=E-009&from=${day}&to=${day}`)
  await press(await partAt('[data-day]'), 'Aprobar lo pendiente')
  await waitForMessage('Ya no queda nada pendiente de ese día que puedas decidir.')
})

it('lets payroll read everything and decide nothing', async () => {
  const page = await open('checadas', PAYROLL)
  await partAt('main [data-log]')
  const main = await partOf(page, 'main')
  expect(main.queryAllByRole('button', { name: /^(Aprobar|Rechazar|Reabrir)/ })).toEqual([])
  await pressKey('j')
  await pressKey('a')
  await waitForMessage('Tu usuario consulta, pero no decide checadas.')
  expect(page.queryAllByRole('link', { name: 'Agregar checada' })).toHaveLength(1)
})

it('shows skeletons while the network is slow, then an error, and tries again', async () => {
  const page = await open('relojes')
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const stop = answerWith(/\/incidents\/logs\?/, async () => {
    await promise
    const refused = await refusal(500, 'INTERNAL_ERROR', 'Ocurrió un error interno.')
    refused.headers.set('X-Request-Id', 'a1b2c3')
    return refused
  })
  await press(await partOf(page, 'navigation', 'Secciones'), 'Checadas', 'link')
  // The clocks' own page may still show its skeleton. The list's is inside the busy element.
  await partAt('main [aria-busy="true"] .skeleton')
  expect(textsAt('main [role="progressbar"]')).toEqual([])
  release()
  await page.findByRole('heading', { name: 'No se pudo cargar la lista' })
  await page.findByText(/^Ocurrió un error interno\. \(a1b2c3\)/)
  stop()
  await press(page, 'Reintentar')
  await partAt('main [data-log]')
  expect(textsAt('.skeleton')).toEqual([])
})
