import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { migrateLocal } from '../../cli/core/local-database.ts'
import { runInProcess } from '../support/command.ts'
import {
  expectAccessible,
  SCREENS,
  signInAs,
  useConsole,
  waitForMessage,
} from '../support/console.ts'
import { createApiClient, dateDaysAgo } from '../support/console-api.ts'

/** The page of the company, and the first steps of an empty installation. */

const { open, service } = useConsole()

it('leaves the focus where the user was, after a rule is saved', async () => {
  const page = await open({ path: 'empresa' })
  const zones = page.getByRole('region', { name: 'Zona horaria' })
  await zones.getByText('Cambiar una zona').click()
  await zones.getByLabel('De quién').selectOption('Sur')
  await zones.getByLabel('Zona horaria').selectOption({ label: 'hora del sureste (Cancún)' })
  await zones.getByLabel('Primer día').fill(dateDaysAgo(1))
  await zones.getByRole('button', { name: 'Ver qué cambia…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Guardar' }).click()
  await waitForMessage(page, 'Se guardó: Sur: hora del sureste (Cancún)')
  await zones.locator('button:focus').waitFor()
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
