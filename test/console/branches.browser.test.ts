import { beforeAll, expect, it } from 'vitest'
import {
  axeViolations,
  go,
  NARROW,
  openMore,
  rowOf,
  rows,
  useConsole,
  waitForMessage,
} from '../support/console.ts'
import { aWorkDay, dateDaysAgo, daysAgo } from '../support/console-api.ts'

// The branch Norte is in a different zone. Payroll users may read and add logs, but decide none.
const { open, api } = useConsole(['--var', 'PAYROLL_ROLES:auditor'])

const PAYROLL = 'auditoria@despacho.mx'
const MARIA = 'maria.hernandez@demo.mx'

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

it('shows three logs on the screen of a phone, and every tab in full at 320 px', async () => {
  // This test comes before the tests that add logs, because their rows can have more lines.
  const page = await open({ viewport: { width: 390, height: 844 } })
  await rows(page).nth(2).waitFor()
  const box = await rows(page).nth(2).boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844)
  await page.setViewportSize(NARROW)
  await page.evaluate("document.documentElement.style.fontFamily = 'DejaVu Sans, Verdana'")
  const hidden = '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)'
  expect(await page.evaluate(`${hidden}(document.querySelector('.tabs'))`)).toBe(0)
  const [first] = await rows(page).all()
  const id = Number(await first?.getAttribute('data-log'))
  await rowOf(page, id).getByRole('link').click()
  await page.locator('main h1').waitFor()
})

it('shows times of the branch, and names its zone in the list and beside the field', async () => {
  const ana = await api()
  const moment = daysAgo(20, '15:10')
  const [log = 0] = await ana.record('E-002', [{ kind: 'entrada', at: moment }])
  const page = await open({ path: `checadas/${log}` })
  await page
    .locator('.lead', { hasText: `Entrada a las ${timeIn(moment, 'America/Tijuana')}` })
    .waitFor()
  await page.locator('dd', { hasText: /hora del noroeste \(Tijuana\)/ }).waitFor()
  await page.getByRole('link', { name: 'Volver a la lista' }).click()
  const branches = page.getByRole('navigation', { name: 'Sucursales' })
  await branches.getByRole('link', { name: /^Norte.*Tijuana/ }).waitFor()
  await branches.getByRole('link', { name: /^Centro.*hora del centro/ }).waitFor()

  await go(page, 'agregar?employee_id=E-002&kind=salida')
  await page.getByText(/En hora del noroeste \(Tijuana\), la de Norte\./).waitFor()
  await page.getByLabel('Día').fill(dateDaysAgo(20))
  await page.getByLabel('Hora').fill('18:05')
  await page.getByLabel('Motivo').fill('Olvidó checar.')
  const sent = page.waitForRequest('**/manual_logs')
  await page.getByRole('button', { name: 'Agregar checada' }).click()
  const local_time = `${dateDaysAgo(20)}T18:05`
  expect((await sent).postDataJSON()).toMatchObject({ local_time })
  await waitForMessage(page, 'Se agregó: Luis Mendoza Peña, salida del')
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
  const ana = await api()
  const page = await open({ path: 'agregar?employee_id=E-002&kind=entrada' })
  const add = () => page.getByRole('button', { name: 'Agregar checada' }).click()
  await page.getByLabel('Motivo').fill('Turno de noche.')
  await page.getByLabel('Día').fill(latestSunday(3, 2))
  await page.getByLabel('Hora').fill('02:30')
  await add()
  await page.getByText('Ese día no hubo 02:30').waitFor()
  expect(await page.getByLabel('Hora').getAttribute('aria-invalid')).toBe('true')

  const double = latestSunday(11, 1)
  await page.getByLabel('Día').fill(double)
  await page.getByLabel('Hora').fill('01:30')
  await add()
  await page.getByText('Ese día la hora 01:30 pasó dos veces: se tomó la primera.').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Fue la segunda' }).click()
  await waitForMessage(page, 'Se agregó también la segunda: Luis Mendoza Peña')
  const logs = await ana.logsOf('E-002', double)
  const times = [`${double}T01:30:00-07:00`, `${double}T01:30:00-08:00`]
  expect(logs.map(({ local_at }) => local_at)).toEqual(times)
})

it('shows the logs and hours of the branch that was chosen last on this device', async () => {
  const page = await open({ path: 'checadas' })
  await page.getByRole('navigation', { name: 'Sucursales' }).getByText('Sur').click()
  await expect.poll(() => page.url()).toContain('branch_office=Sur')
  await page.goto(page.url().split('#')[0] ?? '')
  await page.getByRole('link', { name: 'Checadas', exact: true }).click()
  await expect.poll(() => page.url()).toContain('#/checadas?branch_office=Sur')
  await page.getByRole('link', { name: 'Horas', exact: true }).click()
  await expect.poll(() => page.url()).toContain('#/horas?branch_office=Sur')
})

it('shows an approver of one branch neither the list of branches nor another branch', async () => {
  const ana = await api()
  const [alone = 0] = await ana.record('E-002', [{ kind: 'salida', at: daysAgo(43, '15:10') }])
  await ana.changeUser(MARIA, { scope_branches: ['Norte'] })
  const page = await open({ email: MARIA })
  await rows(page).first().waitFor()
  expect(await page.getByRole('navigation', { name: 'Sucursales' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Horas', exact: true }).click()
  await page.locator('tbody tr').first().waitFor()
  expect(await page.getByRole('navigation', { name: 'Sucursales' }).count()).toBe(0)
  expect(await page.locator('main').textContent()).not.toMatch(/Centro|Sur/)
  await go(page, 'checadas/1')
  // Only users who see all branches may download evidence.
  expect(await page.getByRole('button', { name: 'Descargar evidencia' }).count()).toBe(0)
  // A single log makes no hours. The user cannot see whether the rejection changes hours at other
  // branches.
  await go(page, `checadas/${alone}`)
  await page.getByRole('button', { name: /^Rechazar/ }).click()
  await page.getByText('Este rechazo no cambia ninguna hora en tus sucursales.').waitFor()
  await ana.changeUser(MARIA, { scope_branches: null })
})

it('lets payroll add a missing log and mark a decided day as reviewed, but approve nothing', async () => {
  const ana = await api()
  const [log = 0] = await ana.record('E-006', [{ kind: 'entrada', at: daysAgo(40, '14:00') }])
  await ana.record('E-007', aWorkDay(40))
  const decided = await ana.record('E-005', [{ kind: 'entrada', at: daysAgo(40, '14:00') }])
  await ana.change(decided, 'approved')
  const page = await open({
    email: PAYROLL,
    path: `horas?from=${dateDaysAgo(40)}&to=${dateDaysAgo(40)}`,
  })
  await page.getByText(/^Sin decidir: 1 día sin excepción, a cargo de quien aprueba/).waitFor()
  const day = page.locator('.calendar li').filter({ hasText: 'Íñigo Salas Montaño' })
  await day.getByRole('button', { name: 'Agregar la salida que falta' }).click()
  await day.getByLabel('Hora').fill('17:00')
  await day.getByLabel('Motivo').fill('Confirmado por su supervisora.')
  // The browser goes offline in between. Nothing is sent, and the typed text stays.
  await page.context().setOffline(true)
  const add = day.getByRole('button', { name: 'Agregar', exact: true })
  await expect.poll(() => add.isDisabled()).toBe(true)
  await page.context().setOffline(false)
  await add.click()
  await waitForMessage(page, 'Se agregó: Íñigo Salas Montaño, salida del')
  await day.getByText('con una checada agregada a mano').waitFor()
  // A day that waits for a decision would leave the list, and be paid nothing.
  await day.getByText('Antes decide alguien que aprueba checadas.').waitFor()
  expect(await day.getByRole('button', { name: /Aprobar|Revisada/ }).count()).toBe(0)
  const other = page.locator(`[data-day="E-005${dateDaysAgo(40)}"]`)
  await openMore(other)
  await other.getByRole('button', { name: 'Revisada' }).click()
  await page.getByRole('button', { name: 'Marcar como revisada' }).click()
  await expect.poll(() => other.count()).toBe(0)
  expect((await ana.read(log)).status).toBe('pending')
})

it('uses the zone of the former branch for a day before the person moved', async () => {
  const ana = await api()
  const [before, after] = [daysAgo(43, '15:10'), daysAgo(42, '16:10')]
  await ana.record('E-009', [{ kind: 'entrada', at: before }])
  await ana.changeEmployee('E-009', { branch_office: 'Norte' })
  await ana.record('E-009', [{ kind: 'entrada', at: after }])
  const page = await open({ path: `horas?from=${dateDaysAgo(43)}&to=${dateDaysAgo(42)}` })
  const rowOfDay = (days: number) => page.locator(`[data-day="E-009${dateDaysAgo(days)}"]`)
  const add = (days: number) => rowOfDay(days).getByRole('button', { name: 'Agregar la salida' })
  await add(42).click()
  await rowOfDay(42).getByText('En hora del noroeste (Tijuana).').waitFor()
  await add(43).click()
  const row = rowOfDay(43)
  await row.getByText('En hora del centro.').waitFor()
  await row.getByLabel('Hora').fill('17:00')
  await row.getByLabel('Motivo').fill('Olvidó checar.')
  const answered = page.waitForResponse('**/manual_logs')
  await row.getByRole('button', { name: 'Agregar y aprobar' }).click()
  const { data } = (await (await answered).json()) as { data: { recorded_at: string } }
  expect(timeIn(data.recorded_at, 'America/Mexico_City')).toBe('17:00')
})

it('shows the hours of a person who changed department once for each department', async () => {
  const ana = await api()
  await ana.record('E-008', aWorkDay(43))
  await ana.changeEmployee('E-008', { department: 'Ventas' })
  await ana.record('E-008', aWorkDay(42))
  const period = `from=${dateDaysAgo(43)}&to=${dateDaysAgo(42)}`
  const page = await open({ path: `horas?employee_id=E-008&${period}` })
  const places = page.getByRole('rowheader')
  await expect.poll(() => places.allTextContents()).toEqual(['CentroSistemas', 'CentroVentas'])
})

it('lists the logs and the days of people without a branch and department', async () => {
  const ana = await api()
  await ana.changeEmployee('E-012', { branch_office: '', department: '' })
  await ana.record('E-012', [{ kind: 'entrada', at: daysAgo(3, '14:00') }])
  const page = await open({ path: 'checadas' })
  const current = (name: string) =>
    page.getByRole('navigation', { name }).locator('[aria-current=true]').allInnerTexts()
  const branches = page.getByRole('navigation', { name: 'Sucursales' })
  await branches.getByRole('link', { name: /^Sin sucursal/ }).click()
  await expect.poll(() => rows(page).count()).toBe(1)
  await page.getByText('Óscar').first().waitFor()
  expect(await current('Sucursales')).toEqual([expect.stringMatching(/^Sin sucursal/)])
  await page.reload()
  await expect.poll(() => rows(page).count()).toBe(1)
  await page.getByLabel('Departamento').selectOption('Sin departamento (1)')
  await expect.poll(() => page.url()).toMatch(/branch_office=-.*department=-/)
  await expect.poll(() => rows(page).count()).toBe(1)

  await go(page, `horas?from=${dateDaysAgo(20)}&to=${dateDaysAgo(2)}`)
  await page.locator('[data-day]').nth(1).waitFor()
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Sin sucursal/ })
    .click()
  const days = page.locator('[data-day]')
  await days.filter({ hasNotText: 'Óscar' }).first().waitFor({ state: 'detached' })
  expect(await days.count()).toBeGreaterThan(0)
})
