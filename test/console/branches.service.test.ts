// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest'
import { aWorkDay, dateDaysAgo, daysAgo, OTHER_ADMIN } from '../support/console-api.ts'
import {
  choose,
  fill,
  go,
  partAt,
  partOf,
  press,
  sentRequests,
  setOnline,
  shownAddress,
  textsAt,
  unfold,
  usePages,
  waitForMessage,
  waitForNone,
} from '../support/dom-page.ts'

// The branch Norte is in a different zone. Payroll users may read and add logs, but decide none.
const { open, api } = usePages(['--var', 'PAYROLL_ROLES:auditor'])

const PAYROLL = 'auditoria@despacho.mx'

beforeAll(async () => {
  await (await api(PAYROLL)).setZone('Norte', 'America/Tijuana')
})

const timeIn = (moment: string, timeZone: string) =>
  new Date(moment).toLocaleTimeString('es-MX', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })

/** The row of a day on the page of the hours. */
const dayOf = (employee_id: string, days: number) =>
  `[data-day="${employee_id}${dateDaysAgo(days)}"]`

it('shows times of the branch, and names its zone in the list and beside the field', async () => {
  const ana = await api()
  const moment = daysAgo(20, '15:10')
  const [log = 0] = await ana.record('E-002', [{ kind: 'entrada', at: moment }])
  const page = await open(`checadas/${log}`)
  await partAt('.lead', `Entrada a las ${timeIn(moment, 'America/Tijuana')}`)
  await partAt('dd', /hora del noroeste \(Tijuana\)/)
  await press(page, 'Volver a la lista', 'link')
  const branches = await partOf(page, 'navigation', 'Sucursales')
  await branches.findByRole('link', { name: /^Norte.*Tijuana/ })
  await branches.findByRole('link', { name: /^Centro.*hora del centro/ })

  go('agregar?employee_id=E-002&kind=salida')
  await page.findByText(/En hora del noroeste \(Tijuana\), la de Norte\./)
  await fill(page, 'Día', dateDaysAgo(20))
  await fill(page, 'Hora', '18:05')
  await fill(page, 'Motivo', 'Olvidó checar.')
  await press(page, 'Agregar checada')
  await waitForMessage('Se agregó: Luis Mendoza Peña, salida del')
  const local_time = `${dateDaysAgo(20)}T18:05`
  expect(sentRequests(/manual_logs/)).toMatchObject([{ body: { local_time } }])
  const logs = await ana.logsOf('E-002', dateDaysAgo(20))
  expect(logs.map(({ local_at }) => local_at.slice(0, 16))).toContain(local_time)
})

/** The latest Sunday of a month that is over, the first one as number 1. */
const latestSunday = (month: number, number: number): string => {
  const now = new Date()
  const sundayOf = (year: number) => {
    const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay()
    return new Date(Date.UTC(year, month - 1, 1 + ((7 - first) % 7) + 7 * (number - 1)))
  }
  const day = sundayOf(now.getUTCFullYear())
  const isOver = now.getTime() - day.getTime() > 2 * 86_400_000
  return (isOver ? day : sundayOf(now.getUTCFullYear() - 1)).toISOString().slice(0, 10)
}

it('says at the hour that the branch’s clocks skipped it, and asks which of two equal ones it was', async () => {
  const page = await open('agregar?employee_id=E-002&kind=entrada')
  await page.findByText(/la de Norte\./)
  await fill(page, 'Motivo', 'Turno de noche.')
  await fill(page, 'Día', latestSunday(3, 2))
  await fill(page, 'Hora', '02:30')
  await press(page, 'Agregar checada')
  await page.findByText(/Ese día no hubo 02:30/)
  expect((await page.findByLabelText('Hora')).getAttribute('aria-invalid')).toBe('true')

  const double = latestSunday(11, 1)
  await fill(page, 'Día', double)
  await fill(page, 'Hora', '01:30')
  await press(page, 'Agregar checada')
  await page.findByText(/Ese día la hora 01:30 pasó dos veces: se tomó la primera\./)
  await press(page, 'Fue la segunda')
  await waitForMessage('Se agregó también la segunda: Luis Mendoza Peña')
  const logs = await (await api()).logsOf('E-002', double)
  const times = [`${double}T01:30:00-07:00`, `${double}T01:30:00-08:00`]
  expect(logs.map(({ local_at }) => local_at)).toEqual(times)
})

it('shows the logs and hours of the branch that was chosen last on this device', async () => {
  const page = await open('checadas')
  await press(await partOf(page, 'navigation', 'Sucursales'), /^Sur/, 'link')
  await expect.poll(shownAddress).toContain('branch_office=Sur')
  await open('')
  const sections = await partOf(page, 'navigation', 'Secciones')
  await press(sections, 'Checadas', 'link')
  await expect.poll(shownAddress).toContain('checadas?branch_office=Sur')
  await press(sections, 'Horas', 'link')
  await expect.poll(shownAddress).toContain('horas?branch_office=Sur')
})

it('shows an approver of one branch neither the list of branches nor another branch', async () => {
  const ana = await api()
  const [alone = 0] = await ana.record('E-002', [{ kind: 'salida', at: daysAgo(43, '15:10') }])
  await ana.changeUser(OTHER_ADMIN, { scope_branches: ['Norte'] })
  const page = await open('checadas', OTHER_ADMIN)
  await partAt('main [data-log]')
  expect(page.queryAllByRole('navigation', { name: 'Sucursales' })).toEqual([])
  await press(await partOf(page, 'navigation', 'Secciones'), 'Horas', 'link')
  await partAt('tbody tr')
  expect(page.queryAllByRole('navigation', { name: 'Sucursales' })).toEqual([])
  expect(textsAt('main').join()).not.toMatch(/Centro|Sur/)
  // A single log makes no hours. The user cannot see whether the rejection changes hours at other
  // branches.
  go(`checadas/${alone}`)
  await partAt(`[data-log="${alone}"]`)
  // Only users who see all branches may download evidence.
  expect(page.queryAllByRole('button', { name: 'Descargar evidencia' })).toEqual([])
  await press(page, /^Rechazar/)
  await page.findByText('Este rechazo no cambia ninguna hora en tus sucursales.')
  await ana.changeUser(OTHER_ADMIN, { scope_branches: null })
  await open(`checadas/${alone}`, OTHER_ADMIN)
  await page.findByRole('button', { name: 'Descargar evidencia' })
})

it('lets payroll add a missing log and mark a decided day as reviewed, but approve nothing', async () => {
  const ana = await api()
  const [log = 0] = await ana.record('E-006', [{ kind: 'entrada', at: daysAgo(40, '14:00') }])
  await ana.record('E-007', aWorkDay(40))
  const decided = await ana.record('E-005', [{ kind: 'entrada', at: daysAgo(40, '14:00') }])
  await ana.change(decided, 'approved')
  const page = await open(`horas?from=${dateDaysAgo(40)}&to=${dateDaysAgo(40)}`, PAYROLL)
  await page.findByText(/^Sin decidir: 1 día sin excepción, a cargo de quien aprueba/)
  const listed = await partAt(dayOf('E-006', 40), 'Íñigo Salas Montaño')
  await press(listed, 'Agregar la salida que falta')
  const day = await partAt(dayOf('E-006', 40), 'Motivo')
  await fill(day, 'Hora de la salida', '17:00')
  await fill(day, 'Motivo', 'Confirmado por su supervisora.')
  // The browser goes offline in between. Nothing is sent, and the typed text stays.
  setOnline(false)
  const add = () => day.findByRole('button', { name: 'Agregar' })
  await expect.poll(async () => (await add()).disabled).toBe(true)
  setOnline(true)
  await press(day, 'Agregar')
  await waitForMessage('Se agregó: Íñigo Salas Montaño, salida del')
  expect(sentRequests(/manual_logs/)).toHaveLength(1)
  const added = await partAt(dayOf('E-006', 40), 'con una checada agregada a mano')
  // A day that waits for a decision would leave the list, and be paid nothing.
  await added.findByText(/Antes decide alguien que aprueba checadas\.$/)
  expect(added.queryAllByRole('button', { name: /Aprobar|Revisada/ })).toEqual([])
  const other = await partAt(dayOf('E-005', 40))
  await unfold(other, 'Más')
  await press(other, 'Revisada')
  await press(page, 'Marcar como revisada')
  await waitForNone(dayOf('E-005', 40))
  expect((await ana.read(log)).status).toBe('pending')
})

it('uses the zone of the former branch for a day before the person moved', async () => {
  const ana = await api()
  const [before, after] = [daysAgo(43, '15:10'), daysAgo(42, '16:10')]
  await ana.record('E-009', [{ kind: 'entrada', at: before }])
  await ana.changeEmployee('E-009', { branch_office: 'Norte' })
  await ana.record('E-009', [{ kind: 'entrada', at: after }])
  await open(`horas?from=${dateDaysAgo(43)}&to=${dateDaysAgo(42)}`)
  await press(await partAt(dayOf('E-009', 42)), /^Agregar la salida/)
  await partAt(dayOf('E-009', 42), 'En hora del noroeste (Tijuana).')
  await press(await partAt(dayOf('E-009', 43)), /^Agregar la salida/)
  const row = await partAt(dayOf('E-009', 43), 'En hora del centro.')
  await fill(row, 'Hora de la salida', '17:00')
  await fill(row, 'Motivo', 'Olvidó checar.')
  await press(row, 'Agregar y aprobar')
  await waitForMessage('Itzel Ramírez Ochoa')
  const added = (await ana.logsOf('E-009', dateDaysAgo(43))).find(({ kind }) => kind === 'salida')
  expect(timeIn(added?.recorded_at ?? '', 'America/Mexico_City')).toBe('17:00')
})

it('shows the hours of a person who changed department once for each department', async () => {
  const ana = await api()
  await ana.record('E-008', aWorkDay(43))
  await ana.changeEmployee('E-008', { department: 'Ventas' })
  await ana.record('E-008', aWorkDay(42))
  const period = `from=${dateDaysAgo(43)}&to=${dateDaysAgo(42)}`
  const page = await open(`horas?employee_id=E-008&${period}`)
  const places = () => page.queryAllByRole('rowheader').map(({ textContent }) => textContent)
  await expect.poll(places).toEqual(['CentroSistemas', 'CentroVentas'])
})

it('lists the logs and the days of people without a branch and department', async () => {
  const ana = await api()
  await ana.changeEmployee('E-012', { branch_office: '', department: '' })
  await ana.record('E-012', [{ kind: 'entrada', at: daysAgo(3, '14:00') }])
  const page = await open('checadas')
  const logs = () => textsAt('main [data-log]')
  const isOnlyOscar = () => expect.poll(logs).toEqual([expect.stringContaining('Óscar')])
  await press(await partOf(page, 'navigation', 'Sucursales'), /^Sin sucursal/, 'link')
  await isOnlyOscar()
  const current = textsAt('nav[aria-label=Sucursales] [aria-current=true]')
  expect(current).toEqual([expect.stringMatching(/^Sin sucursal/)])
  await open(shownAddress())
  await isOnlyOscar()
  await choose(page, 'Departamento', '-')
  await partAt('option[value="-"]', /^Sin departamento \(1\)$/)
  await expect.poll(shownAddress).toMatch(/branch_office=-.*department=-/)
  await isOnlyOscar()

  go(`horas?from=${dateDaysAgo(20)}&to=${dateDaysAgo(2)}`)
  await expect.poll(() => textsAt('[data-day]').length).toBeGreaterThan(1)
  await press(page, /^Sin sucursal/, 'link')
  const others = () => textsAt('[data-day]').filter((text) => !text.includes('Óscar'))
  await expect.poll(others).toEqual([])
  expect(textsAt('[data-day]').length).toBeGreaterThan(0)
})
