// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { aWorkDay, dateDaysAgo, daysAgo, OTHER_ADMIN } from '../support/console-api.ts'
import {
  choose,
  fill,
  go,
  loseRequests,
  partAt,
  partOf,
  press,
  usePages,
  waitForMessage,
  waitForNone,
} from '../support/dom-page.ts'

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

it('says that a group is saved, although the settings could not be read again', async () => {
  const page = await open('empresa')
  await press(page, 'Agregar un grupo')
  const dialog = await partOf(page, 'dialog', 'Grupo de nómina nuevo')
  await fill(dialog, 'Nombre', 'eventual')
  await choose(dialog, 'Cada cuánto se paga', 'month')
  loseRequests(/^GET .*\/settings/)
  await press(dialog, 'Guardar')
  await waitForMessage('Se guardó: Grupo eventual.')
  await waitForNone('dialog')
})

it('keeps the name, and says it if somebody else has changed it meanwhile', async () => {
  const ana = await api()
  const page = await open('empresa')
  await fill(page, 'Nombre', '')
  await press(page, 'Guardar el nombre')
  await page.findByText('Escribe el nombre.')
  await fill(page, 'Nombre', 'Comercial Demo')
  await ana.nameCompany('Demo del Norte')
  await press(page, 'Guardar el nombre')
  await partAt('.problem', /cambió/)
  const reloaded = await open('empresa')
  await expect
    .poll(async () => (await reloaded.findByLabelText('Nombre')).value)
    .toBe('Comercial Demo')
  await press(reloaded, 'Guardar el nombre')
  await waitForMessage('El nombre se guardó.')
})

it('says what a branch’s zone changes before it is saved, and refuses days that are paid', async () => {
  const ana = await api()
  await ana.change(await ana.record('E-011', aWorkDay(5)), 'approved')
  const page = await open('empresa')
  const zones = await partOf(page, 'region', 'Zona horaria')
  const ask = () => press(zones, 'Ver qué cambia…')
  await ask()
  await zones.findByText('Elige la zona.')
  await choose(zones, 'De quién', 'Sur')
  await choose(zones, 'Zona horaria', 'America/Cancun')
  // People of the branch were paid, so the zone may not hold from ever.
  await ask()
  await partAt('dialog p', /^Los días anteriores al .* ya se pagaron/)
  await press(await partOf(page, 'dialog'), 'Volver')
  await fill(zones, /^Primer día/, dateDaysAgo(1))
  await ask()
  await partAt('dialog p', /^No cambia las horas|^Cambian las horas/)
  await press(await partOf(page, 'dialog'), 'Guardar')
  await waitForMessage('Se guardó: Sur: hora del sureste (Cancún)')
  await partAt('section[aria-label="Zona horaria"] li', /^Sur/)
  // The other pages know the new zone at once.
  go('checadas')
  await page.findByRole('link', { name: /^Sur.*hora del sureste/ })
})

it('opens the form of longest shifts filled in, and says apart what is still to approve', async () => {
  const ana = await api()
  const guard = [5, 4, 3, 2].map((days, i) => ({
    kind: i % 2 === 0 ? ('entrada' as const) : ('salida' as const),
    at: daysAgo(days, '08:00'),
  }))
  await ana.record('E-013', guard)
  const page = await open('empresa?jornada=E-013&horas=26')
  const valueIn = async (label: RegExp) => {
    const shifts = await partOf(page, 'region', 'Jornada más larga')
    return (await shifts.findByLabelText(label)).value
  }
  await expect.poll(() => valueIn(/^Horas/)).toBe('26')
  expect(await valueIn(/^Persona/)).not.toBe('')
  const shifts = await partOf(page, 'region', 'Jornada más larga')
  await fill(shifts, /^Primer día/, dateDaysAgo(6))
  await press(shifts, 'Ver qué cambia…')
  await partAt('dialog', 'Cambian las horas de 2 días por aprobar, de 1 persona.')
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
