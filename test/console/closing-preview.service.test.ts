// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { figure, preview } from '../support/closing-pages.ts'
import { aWorkDay, dateDaysAgo, daysAgo } from '../support/console-api.ts'
import {
  answerWith,
  choose,
  fill,
  fillDate,
  follow,
  go,
  linesAnswer,
  loseRequests,
  partAt,
  partOf,
  press,
  sentRequests,
  shownAddress,
  textsAt,
  unfold,
  usePages,
} from '../support/dom-page.ts'

/** The form of a closing, and what it would pay. */

const { open, api } = usePages()

/** Changes what the service says that a closing would pay. */
const answerPreview = (changes: object) =>
  answerWith(/closings\/preview\?/, async (send) => {
    const { data, ...rest } = (await (await send()).json()) as { data: object }
    return Response.json({ ...rest, data: { ...data, ...changes } })
  })

it('offers the groups that exist, and shows an error', async () => {
  const page = await open('cierres')
  const whose = () => page.findByLabelText('De quién')
  await expect
    .poll(async () => Array.from((await whose()).options, ({ textContent }) => textContent))
    .toEqual(['Todos', 'Grupo General', 'Grupo semanal', 'Una persona (finiquito)'])
  await choose(page, 'De quién', 'one')
  await press(page, 'Ver cómo quedaría')
  await page.findByText('Elige a la persona de la lista.')
  await choose(page, 'De quién', ':semanal')
  const restore = loseRequests(/closings\/preview\?/)
  await press(page, 'Ver cómo quedaría')
  await page.findByRole('heading', { name: 'No se pudo calcular el cierre' })
  restore()
  await press(page, 'Reintentar')
  await partAt('.figures')
  await press(page, 'Volver')
  await expect.poll(async () => (await whose()).value).toBe(':semanal')
})

/** The name of the period between its buttons. */
const period = () => textsAt('nav[aria-label=Periodos]')[0]

it('begins with the group whose period is over, and offers the next periods by name', async () => {
  const page = await open('cierres')
  const whose = async () => (await page.findByLabelText('De quién')).value
  await expect.poll(whose).toMatch(/^:/)
  await expect.poll(period).toMatch(/^(Quincena|Semana) \d+ · /)
  expect((await page.findByLabelText('Último día')).value < dateDaysAgo(0)).toBe(true)
  await choose(page, 'De quién', ':semanal')
  await expect.poll(period).toMatch(/^Semana \d+ · /)
  const next = period()
  await press(page, 'Periodo anterior')
  await expect.poll(period).not.toBe(next)
  expect(period()).toMatch(/^Semana/)
  await press(page, 'Periodo siguiente')
  await expect.poll(period).toBe(next)
  await choose(page, 'De quién', ':')
  await expect.poll(period).toMatch(/^Quincena \d+ · /)
  await choose(page, 'De quién', '')
  await expect.poll(whose).toBe('')
})

it('closes a period that is not over only after a second act, and lists the hours of people', async () => {
  const client = await api()
  await client.addGroup('guardias', `14 days ${dateDaysAgo(0)}`)
  await client.changeEmployee('E-013', { payroll_group: 'guardias', paid_from: dateDaysAgo(30) })
  await client.change(await client.record('E-013', aWorkDay(2)), 'approved')
  const page = await open(`cierres?before=${dateDaysAgo(-1)}&payroll_group=guardias`)
  await page.findByText('Ver las horas de 1 persona')
  await expect
    .poll(() => textsAt('details tbody tr'))
    .toEqual(['Renata Cárdenas SolísE-01319 h9.00 h–'])
  await press(page, 'Cerrar y pagar 9 h')
  await page.findByText(/^Ese día todavía no termina el periodo de «guardias»/)
  await press(page, 'Cerrar antes de que termine el periodo', 'checkbox')
  await press(page, 'Cerrar y pagar 9 h')
  await page.findByRole('heading', { name: /^Se guardó el cierre \d+: 9 h de 1 persona/ })
})

it('says in a second preview who closed these days, and not that nobody checked in', async () => {
  const client = await api()
  await client.change(await client.record('E-008', aWorkDay(43)), 'approved')
  const before = dateDaysAgo(41)
  await client.closeFrom(dateDaysAgo(44), { before, employee_id: 'E-008' })
  const page = await open('cierres')
  await preview(page, 'Zúñiga', 42)
  const closed =
    /Estos días ya se cerraron: los pagó el cierre \d+, hasta el .*Otro cierre no pagaría nada más\./
  await partAt('.warnings', closed)
  expect(textsAt('.warnings').join()).not.toContain('sin ninguna checada')
  await press(page, /^Cerrar y pagar/)
  await page.findByText(/No hay nada más que pagar\./)
})

it('pays days that count rest only if that is confirmed', async () => {
  const client = await api()
  const punches = [
    ...[daysAgo(44, '14:00'), daysAgo(44, '23:00')],
    // This day lacks its entrada, so it seems inverted.
    daysAgo(43, '23:00'),
    ...[daysAgo(42, '14:00'), daysAgo(42, '23:00'), daysAgo(41, '14:00')],
  ].map((at) => ({ kind: 'checada' as const, at }))
  await client.change(await client.record('E-005', punches), 'approved')
  await client.changeEmployee('E-005', { paid_from: dateDaysAgo(44) })
  const page = await open(`cierres?before=${dateDaysAgo(41)}&employee_id=E-005`)
  await partAt('.warnings', '2 días con entradas y salidas invertidas')
  await press(page, /^Cerrar y pagar 39 h/)
  await page.findByText(/^Agrega antes las checadas que faltan/)
  await press(page, /^Pagar así 30 h de días con/, 'checkbox')
  await press(page, /^Cerrar y pagar 39 h/)
  await page.findByRole('heading', { name: /^Se guardó el cierre \d+: 39 h/ })
})

it('proposes the last day of work of somebody who leaves', async () => {
  await (await api()).changeEmployee('E-004', { ended_at: dateDaysAgo(35) })
  const page = await open('cierres')
  await choose(page, 'De quién', 'one')
  await fill(page, 'Persona', 'E-004')
  await press(page, /E-004/, 'option')
  await expect
    .poll(async () => (await page.findByLabelText('Último día')).value)
    .toBe(dateDaysAgo(35))
})

it('lists people with held hours and people without logs in pages of a hundred', async () => {
  const page = await open('cierres')
  const people = Array.from({ length: 130 }, (_, i) => ({
    employee_id: `T-${i}`,
    full_name: `Persona ${i}`,
    held_seconds: 3_600,
    exceptions: ['sin_checadas'],
  }))
  answerWith(/closings\/preview\/lines\?/, async () => linesAnswer(people))
  answerPreview({ unsynced: ['reloj-norte', 'reloj-sur'] })
  // The form shows the last choice, which may be another test's.
  await choose(page, 'De quién', ':semanal')
  await press(page, 'Ver cómo quedaría')
  await partAt('.warnings', /Falta información de reloj-norte \(se conoce hasta el .*\), reloj-sur/)
  await partAt('.warnings', 'de 130 personas hasta que se decida')
  await partAt('details', '1 a 100 de 130')
  const held = await partAt('.warnings details', 'Qué las retiene')
  await unfold(held, 'Qué las retiene')
  await press(held, 'Siguientes')
  const link = await held.findByRole('link', { name: 'Persona 129' })
  expect(link.getAttribute('href')).toBe('#/checadas?employee_id=T-129&status=pending')
})

it('links to the same days and people in another tab, and counts the pending logs', async () => {
  const page = await open('cierres')
  const NAMED = { employee_id: 'E-011', full_name: "Fernanda O'Farrill Campos" }
  answerPreview({
    ...{ pending: 529, added_seconds: 162_043_200, held_seconds: 0 },
    first_taken: [{ ...NAMED, first_day: dateDaysAgo(35), was: null, seconds: 3_600 }],
    left_out: [{ ...NAMED, days: 2, seconds: 7_200, reason: 'before_start' }],
  })
  await choose(page, 'De quién', ':semanal')
  await fillDate(page, 'Último día', dateDaysAgo(20))
  await press(page, 'Ver cómo quedaría')
  await partAt('.figures')
  expect(figure('De días anteriores')).toBe('se agregan 45,012 h')
  expect(figure('Sin decidir')).toBe('529 checadas')
  await partAt('.warnings', 'Se paga aquí por primera vez a 1 persona.')
  await partAt('.warnings', '1 persona con horas que ningún cierre paga')
  const record = await partAt('.warnings details a[href*=personas]')
  expect(record.element.getAttribute('href')).toBe('#/personas/persona?id=E-011&hacer=editar')
  await partAt('.warnings details', 'antes de su ingreso')
  // The warning and the list have the same number.
  const warning = await partAt('.warnings li', /\d+ días? por aclarar\./)
  const [days = ''] = /\d+ días?/.exec(warning.element.textContent) ?? []
  const list = (await warning.findByRole('link', { name: 'Ver la lista' })).getAttribute('href')
  expect(list).toContain('#/horas?payroll_group=semanal&from=')
  expect(list).toContain(`&to=${dateDaysAgo(20)}`)
  await page.findByRole('button', { name: /^Cerrar y pagar/ })
  const hours = await open(list?.slice(2) ?? '')
  await hours.findByRole('heading', { name: `${days} por aclarar` })
})

it('keeps a preview and what was typed over a reload, and on the way back', async () => {
  const page = await open('cierres')
  await press(page, 'Ver cómo quedaría')
  await fill(page, 'Comentario (opcional)', 'Con el visto bueno de Ana')
  const address = shownAddress()
  const reloaded = await open(address)
  const comment = async () => (await reloaded.findByLabelText('Comentario (opcional)')).value
  await expect.poll(comment).toBe('Con el visto bueno de Ana')
  await follow(await partOf(reloaded, 'navigation', 'Secciones'), 'Relojes')
  await reloaded.findByRole('heading', { name: /^Relojes/, level: 1 })
  go(address)
  await expect.poll(comment).toBe('Con el visto bueno de Ana')
})

it('asks once for the first day of a group that has none, and then has its figures', async () => {
  const client = await api()
  await client.addGroup('mensual')
  await client.changeEmployee('E-003', { payroll_group: 'mensual' })
  await client.change(await client.record('E-003', aWorkDay(44)), 'approved')
  const page = await open(`cierres?before=${dateDaysAgo(40)}&payroll_group=mensual`)
  await page.findByRole('heading', { name: /^Grupo mensual: falta desde qué día/ })
  await press(page, /^Cerrar y pagar/)
  await page.findByText('Di antes desde qué día se le paga a cada grupo.')
  await press(page, 'Guardar el primer día')
  await page.findByText('Di el primer día.')
  await fill(page, 'Primer día que se paga aquí', dateDaysAgo(44))
  await press(page, 'Guardar el primer día')
  await page.findByRole('button', { name: 'Cerrar y pagar 9 h' })
  expect(page.queryByLabelText('Primer día que se paga aquí')).toBeNull()
  expect(sentRequests(/^POST .*\/closings/)).toEqual([])
})
