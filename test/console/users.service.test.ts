// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { createClient, dataOf } from '../../sdk/api-client.ts'
import { createApiClient, OTHER_ADMIN } from '../support/console-api.ts'
import { choose, fill, focusedName, go, partOf, press, usePages } from '../support/dom-page.ts'

const { open, api, service } = usePages()

const PASSWORD = 'una clave muy larga'

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

const addUser = async (email: string, more: Partial<typeof USER> = {}) => {
  const { users } = (await api(OTHER_ADMIN)).people
  return dataOf(users.$post({ json: { ...USER, email, ...more } }))
}

/** Adds a user who has a password through the link of an administrator who is none any more. */
const setPasswordThroughSomebodyWhoLeft = async (email: string) => {
  const open = createClient(new URL(service.api).origin, { token: () => undefined })
  const accept = async ({ url = '' }) => {
    const json = { token: url.split('/').at(-1) ?? '', password: PASSWORD }
    return dataOf(open.auth.invitation.$post({ json }))
  }
  const leader = await addUser(`jefa-${email}`)
  await accept(leader.invitation ?? {})
  const own = (await createApiClient(service.api, `jefa-${email}`, PASSWORD)).people.users
  const made = await dataOf(own.$post({ json: { ...USER, role: 'employee', email } }))
  const { token } = await accept(made.invitation ?? {})
  await (await api(OTHER_ADMIN)).changeUser(`jefa-${email}`, { active: 0 })
  return { token, user: made.user }
}

const findUser = async (q: string) => {
  const { users } = (await api(OTHER_ADMIN)).people
  return (await dataOf(users.$get({ query: { q } }))).users[0]
}

it('lists who uses the console, and the users of the app only when asked', async () => {
  const page = await open('usuarios')
  await page.findByRole('link', { name: 'Ana Torres Rivas' })
  expect(page.queryAllByRole('link', { name: 'Luis Mendoza Peña' })).toEqual([])
  // No setting names the auditor's role.
  await choose(page, 'Rol', 'auditor')
  await expect.poll(() => page.queryAllByRole('listitem').length).toBe(1)
  const link = await page.findByRole('link', { name: 'Elena Fuentes Arce' })
  const path = link.href.split('#/')[1] ?? ''
  const user = await open(path)
  await fill(user, 'Apellido materno', 'Arce Ruiz')
  await press(user, 'Guardar')
  await user.findByText('Se guardó a Elena Fuentes Arce Ruiz.')
})

it('says what somebody else has changed, also after an act on the same page', async () => {
  const email = 'chayo@demo.mx'
  const { user } = await addUser(email, { role: 'employee' })
  const page = await open(`usuarios/${user.id}`)
  await fill(page, 'Apellido materno', 'Cruz')
  await (await api(OTHER_ADMIN)).changeUser(email, { mother_last_name: 'Luna' })
  await press(page, 'Cerrar sus sesiones')
  await press(await partOf(page, 'dialog'), 'Cerrar sus sesiones')
  await page.findByText('Apellido materno: antes vacío, ahora «Luna». Tú escribiste «Cruz».')
  expect((await page.findByLabelText('Apellido materno')).value).toBe('Cruz')
})

it('can save a user again whose password was cleared, on the page that asks for a link', async () => {
  const { token, user } = await setPasswordThroughSomebodyWhoLeft('lola@demo.mx')
  const page = await open(`usuarios/${user.id}`)
  await choose(page, 'Rol', 'admin')
  await press(page, 'Guardar')
  await page.findByText(/Puede más que antes: mándale un enlace nuevo\./)
  expect(await (await api()).isSignedIn(token)).toBe(false)
  await fill(page, 'Apellido materno', 'Cruz')
  await press(page, 'Guardar')
  await page.findByText('Se guardó a Lupe Rangel Cruz.')
})

it('does not offer users what they may not do to their own account', async () => {
  const ana = await findUser('ana.torres@demo.mx')
  const page = await open(`usuarios/${ana?.id}`)
  await page.findByText(/^Es tu usuario/)
  expect(page.queryByLabelText('Rol')).toBeNull()
  const main = await partOf(page, 'main')
  expect(main.queryAllByRole('button', { name: /Desactivar|enlace|sesiones/ })).toEqual([])
})

it('shows a heading on the page of a user who could not be read', async () => {
  const page = await open('usuarios/987654')
  await page.findByRole('heading', { name: 'No se pudo leer el usuario', level: 1 })
})

it('puts the focus into the first wrong field, and shows an error that belongs to none', async () => {
  const page = await open('usuarios/nuevo')
  await fill(page, 'Correo electrónico', 'lupe@demo.mx')
  await press(page, 'Invitar')
  await page.findByText('Escribe el nombre.')
  expect(focusedName()).toBe('first_name')
  const name = await page.findByLabelText('Nombre')
  expect(name.getAttribute('aria-describedby')).toMatch(/-first_name-problem$/)
  expect(name.getAttribute('aria-invalid')).toBe('true')
  await fill(page, 'Nombre', 'Lupe')
  expect(page.queryByText('Escribe el nombre.')).toBeNull()
  await choose(page, 'Rol', 'employee')
  await fill(page, 'Correo electrónico', 'ana.torres@demo.mx')
  await press(page, 'Invitar')
  await page.findByText(/^Ya hay un usuario/)
  expect(focusedName()).toBe('email')
})

it('closes a dialog when the address changes, and does nothing of it', async () => {
  const { user } = await addUser('nora@demo.mx', { role: 'employee' })
  const page = await open(`usuarios/${user.id}`)
  await press(page, 'Desactivar')
  await page.findByRole('dialog')
  go('usuarios')
  await page.findByRole('heading', { name: 'Usuarios', level: 1 })
  expect(page.queryAllByRole('dialog')).toEqual([])
  expect(await findUser('nora@demo.mx')).toMatchObject({ active: 1 })
})
