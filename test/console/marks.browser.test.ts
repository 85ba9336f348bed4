import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { go, rowOf, useConsole } from '../support/console.ts'
import { aWorkDay, dateDaysAgo, daysAgo } from '../support/console-api.ts'

const { open, api } = useConsole()

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
  expect(await page.locator('tbody td').allTextContents()).toEqual(['1', '9 h 30 min9.50 h', '–'])
})

it('explains the hours of a person by weeks, and a rest day by its name', async () => {
  const page = await open({ path: 'horas?employee_id=E-013&from=2025-11-10&to=2025-11-18' })
  const rows = page.locator('.calendar li')
  await rows.filter({ hasText: 'Descanso obligatorio: Revolución' }).waitFor()
  expect(await rows.filter({ hasText: 'Descanso' }).textContent()).toContain('lun 17')
  expect(await rows.filter({ hasText: 'Semana' }).count()).toBe(2)
  await rows.filter({ hasText: '17 al 23 de noviembre' }).waitFor()
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
    ['2026-10-30', '08:00–13:00 14:00–17:30', 30_600],
    ['2026-10-31', '22:00–06:00+1', 9 * 3600],
    ['2026-11-01', '01:40–01:10 ?–17:00', 30 * 60],
    ['2026-11-02', '12:00–12:00+1', 24 * 3600],
    ['2026-11-03', '22:00–06:00+1', 7 * 3600],
  ] as const
  await page.route('**/hours?*', (route) => {
    const person = { employee_id: 'E-1', full_name: 'Ana', branch_office: 'Norte', exceptions: [] }
    const isTotal = route.request().url().includes('by=employee')
    const rows = days.map(([day, detail, worked_seconds]) => ({
      ...person,
      ...{ day, detail, worked_seconds, notices: [], paid_seconds: null, reviewed: null },
    }))
    const body = isTotal ? [person] : rows
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
