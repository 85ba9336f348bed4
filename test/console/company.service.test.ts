// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { dateDaysAgo, OTHER_ADMIN } from '../support/console-api.ts'
import { choose, fill, go, partOf, press, usePages } from '../support/dom-page.ts'

const { open, api } = usePages()

it('gives a guard a longer shift, and a payroll group a calendar and a first day', async () => {
  const page = await open('empresa')
  const shifts = await partOf(page, 'region', 'Jornada más larga')
  await choose(shifts, 'De quién', 'one')
  await press(shifts, 'Ver qué cambia…')
  await shifts.findByText('Elige a la persona de la lista.')
  await fill(shifts, 'Persona', 'Zúñiga')
  await press(shifts, /Zúñiga/, 'option')
  await fill(shifts, /^Horas/, '26')
  await fill(shifts, /^Primer día/, dateDaysAgo(0))
  await press(shifts, 'Ver qué cambia…')
  const dialog = await partOf(page, 'dialog')
  await dialog.findByText(/las horas/)
  await press(dialog, 'Guardar')
  await page.findByText(/^Se guardó: Héctor Zúñiga Robles: 26 h/)
  await shifts.findByText(/Zúñiga/)

  await press(page, 'Agregar un grupo')
  const group = await partOf(page, 'dialog', 'Grupo de nómina nuevo')
  await press(group, 'Guardar')
  await group.findByText('Escribe el nombre del grupo.')
  await fill(group, 'Nombre', 'guardias')
  await choose(group, 'Cada cuánto se paga', '14 days')
  await press(group, 'Guardar')
  await group.findByText('Di en qué día empieza.')
  await fill(group, 'Un día en que empieza una catorcena', '2026-01-05')
  await fill(group, 'Primer día que se paga aquí', '2026-11-02')
  await press(group, 'Guardar')
  await page.findByText(/^Catorcena, contada desde el 05\/01\/2026 .* desde el 02\/11\/2026$/)

  // Horas has the new calendar at once.
  go('horas?payroll_group=guardias&from=2026-11-02&to=2026-11-15')
  await page.findByText(/^Catorcena/)
})

it('shows the company to a payer of one branch, without anything to change', async () => {
  const ana = await api()
  await ana.nameCompany('Comercial Demo')
  await ana.changeUser(OTHER_ADMIN, { scope_branches: ['Norte'] })
  const page = await open('empresa', OTHER_ADMIN)
  await page.findByText('Comercial Demo')
  await page.findByText('Toda la empresa')
  expect((await partOf(page, 'main')).queryAllByRole('button')).toEqual([])
})
