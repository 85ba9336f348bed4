import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { dataOf } from '../../sdk/api-client.ts'
import {
  axeViolations,
  expectAccessible,
  go,
  NARROW,
  OTHER_ADMIN,
  press,
  stayWhenAsked,
  useConsole,
  waitForMessage,
} from '../support/console.ts'
import { dateDaysAgo } from '../support/console-api.ts'

/** In these tests, the auditor of the demo is a clerk who manages employees and sees no logs. */
const CLERK = 'auditoria@despacho.mx'
const { open, api, service } = useConsole(['--var', 'PEOPLE_ROLES:admin,auditor'])

const keeper = async () => (await api(OTHER_ADMIN)).people

const invite = async (employee_id: string) => {
  const { invitations } = await keeper()
  const made = await dataOf(invitations.$post({ json: { employee_ids: [employee_id] } }))
  return made.invitations[0]?.url ?? ''
}

const NEW_USER = {
  first_name: 'Rita',
  last_name: 'Olmos',
  mother_last_name: '',
  role: 'admin',
  employee_id: null,
}

const addUser = async (email: string, more: { employee_id?: string | null } = {}) => {
  const { users } = await keeper()
  return dataOf(users.$post({ json: { ...NEW_USER, ...more, email } }))
}

const readPerson = async (employee_id: string) => {
  const { employees } = await keeper()
  return (await dataOf(employees[':employee_id'].$get({ param: { employee_id } }))).employee
}

const tokenOf = (page: Page) => page.evaluate("sessionStorage.getItem('checada.token')")

/** Opens a link in a tab in which somebody else has signed in. */
const openInvitation = async (url: string) => {
  const page = await open({ email: OTHER_ADMIN })
  await page.evaluate(`location.hash = '${new URL(url).hash}'`)
  await page.getByRole('heading', { name: 'Hola,' }).waitFor()
  expect(page.url()).toBe(`${new URL(service.api).origin}/revision/#/invitacion`)
  return page
}

const setPassword = async (page: Page, password: string, repeated = password) => {
  await page.getByLabel('Tu contraseña nueva').fill(password)
  await page.getByLabel('Otra vez').fill(repeated)
  await page.getByRole('button', { name: 'Guardar y entrar' }).click()
}

it('sets a password, and replaces the session of the tab only then', async () => {
  const { invitation } = await addUser('rita@demo.mx')
  const page = await openInvitation(invitation?.url ?? '')
  await page.getByText('En esta pestaña entró María José').waitFor()
  expect(await axeViolations(page)).toEqual([])
  const before = await tokenOf(page)
  await setPassword(page, 'siete77')
  await page.getByText('Escribe 8 caracteres o más.').waitFor()
  await setPassword(page, 'una frase mía', 'otra frase')
  await page.getByText('No es igual a la de arriba.').waitFor()
  expect(await tokenOf(page)).toBe(before)
  await setPassword(page, 'una frase mía')
  await page.locator('.menu', { hasText: 'Rita Olmos' }).waitFor()
  const anyone = await api()
  expect(await anyone.isSignedIn(String(await tokenOf(page)))).toBe(true)
  expect(await anyone.isSignedIn(String(before))).toBe(false)
})

it('tells somebody who does not use the console that the password was saved', async () => {
  const page = await openInvitation(await invite('E-002'))
  await setPassword(page, 'una frase mía')
  await page.getByText('ya puedes entrar en la app de tu empresa').waitFor()
  expect(await tokenOf(page)).toBeNull()
})

it('explains that a link is no longer valid', async () => {
  const older = await invite('E-007')
  await invite('E-007')
  const page = await open({ signedIn: false })
  await page.evaluate(`location.hash = '${new URL(older).hash}'`)
  await page.getByRole('heading', { name: 'Este enlace ya no sirve', level: 1 }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Abre otra vez tu enlace' }).waitFor()
})

it('prints a slip for each person, and leaves out people who are refused', async () => {
  const { employees } = await keeper()
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
  await addUser('n0@demo.mx', { employee_id: 'N-0' })
  const page = await open({ path: 'invitaciones?branch_office=Oriente' })
  await page.getByText('1 persona no recibe un enlace aquí').click()
  await page.getByText('Persona 0 (N-0) tiene un usuario con rol Administración').waitFor()
  await page.getByRole('button', { name: 'Hacer los enlaces de 119 personas' }).waitFor()
  await press(page, 'Ninguna')
  await page.getByLabel('Nombre o número').fill('PERSÓNA 11')
  await expect.poll(() => page.locator('.people li').count()).toBe(11)
  await press(page, 'Todas')
  await page.getByRole('button', { name: 'Hacer los enlaces de 11 personas' }).waitFor()
  await page.getByLabel('Nombre o número').fill('PERSÓNA 111')
  await page.getByText('También están elegidas 10 personas que esta búsqueda no muestra').waitFor()
  await page.getByLabel('Nombre o número').fill('')
  await expect.poll(() => page.locator('.people li').count()).toBe(100)
  await press(page, 'Sin usuario')
  await page.getByRole('button', { name: 'Hacer los enlaces de 119 personas' }).waitFor()
  // Somebody gets a user with another role while the list is on the page.
  await addUser('n104@demo.mx', { employee_id: 'N-104' })
  await press(page, 'Hacer los enlaces de 119 personas')
  await page.getByRole('heading', { name: '118 invitaciones' }).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1')
  await waitForMessage(page, 'Se hicieron 118 enlaces.')
  await page.getByText(/Persona 104 \(N-104\).* rol admin/).waitFor()
  expect(await page.getByRole('img', { name: /^Código QR/ }).count()).toBe(118)
  expect(await axeViolations(page)).toEqual([])
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('button', { name: 'Imprimir' }).isVisible()).toBe(false)
  const style = "getComputedStyle(document.querySelector('.slip')).breakInside"
  expect(await page.evaluate(style)).toBe('avoid')
  await page.emulateMedia({ media: 'screen' })

  const asked = stayWhenAsked(page)
  const mayClose = () =>
    page.evaluate("dispatchEvent(new Event('beforeunload', {cancelable: true}))")
  await page.evaluate('history.back()')
  await expect.poll(() => asked.length).toBe(1)
  await press(page, 'Invitar a otras personas')
  await go(page, 'personas')
  await expect.poll(() => asked.length).toBe(3)
  expect(await mayClose()).toBe(false)
  expect(await page.getByRole('img', { name: /^Código QR/ }).count()).toBe(118)
  expect(page.url()).toContain('#/invitaciones')
  await page.evaluate("dispatchEvent(new Event('afterprint'))")
  await expect.poll(mayClose).toBe(true)
  await go(page, 'personas')
  await page.getByRole('heading', { name: 'Personas' }).waitFor()
  expect(asked).toHaveLength(3)
})

it('starts with the people for a clerk who sees no logs, and offers only what they may use', async () => {
  const page = await open({ email: CLERK, viewport: NARROW, path: '' })
  await page.getByRole('heading', { name: 'Personas' }).waitFor()
  const sections = page.getByRole('navigation', { name: 'Secciones' }).getByRole('link')
  expect(await sections.allTextContents()).toEqual(['Relojes', 'Personas', 'Acuerdo'])
  for (const path of ['usuarios', 'usuarios/nuevo', 'hoy', 'checadas', 'horas', 'cierres']) {
    await go(page, path)
    await page.getByRole('heading', { name: 'Tu usuario no usa esta sección', level: 1 }).waitFor()
    expect(await page.getByRole('link', { name: 'Invitar' }).count()).toBe(0)
  }
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Ir a Personas' }).click()
  // Whose the numbers of clocks are is the clerk's to say.
  await page.getByRole('link', { name: 'Relojes' }).click()
  await page.getByRole('heading', { name: /^Ningún reloj agregado/ }).waitFor()
  await page.getByText('Cómo conectar un reloj').waitFor()
  expect(await page.locator('.problem').allTextContents()).toEqual([])
  await page.getByRole('link', { name: 'Personas', exact: true }).click()
  await page.getByRole('link', { name: 'Hoja de invitaciones' }).click()
  await page.getByRole('heading', { name: 'Hoja de invitaciones' }).waitFor()
})

it('lets a clerk make one link, for a lost password, with the keyboard', async () => {
  const page = await open({ email: CLERK, viewport: NARROW })
  await go(page, 'personas/persona?id=E-009')
  const heading = page.getByRole('heading', { name: 'Itzel Ramírez Ochoa' })
  await heading.waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1')
  await page.getByRole('button', { name: 'Nuevo enlace' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('pone otra contraseña').waitFor()
  await page.getByRole('button', { name: 'Hacer el enlace' }).focus()
  await page.keyboard.press('Enter')
  const link = await page.getByLabel('Enlace de invitación').inputValue()
  await page.getByRole('img', { name: 'Código QR del enlace' }).waitFor()
  const focused = () => page.evaluate('document.activeElement.textContent')
  await expect.poll(focused).toBe('Envíale este enlace')
  await expectAccessible(page)
  const other = await openInvitation(link)
  await setPassword(other, 'otra frase mía')
  await other.getByText('ya puedes entrar en la app de tu empresa').waitFor()
})

it('says that the user of somebody who was hired again stays deactivated', async () => {
  const { employees } = await keeper()
  const { version, user: _, employee_id, ...record } = await readPerson('E-008')
  const ended_at = dateDaysAgo(2)
  const json = { ...record, ended_at, deactivate_user: true, expected_version: version }
  await dataOf(employees[':employee_id'].$put({ param: { employee_id }, json }))
  const page = await open({ path: 'personas/persona?id=E-008&hacer=recontratar' })
  await page.getByLabel('Ingreso').fill(record.started_at)
  await page.getByRole('button', { name: 'Recontratar' }).click()
  await page.getByText('Su usuario, hector.zuniga@demo.mx, sigue desactivado').waitFor()
  await page.getByRole('link', { name: 'Activarlo en Usuarios' }).waitFor()
  await go(page, 'invitaciones?branch_office=Centro')
  await page.getByText(/personas? no reciben? un enlace aquí/).click()
  await page.getByText('El usuario de Héctor Zúñiga Robles (E-008) está desactivado.').waitFor()
})

it('shows a heading on the page of a person who does not exist', async () => {
  const page = await open({ path: 'personas/persona?id=NADIE' })
  await page.getByRole('heading', { name: 'No se pudo leer a la persona', level: 1 }).waitFor()
  expect(await axeViolations(page)).toEqual([])
})

it('goes on with the sheet after the connection was lost', async () => {
  const page = await open({ path: 'invitaciones?branch_office=Sur' })
  await page.getByRole('button', { name: /^Hacer los enlaces de/ }).waitFor()
  await page.route('**/people/invitations', (route) => route.abort(), { times: 1 })
  const send = page.getByRole('button', { name: /^Hacer los enlaces? de/ })
  await send.click()
  await waitForMessage(page, 'El servicio no respondió.')
  await send.click()
  await page.getByRole('heading', { name: '1 invitación', exact: true }).waitFor()
  await waitForMessage(page, 'Se hizo 1 enlace.')
})
