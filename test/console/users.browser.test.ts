import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { dataOf } from '../../sdk/api-client.ts'
import {
  axeViolations,
  expectAccessible,
  lastMessage,
  NARROW,
  OTHER_ADMIN,
  press,
  stayWhenAsked,
  useConsole,
  waitForMessage,
} from '../support/console.ts'

const { open, api } = useConsole()

const openUsers = (path: string) => open({ path, viewport: NARROW })

const findUser = async (q: string) => {
  const { users } = (await api(OTHER_ADMIN)).people
  return (await dataOf(users.$get({ query: { q } }))).users[0]
}

const focusedText = (page: Page) => page.evaluate('document.activeElement.textContent')

it('invites the first supervisor of a branch that nobody has yet, and shows the link once', async () => {
  const page = await openUsers('usuarios')
  await page.getByRole('link', { name: 'Ana Torres Rivas' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Invitar' }).click()
  await page.getByLabel('Correo electrónico').fill('oriente@demo.mx')
  await page.getByLabel('Nombre', { exact: true }).fill('Lupe')
  await press(page, 'Invitar')
  await page.getByText('Elige un rol.').waitFor()
  await page
    .getByLabel('Rol')
    .selectOption(
      'Administración (aprueba checadas, cierra y paga, lleva personas, lleva usuarios, envía checadas)',
    )
  await expect.poll(() => page.getByText('Elige un rol.').count()).toBe(0)
  await page.getByLabel('Solo algunas').check()
  // An administrator of some branches neither closes nor keeps people and users.
  await expect
    .poll(() => page.getByLabel('Rol').locator('option:checked').textContent())
    .toBe('Administración (aprueba checadas, ve horas y cierres, envía checadas)')
  await page.getByLabel('Norte', { exact: true }).check()
  await page.getByLabel('Otra sucursal').fill('Oriente')
  await press(page, 'Agregar sucursal')
  await expect.poll(() => page.getByLabel('Oriente', { exact: true }).isChecked()).toBe(true)
  // The branch whose name is still in the field is added too.
  await page.getByLabel('Otra sucursal').fill('Poniente')
  expect(await axeViolations(page)).toEqual([])
  await press(page, 'Invitar')
  const link = await page.getByLabel('Enlace de invitación').inputValue()
  expect(link).toContain('/revision/#/invitacion/')
  expect(await findUser('oriente@demo.mx')).toMatchObject({
    role: 'admin',
    scope_branches: ['Norte', 'Oriente', 'Poniente'],
  })
  await expect.poll(() => focusedText(page)).toBe('Envíale este enlace')
  await page.getByRole('img', { name: 'Código QR del enlace' }).waitFor()
  await expectAccessible(page)

  const asked = stayWhenAsked(page)
  await page.getByRole('link', { name: 'Ver el usuario' }).click()
  await expect.poll(() => asked.length).toBe(1)
  expect(await page.getByLabel('Enlace de invitación').inputValue()).toBe(link)
  await press(page, 'Copiar')
  await waitForMessage(page, 'Se copió.')
  await page.emulateMedia({ media: 'print' })
  expect(await lastMessage(page).isVisible()).toBe(false)
  await page.emulateMedia({ media: 'screen' })
  await page.getByRole('link', { name: 'Ver el usuario' }).click()
  await page.getByRole('heading', { name: 'Acceso' }).waitFor()
  expect(asked).toHaveLength(1)
})
