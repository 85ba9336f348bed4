import { expect, it } from 'vitest'
import { rowOf, useConsole } from '../support/console.ts'
import { daysAgo } from '../support/console-api.ts'

const { open, api } = useConsole()

const dayOf = (days: number) => daysAgo(days, '00:00').slice(0, 10)

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
  const page = await open({ path: `checadas?employee_id=E-008&from=${dayOf(44)}&to=${dayOf(38)}` })
  await rowOf(page, alone).getByText('Omisión de salida').waitFor()
  await rowOf(page, long).getByText('Jornada mayor de 12 h').waitFor()
  await rowOf(page, twice).getByText('Checada repetida').waitFor()
  expect(await rowOf(page, clean).locator('.notes').count()).toBe(0)

  // All of them arrived weeks later in one batch: none of them is louder than another.
  expect(await rowOf(page, clean).locator('.received').textContent()).toContain('días después')
  expect(await rowOf(page, clean).locator('.late').count()).toBe(0)
  await page.getByLabel(/^Seleccionar las 8 de la lista$/).check()
  await page.getByRole('button', { name: 'Aprobar 8 checadas' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Entre ellas, 6 checadas de días con excepción.').waitFor()
})

it('explains the hours of a person by weeks, and a rest day by its name', async () => {
  const page = await open({ path: 'horas?employee_id=E-013&from=2025-11-10&to=2025-11-18' })
  const rows = page.locator('.calendar li')
  await rows.filter({ hasText: 'Descanso obligatorio: Revolución' }).waitFor()
  expect(await rows.filter({ hasText: 'Descanso' }).textContent()).toContain('lun 17')
  expect(await rows.filter({ hasText: 'Semana' }).count()).toBe(2)
  await rows.filter({ hasText: '17 al 23 de noviembre' }).waitFor()
})
