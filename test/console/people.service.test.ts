// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { createClient, dataOf } from '../../sdk/api-client.ts'
import { dateDaysAgo, OTHER_ADMIN } from '../support/console-api.ts'
import { fill, go, press, usePages } from '../support/dom-page.ts'

const { open, api, service } = usePages()

const readPerson = async (employee_id: string) => {
  const { token } = await api(OTHER_ADMIN)
  const { employees } = createClient(new URL(service.api).origin, { token }).v2.people
  return (await dataOf(employees[':employee_id'].$get({ param: { employee_id } }))).employee
}

it('refuses a number that somebody has, and keeps what was typed over a reload', async () => {
  const page = await open('personas/agregar')
  await fill(page, 'Número', 'E-005')
  await fill(page, 'Nombre completo', 'Otra persona')
  await fill(page, 'Ingreso', '2026-11-23')
  await press(page, 'Agregar')
  await page.findByText('Ese número ya es de Guadalupe Ibarra Cruz.')
  expect((await readPerson('E-005')).version).toBe(1)
  const reloaded = await open('personas/agregar')
  expect((await reloaded.findByLabelText('Nombre completo')).value).toBe('Otra persona')
})

it('refuses a last day before a paid day, and names the closing and the day', async () => {
  const page = await open('personas/persona?id=E-010&hacer=baja')
  await press(page, 'Registrar último día')
  await page.findByText('Pon su último día de trabajo.')
  await fill(page, 'Último día', '2026-01-15')
  await press(page, 'Registrar último día')
  await page.findByText(/El cierre \d+ pagó el \d\d\/\d\d\/\d{4}, después del último día/)
  const link = await page.findByRole('link', { name: /^Ver el cierre \d+$/ })
  expect(link.href).toMatch(/cierre=\d+$/)
  const day = await page.findByLabelText('Último día')
  expect(day.getAttribute('aria-invalid')).toBe('true')
  expect((await readPerson('E-010')).ended_at).toBeNull()
})

it('records a last day in the past, and deactivates the user', async () => {
  // No closing has paid this person's days.
  const page = await open('personas/persona?id=E-008&hacer=baja')
  const lastDay = dateDaysAgo(2)
  await fill(page, 'Último día', lastDay)
  await press(page, /^Desactivar/, 'checkbox')
  await press(page, 'Registrar último día')
  await page.findByText('Se guardó a Héctor Zúñiga Robles.')
  expect(await readPerson('E-008')).toMatchObject({ ended_at: lastDay, user: { active: 0 } })
  go('personas/persona?id=E-008')
  await page.findByRole('link', { name: 'Recontratar' })
  await page.findByText('hector.zuniga@demo.mx (desactivado)')
})

it('offers no act on the user’s own record, and none that does not exist', async () => {
  const page = await open('personas/persona?id=E-001')
  await page.findByText('Tu propio registro lo cambia otra persona.')
  expect(page.queryAllByRole('link', { name: 'Editar' })).toEqual([])
  go('personas/persona?id=E-009&hacer=constructor')
  await page.findByRole('heading', { name: 'Itzel Ramírez Ochoa' })
  await page.findByRole('heading', { name: 'Cambios' })
})
