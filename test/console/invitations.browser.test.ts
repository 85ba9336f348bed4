import { expect, it } from 'vitest'
import { axeViolations, OTHER_ADMIN, useConsole } from '../support/console.ts'
import { done, failed, LINK, letKeepPeople } from '../support/console-people.ts'

const { open, service } = useConsole()

const TOKEN = 'a'.repeat(43)
const ABOUT = { full_name: 'Luis Mendoza Peña', email: 'luis.mendoza@demo.mx' }

/** Opens an invitation. The new session is that of a user of the demo. */
const openInvitation = async (email: string) => {
  const page = await open({ email: OTHER_ADMIN })
  const { origin } = new URL(service.api)
  const bodies: unknown[] = []
  await page.route(/auth\/invitation\/check$/, (route) =>
    done(route, { ...ABOUT, expires_at: LINK.expires_at }),
  )
  await page.route(/auth\/invitation$/, async (route) => {
    bodies.push(route.request().postDataJSON())
    const data = { email, password: 'checada-demo' }
    const response = await route.fetch({ url: `${origin}/api/auth/login`, postData: data })
    await route.fulfill({ response })
  })
  await page.evaluate(`location.hash = '#/invitacion/${TOKEN}'`)
  await page.getByRole('heading', { name: 'Hola, Luis Mendoza Peña' }).waitFor()
  expect(page.url()).toBe(`${origin}/revision/#/invitacion`)
  return { page, bodies }
}

it('sets a password, and replaces the session of the tab only then', async () => {
  const { page, bodies } = await openInvitation('ana.torres@demo.mx')
  await page.getByText('En esta pestaña entró María José').waitFor()
  expect(await axeViolations(page)).toEqual([])
  const before = await page.evaluate("sessionStorage.getItem('checada.token')")
  await page.getByLabel('Tu contraseña nueva').fill('siete77')
  await page.getByRole('button', { name: 'Guardar y entrar' }).click()
  await page.getByText('Escribe 8 caracteres o más.').waitFor()
  await page.getByLabel('Tu contraseña nueva').fill('una frase mía')
  await page.getByLabel('Otra vez').fill('otra frase')
  await page.getByRole('button', { name: 'Guardar y entrar' }).click()
  await page.getByText('No es igual a la de arriba.').waitFor()
  expect(await page.evaluate("sessionStorage.getItem('checada.token')")).toBe(before)
  await page.getByLabel('Otra vez').fill('una frase mía')
  await page.getByRole('button', { name: 'Guardar y entrar' }).click()
  await page.getByText('Ana Torres Rivas').first().waitFor()
  expect(bodies).toEqual([{ token: TOKEN, password: 'una frase mía' }])
})

it('tells somebody who does not use the console that the password was saved', async () => {
  const { page } = await openInvitation('luis.mendoza@demo.mx')
  await page.getByLabel('Tu contraseña nueva').fill('una frase mía')
  await page.getByLabel('Otra vez').fill('una frase mía')
  await page.getByRole('button', { name: 'Guardar y entrar' }).click()
  await page.getByText('ya puedes entrar en la app de tu empresa').waitFor()
  expect(await page.evaluate("sessionStorage.getItem('checada.token')")).toBeNull()
})

it('explains that a link is of no use any more', async () => {
  const page = await open({ signedIn: false })
  await page.route(/auth\/invitation\/check$/, (route) => failed(route, 410))
  await page.evaluate(`location.hash = '#/invitacion/${TOKEN}'`)
  await page.getByRole('heading', { name: 'Este enlace ya no sirve' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Abre otra vez tu enlace' }).waitFor()
})

it('prints a slip for each person, and leaves out who is refused', async () => {
  const page = await open()
  await letKeepPeople(page)
  const employees = Array.from({ length: 120 }, (_, i) => ({
    employee_id: `N-${i}`,
    full_name: `Persona ${i}`,
    branch_office: 'Norte',
    user: i === 0 ? { id: 1, email: 'x@demo.mx', role: 'admin', active: 1 } : null,
  }))
  await page.route(/people\/employees/, (route) => done(route, { employees, next_cursor: null }))
  const sizes: number[] = []
  await page.route(/people\/invitations/, (route) => {
    const ids: string[] = route.request().postDataJSON().employee_ids
    sizes.push(ids.length)
    if (sizes.length === 2) {
      return failed(route, 422, { errors: { 'employee_ids.3': ['Tiene otro rol.'] } })
    }
    const email = 'x@sin-correo.invalid'
    return done(route, { invitations: ids.map((id) => ({ employee_id: id, email, ...LINK })) })
  })
  await page.reload()
  await page.evaluate("location.hash = '#/invitaciones'")
  await page.getByRole('button', { name: 'Hacer los enlaces de 119 personas' }).click()
  await page.getByRole('heading', { name: '118 invitaciones' }).waitFor()
  expect(sizes).toEqual([100, 19, 18])
  await page.getByText('Persona 104 (N-104): Tiene otro rol.').waitFor()
  expect(await page.getByRole('img', { name: /^Código QR/ }).count()).toBe(118)
  expect(await axeViolations(page)).toEqual([])
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('button', { name: 'Imprimir' }).isVisible()).toBe(false)
  const style = "getComputedStyle(document.querySelector('.slip')).breakInside"
  expect(await page.evaluate(style)).toBe('avoid')
})
