import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { dataOf } from '../../sdk/api-client.ts'
import {
  axeViolations,
  expectAccessible,
  go,
  lastMessage,
  NARROW,
  OTHER_ADMIN,
  press,
  stayWhenAsked,
  useConsole,
  waitForMessage,
} from '../support/console.ts'

const { open, api } = useConsole(['--var', 'INTAKE_ROLES:admin,reloj'])

const openUsers = (path: string) => open({ path, viewport: NARROW })

const USER = {
  first_name: 'Lupe',
  last_name: 'Rangel',
  mother_last_name: '',
  role: 'admin',
  machine: false,
  employee_id: null,
  scope_branches: null,
  sources: null,
}

const addUser = async (email: string, more: Partial<typeof USER> & { sources?: null } = {}) => {
  const { users } = (await api(OTHER_ADMIN)).people
  return dataOf(users.$post({ json: { ...USER, email, ...more } }))
}

const readUser = async (id: number) => {
  const { users } = (await api(OTHER_ADMIN)).people
  return (await dataOf(users[':id'].$get({ param: { id: String(id) } }))).user
}

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
  expect(await page.getByText('Elige un rol.').count()).toBe(0)
  await page.getByLabel('Solo algunas').check()
  // An administrator of some branches neither closes nor keeps people and users.
  await expect
    .poll(() => page.getByLabel('Rol').locator('option:checked').textContent())
    .toBe('Administración (aprueba checadas, ve horas y cierres, envía checadas)')
  await page.getByLabel('Norte', { exact: true }).check()
  await page.getByLabel('Otra sucursal').fill('Oriente')
  await press(page, 'Agregar sucursal')
  expect(await page.getByLabel('Oriente', { exact: true }).isChecked()).toBe(true)
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

it('keeps what was typed when somebody else has changed the user', async () => {
  const { user } = await addUser('lupe@demo.mx', { role: 'employee' })
  const page = await openUsers(`usuarios/${user.id}`)
  await page.getByLabel('Nombre', { exact: true }).fill('Guadalupe')
  const { users } = (await api(OTHER_ADMIN)).people
  const json = {
    ...USER,
    role: 'admin',
    last_name: 'Ríos',
    active: 1,
    expected_version: 1,
  } as const
  await dataOf(users[':id'].$put({ param: { id: String(user.id) }, json }))
  await press(page, 'Guardar')
  await page.locator('.conflicts').getByText('Rol: antes «employee», ahora «admin».').waitFor()
  expect(await page.getByLabel('Apellido paterno').inputValue()).toBe('Ríos')
  await press(page, 'Guardar')
  await waitForMessage(page, 'Se guardó a Guadalupe')
  const saved = { first_name: 'Guadalupe', last_name: 'Ríos', role: 'admin', active: 1, version: 3 }
  expect(await readUser(user.id)).toMatchObject(saved)

  await go(page, `usuarios/${user.id}`)
  const changes = page.locator('section', { hasText: 'Cambios' }).locator('li')
  await expect.poll(() => changes.count()).toBe(3)
  expect(await changes.last().textContent()).toMatch(
    /^Alta: Correo «lupe@demo.mx», Nombre «Lupe», Apellido paterno «Rangel», Rol «employee», Activo «sí»\.Enlace de invitación hasta el .*María José/,
  )
  // The message of the previous page is no longer shown.
  await expect.poll(() => lastMessage(page).textContent()).toBe('')
})

it('shows no technical fields, and keeps what was typed when reading the user again fails', async () => {
  const elena = await findUser('auditoria@despacho.mx')
  const page = await openUsers(`usuarios/${elena?.id}`)
  await page.getByText(/^Alta: .*Nombre «Elena»/).waitFor()
  expect(await page.getByText(/type_user|external|status_user|de nada/).count()).toBe(0)
  await page.getByLabel('Nombre', { exact: true }).fill('Elena María')
  await page.route(`**/people/users/${elena?.id}`, (route) => route.abort(), { times: 1 })
  await press(page, 'Cerrar sus sesiones')
  await page.getByRole('dialog').getByRole('button', { name: 'Cerrar sus sesiones' }).click()
  await page.getByText('No se pudo leer el usuario otra vez').waitFor()
  expect(await page.getByLabel('Nombre', { exact: true }).inputValue()).toBe('Elena María')
  await press(page, 'Reintentar')
  await page.getByText('No se pudo leer el usuario otra vez').waitFor({ state: 'detached' })
  expect(await page.getByLabel('Nombre', { exact: true }).inputValue()).toBe('Elena María')
})

it('makes a key for a clock from the list of clocks, and shows it once', async () => {
  const page = await openUsers('relojes')
  await page.getByRole('link', { name: 'Clave para el reloj reloj-norte' }).click()
  await page.getByRole('heading', { name: 'Usuario nuevo' }).waitFor()
  expect(await page.getByLabel('Es una máquina').isChecked()).toBe(true)
  expect(await page.getByLabel('Relojes de los que envía').inputValue()).toBe('reloj-norte')
  await page.getByLabel('Correo electrónico').fill('reloj-norte@demo.mx')
  await page.getByLabel('Nombre', { exact: true }).fill('Reloj norte')
  await page.getByLabel('Rol').selectOption('reloj')
  await press(page, 'Agregar')
  await page.getByRole('link', { name: 'Hacer su clave' }).click()
  await press(page, 'Clave para el reloj')
  await press(page, 'Hacer la clave')
  const token = await page.getByRole('textbox', { name: 'Clave', exact: true }).inputValue()
  expect(await (await api()).isSignedIn(token)).toBe(true)
  await expect.poll(() => focusedText(page)).toBe('Guarda esta clave en la máquina')
  expect(await page.getByRole('button', { name: /invitación/ }).count()).toBe(0)
  await press(page, 'Copiar')
  await waitForMessage(page, 'Se copió.')
  // The clock has a user now.
  await go(page, 'relojes')
  await page.getByRole('link', { name: 'Clave para el reloj reloj-norte' }).click()
  await page.getByText('Entra con reloj-norte@demo.mx.').waitFor()
})

it('renames and retires clocks and dismisses a problem in the list of clocks', async () => {
  const client = await api()
  const logs = [{ kind: 'entrada' as const, at: new Date().toISOString() }]
  await expect(client.record('X-404', logs)).rejects.toThrow('refused')
  await client.record('E-001', logs, 'planta/1')
  const page = await openUsers('relojes')
  const clocks = page.locator('main ul:not(.problems) > li')
  await press(page, 'Descartar X-404: esa persona no está dada de alta.')
  await page.getByLabel('Motivo').fill('Ya no trabaja aquí.')
  await page.getByRole('dialog').getByRole('button', { name: 'Descartar' }).click()
  await waitForMessage(page, 'El aviso se descartó.')
  await expect.poll(() => page.getByText('X-404').count()).toBe(0)
  await press(page, 'Cambiar el nombre de reloj-sur')
  await page.getByLabel('Cómo le dicen las personas').fill('Puerta sur')
  await press(page, 'Guardar')
  await waitForMessage(page, 'Ahora se llama Puerta sur.')
  await clocks.filter({ hasText: 'Puerta sur' }).first().waitFor()
  await press(page, 'Retirar planta/1')
  await page.getByRole('dialog').getByRole('button', { name: 'Retirar' }).click()
  await clocks.filter({ hasText: 'planta/1' }).waitFor({ state: 'detached' })
  for (let left = await clocks.count(); left > 0; left--) {
    await expect.poll(() => clocks.count()).toBe(left)
    await page
      .getByRole('button', { name: /^Retirar/ })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Retirar' }).click()
    await waitForMessage(page, 'se retiró')
  }
  await page.getByRole('heading', { name: 'Todos los relojes están retirados' }).waitFor()
  await press(page, 'Ver los retirados')
  await clocks.filter({ hasText: 'Puerta sur' }).first().waitFor()
  expect(await page.getByLabel('Ver los retirados').isChecked()).toBe(true)
})
