// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest'
import { dataOf } from '../../sdk/api-client.ts'
import { importConsole } from '../support/browser-globals.ts'
import { dateDaysAgo, OTHER_ADMIN } from '../support/console-api.ts'
import {
  answerWith,
  fill,
  focusedText,
  go,
  holdRequests,
  type Place,
  partAt,
  partOf,
  press,
  shownAddress,
  textsAt,
  unfold,
  usePages,
  waitForMessage,
} from '../support/dom-page.ts'

/** In these tests, the auditor of the demo is a clerk who manages employees and sees no logs. */
const CLERK = 'auditoria@despacho.mx'
const { open, visit, api } = usePages(['--var', 'PEOPLE_ROLES:admin,auditor'])

const keeper = async () => (await api(OTHER_ADMIN)).people

/** Makes a link, and returns its address in the console. */
const invite = async (employee_id: string) => {
  const { invitations } = await keeper()
  const made = await dataOf(invitations.$post({ json: { employee_ids: [employee_id] } }))
  return pathOf(made.invitations[0]?.url)
}

const pathOf = (url = '') => url.split('#/')[1] ?? ''

const NEW_USER = {
  first_name: 'Rita',
  last_name: 'Olmos',
  mother_last_name: '',
  role: 'admin',
  employee_id: null,
}

const readPerson = async (employee_id: string) => {
  const { employees } = await keeper()
  return (await dataOf(employees[':employee_id'].$get({ param: { employee_id } }))).employee
}

const storedToken = () => sessionStorage.getItem('checada.token')

const { location } = globalThis as unknown as { location: { reload: () => void } }

/** Opens a link in a tab in which somebody else has signed in. */
const openInvitation = async (path: string) => {
  const page = await open('', OTHER_ADMIN)
  go(path)
  await page.findByRole('heading', { name: /^Hola,/ })
  expect(shownAddress()).toBe('invitacion')
  return page
}

const setPassword = async (page: Place, password: string, repeated = password) => {
  await fill(page, 'Tu contraseña nueva', password)
  await fill(page, /^Otra vez/, repeated)
  await press(page, 'Guardar y entrar')
}

it('sets a password, and replaces the session of the tab only then', async () => {
  const { users } = await keeper()
  const { invitation } = await dataOf(users.$post({ json: { ...NEW_USER, email: 'rita@demo.mx' } }))
  const page = await openInvitation(pathOf(invitation?.url))
  await page.findByText(/En esta pestaña entró María José/)
  const before = storedToken()
  await setPassword(page, 'siete77')
  await page.findByText('Escribe 8 caracteres o más.')
  await setPassword(page, 'una frase mía', 'otra frase')
  await page.findByText('No es igual a la de arriba.')
  expect(storedToken()).toBe(before)
  const reload = vi.spyOn(location, 'reload').mockReturnValue()
  await setPassword(page, 'una frase mía')
  await expect.poll(() => reload.mock.calls.length).toBe(1)
  reload.mockRestore()
  // The page that loads is that of the new user.
  await visit('')
  await (await importConsole('session/session')).startSession()
  await partAt('.menu', 'Rita Olmos')
  const anyone = await api()
  expect(await anyone.isSignedIn(String(storedToken()))).toBe(true)
  expect(await anyone.isSignedIn(String(before))).toBe(false)
})

it('tells somebody who does not use the console that the password was saved', async () => {
  const page = await openInvitation(await invite('E-002'))
  await setPassword(page, 'una frase mía')
  await page.findByText(/ya puedes entrar en la app de tu empresa/)
  expect(storedToken()).toBeNull()
})

it('explains that a link is no longer valid', async () => {
  const older = await invite('E-007')
  await invite('E-007')
  const page = await visit(older)
  await page.findByRole('heading', { name: 'Este enlace ya no sirve', level: 1 })
  expect(shownAddress()).toBe('invitacion')
  // What a reload would show: the link was kept nowhere.
  const { invitation } = await importConsole('account/invitation.api')
  invitation.set({ token: undefined })
  await visit(shownAddress())
  await page.findByRole('heading', { name: 'Abre otra vez tu enlace' })
})

it('starts with the people for a clerk who sees no logs, and offers only what they may use', async () => {
  const page = await open('', CLERK)
  await page.findByRole('heading', { name: 'Personas' })
  expect(textsAt('nav[aria-label=Secciones] a')).toEqual(['Relojes', 'Personas', 'Acuerdo'])
  for (const path of ['usuarios', 'usuarios/nuevo', 'hoy', 'checadas', 'horas', 'cierres']) {
    go(path)
    await page.findByRole('heading', { name: 'Tu usuario no usa esta sección', level: 1 })
    expect(page.queryAllByRole('link', { name: 'Invitar' })).toEqual([])
    await press(page, 'Ir a Personas', 'link')
    await page.findByRole('heading', { name: 'Personas' })
  }
  // Whose the numbers of clocks are is the clerk's to say.
  const sections = await partOf(page, 'navigation', 'Secciones')
  await press(sections, 'Relojes', 'link')
  await page.findByRole('heading', { name: /^Ningún reloj agregado/ })
  await page.findByText(/Cómo conectar un reloj/)
  expect(textsAt('.problem').filter((text) => text !== '')).toEqual([])
  await press(sections, 'Personas', 'link')
  await press(page, 'Hoja de invitaciones', 'link')
  await page.findByRole('heading', { name: 'Hoja de invitaciones' })
})

it('says that the user of somebody who was hired again stays deactivated', async () => {
  const { employees } = await keeper()
  const { version, user: _, employee_id, ...record } = await readPerson('E-008')
  const ended_at = dateDaysAgo(2)
  const json = { ...record, ended_at, deactivate_user: true, expected_version: version }
  await dataOf(employees[':employee_id'].$put({ param: { employee_id }, json }))
  const page = await open('personas/persona?id=E-008&hacer=recontratar')
  await fill(page, 'Ingreso', record.started_at)
  await press(page, 'Recontratar')
  await page.findByText(/Su usuario, hector.zuniga@demo.mx, sigue desactivado/)
  await page.findByRole('link', { name: 'Activarlo en Usuarios' })
  go('invitaciones?branch_office=Centro')
  await unfold(page, /personas? no reciben? un enlace aquí/)
  await page.findByText(/El usuario de Héctor Zúñiga Robles \(E-008\) está desactivado\./)
})

it('shows a heading on the page of a person who does not exist', async () => {
  const page = await open('personas/persona?id=NADIE')
  await page.findByRole('heading', { name: 'No se pudo leer a la persona', level: 1 })
})

it('chooses the people of a sheet, and leaves out people who are refused', async () => {
  const { employees, users } = await keeper()
  const { version: _, user: __, ...like } = await readPerson('E-002')
  const people = Array.from({ length: 120 }, (_, i) => ({
    ...like,
    employee_id: `N-${i}`,
    full_name: `Persona ${i}`,
    rfc: '',
    branch_office: 'Oriente',
    expected_version: 0,
  }))
  await dataOf(employees.bulk.$post({ json: { employees: people } }))
  const addUser = (email: string, employee_id: string, role = 'admin') =>
    dataOf(users.$post({ json: { ...NEW_USER, email, employee_id, role } }))
  await addUser('n0@demo.mx', 'N-0')
  // Who has a user of the app may get another link, but is not chosen at first.
  await addUser('n5@demo.mx', 'N-5', 'employee')
  const page = await open('invitaciones?branch_office=Oriente')
  await unfold(page, /^1 persona no recibe un enlace aquí/)
  await page.findByText(/Persona 0 \(N-0\) tiene un usuario con rol Administración/)
  await page.findByRole('button', { name: 'Hacer los enlaces de 118 personas' })
  const shown = () => textsAt('.people li').length
  await press(page, 'Ninguna')
  await fill(page, 'Nombre o número', 'PERSÓNA 11')
  await expect.poll(shown).toBe(11)
  await press(page, 'Todas')
  await page.findByRole('button', { name: 'Hacer los enlaces de 11 personas' })
  await fill(page, 'Nombre o número', 'PERSÓNA 111')
  await page.findByText(/También están elegidas 10 personas que esta búsqueda no muestra/)
  await fill(page, 'Nombre o número', '')
  await expect.poll(shown).toBe(100)
  await press(page, 'Sin usuario')
  await page.findByRole('button', { name: 'Hacer los enlaces de 118 personas' })
  // Somebody gets a user with another role while the list is on the page.
  await addUser('n104@demo.mx', 'N-104')
  await press(page, 'Hacer los enlaces de 118 personas')
  await page.findByRole('heading', { name: '117 invitaciones' })
  await expect.poll(focusedText).toBe('117 invitaciones')
  expect(page.queryAllByRole('img', { name: /^Código QR/ })).toHaveLength(117)
  await waitForMessage('Se hicieron 117 enlaces.')
  await page.findByText(/Persona 104 \(N-104\).* rol admin/)
})

it('asks before links that are being made are left, since they are shown only once', async () => {
  const page = await open('invitaciones?branch_office=Centro')
  // The DOM has none.
  const confirm = vi.fn(() => false)
  vi.stubGlobal('confirm', confirm)
  const release = holdRequests(/^POST .*\/people\/invitations$/)
  await press(page, /^Hacer los enlaces? de/)
  await page.findByRole('button', { name: /^0 de/ })
  go('invitaciones?branch_office=Norte')
  expect(confirm).toHaveBeenCalledOnce()
  release()
  await page.findByRole('heading', { name: /^\d+ invitaci/ })
  vi.unstubAllGlobals()
})

it('goes on with the sheet after the connection was lost', async () => {
  const page = await open('invitaciones?branch_office=Sur')
  const stop = answerWith(/^POST .*\/people\/invitations$/, async () => {
    stop()
    throw new TypeError('The connection was reset.')
  })
  await press(page, /^Hacer los enlaces? de/)
  await waitForMessage('El servicio no respondió.')
  await press(page, /^Hacer los enlaces? de/)
  await page.findByRole('heading', { name: '1 invitación' })
  await waitForMessage('Se hizo 1 enlace.')
})
