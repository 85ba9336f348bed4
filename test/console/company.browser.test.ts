import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { migrateLocal } from '../../cli/core/local-database.ts'
import { runInProcess } from '../support/command.ts'
import {
  expectAccessible,
  go,
  SCREENS,
  signInAs,
  useConsole,
  waitForMessage,
} from '../support/console.ts'
import { aWorkDay, createApiClient, dateDaysAgo, daysAgo } from '../support/console-api.ts'

/** Tests the page of the company, and the first steps of an empty installation. */

const { open, api, service } = useConsole()

it('keeps the name, and says it if somebody else has changed it meanwhile', async () => {
  const ana = await api()
  const page = await open({ path: 'empresa' })
  await page.getByLabel('Nombre', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Guardar el nombre' }).click()
  await page.getByText('Escribe el nombre.').waitFor()
  await page.getByLabel('Nombre', { exact: true }).fill('Comercial Demo')
  await ana.nameCompany('Demo del Norte')
  await page.getByRole('button', { name: 'Guardar el nombre' }).click()
  await page
    .locator('.problem')
    .filter({ hasText: /cambió/ })
    .waitFor()
  await page.reload()
  await expect
    .poll(() => page.getByLabel('Nombre', { exact: true }).inputValue())
    .toBe('Comercial Demo')
  await page.getByRole('button', { name: 'Guardar el nombre' }).click()
  await waitForMessage(page, 'El nombre se guardó.')
})

it('says what a branch’s zone changes before it is saved, and refuses days that are paid', async () => {
  const ana = await api()
  await ana.change(await ana.record('E-011', aWorkDay(5)), 'approved')
  const page = await open({ path: 'empresa' })
  const zones = page.locator('section', { hasText: 'Zona horaria' }).first()
  await zones.getByText('Cambiar una zona').click()
  await zones.getByRole('button', { name: 'Ver qué cambia…' }).click()
  await zones.getByText('Elige la zona.').waitFor()
  await zones.getByLabel('De quién').selectOption('Sur')
  await zones.getByLabel('Zona horaria').selectOption({ label: 'hora del sureste (Cancún)' })
  const dialog = page.getByRole('dialog')
  const ask = () => zones.getByRole('button', { name: 'Ver qué cambia…' }).click()
  // People of the branch were paid, so the zone may not hold from ever.
  await ask()
  await dialog.getByText(/^Los días anteriores al .* ya se pagaron/).waitFor()
  await dialog.getByRole('button', { name: 'Volver' }).click()
  const from = zones.getByLabel('Primer día')
  await from.fill(dateDaysAgo(1))
  await ask()
  await dialog.getByText(/^No cambia las horas|^Cambian las horas/).waitFor()
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await waitForMessage(page, 'Se guardó: Sur: hora del sureste (Cancún)')
  await zones.getByRole('listitem').filter({ hasText: 'Sur' }).waitFor()
  // The focus stays where the user was.
  await zones.locator('button:focus').waitFor()
  // The other pages know the new zone at once.
  await go(page, 'checadas')
  await page.getByRole('link', { name: /^Sur.*hora del sureste/ }).waitFor()
})

it('opens the form of longest shifts filled in, and says apart what is still to approve', async () => {
  const ana = await api()
  const guard = [5, 4, 3, 2].map((days, i) => ({
    kind: i % 2 === 0 ? ('entrada' as const) : ('salida' as const),
    at: daysAgo(days, '08:00'),
  }))
  await ana.record('E-013', guard)
  const page = await open({ path: 'empresa?jornada=E-013&horas=26' })
  const shifts = page.locator('section', { hasText: 'Jornada más larga' }).first()
  await expect.poll(() => shifts.getByLabel('Horas').inputValue()).toBe('26')
  expect(await shifts.getByRole('combobox', { name: 'Persona' }).inputValue()).not.toBe('')
  await shifts.getByLabel('Primer día').fill(dateDaysAgo(6))
  await shifts.getByLabel('Primer día').press('Enter')
  await page
    .getByRole('dialog')
    .getByText('Cambian las horas de 2 días por aprobar, de 1 persona.')
    .waitFor()
})

it.each(SCREENS)('is accessible on %s (%o)', async (_, viewport) => {
  const page = await open({ path: 'empresa', viewport })
  await page.getByRole('heading', { name: 'Grupo General' }).waitFor()
  for (const name of ['Cambiar una zona', 'Cambiar una jornada']) await page.getByText(name).click()
  await expectAccessible(page)
})

it('leads a new installation through its first steps, and ticks what is done', async () => {
  await service.stop()
  rmSync(join(service.state, 'v3'), { recursive: true, force: true })
  await migrateLocal(service.state)
  const names = ['--first-name', 'Nora', '--last-name', 'Díaz', '--role', 'admin']
  const args = ['add', 'nora@empresa.mx', ...names, '--persist-to', service.state]
  const { status, err } = await runInProcess('user', args, 'una frase larga\n')
  expect({ status, err }).toEqual({ status: 0, err: '' })
  await service.start()

  const page = await open({ path: '', signedIn: false })
  await signInAs(page, 'nora@empresa.mx', 'una frase larga')
  const steps = page.locator('section', { hasText: 'Primeros pasos' }).getByRole('listitem')
  await expect.poll(() => steps.count()).toBe(6)
  expect(await steps.getByText('Listo').count()).toBe(0)
  expect(await page.locator('[data-day]').count()).toBe(0)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'La empresa' }).click()
  await page.getByLabel('Nombre', { exact: true }).fill('Comercial Nueva')
  await page.getByRole('button', { name: 'Guardar el nombre' }).click()
  await waitForMessage(page, 'El nombre se guardó.')
  await page.getByRole('link', { name: 'Hoy', exact: true }).click()
  await steps.filter({ hasText: 'La empresa' }).getByText('Listo').waitFor()
  expect(await steps.getByText('Listo').count()).toBe(1)

  // A branch has the company's zone until somebody has looked at it.
  const nora = await createApiClient(service.api, 'nora@empresa.mx', 'una frase larga')
  for (const id of ['C-1', 'T-1']) await nora.addEmployee(id, 'Eva Ruiz')
  await nora.changeEmployee('T-1', { branch_office: 'Tijuana' })
  await page.reload()
  const branches = steps.filter({ hasText: 'Las sucursales' })
  await branches.getByText('hora del centro: Centro, Tijuana. Confirma aquí').waitFor()
  expect(await branches.getByText('Listo').count()).toBe(0)
  await nora.setZone('Tijuana', 'America/Tijuana')
  await page.reload()
  await branches.getByRole('link').click()
  await page.getByText('Sin confirmar, hora del centro: Centro.').waitFor()
  await page.getByRole('button', { name: 'Confirmar estas zonas' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirmar' }).click()
  await waitForMessage(page, 'Las zonas quedaron confirmadas.')
  await page.getByText('Sin confirmar').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Hoy', exact: true }).click()
  await branches
    .getByText('hora del centro: Centro; hora del noroeste (Tijuana): Tijuana.')
    .waitFor()
  await branches.getByText('Listo').waitFor()
})
