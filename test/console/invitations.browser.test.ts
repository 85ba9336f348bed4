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

/** In these tests, the auditor of the demo is a clerk who manages employees and sees no logs. */
const CLERK = 'auditoria@despacho.mx'
const { open, api, service } = useConsole(['--var', 'PEOPLE_ROLES:admin,auditor'])

const keeper = async () => (await api(OTHER_ADMIN)).people

const invite = async (employee_id: string) => {
  const { invitations } = await keeper()
  const made = await dataOf(invitations.$post({ json: { employee_ids: [employee_id] } }))
  return made.invitations[0]?.url ?? ''
}

/** Opens a link in a tab in which somebody else has signed in. */
const openInvitation = async (url: string) => {
  const page = await open({ email: OTHER_ADMIN })
  await page.evaluate(`location.hash = '${new URL(url).hash}'`)
  await page.getByRole('heading', { name: 'Hola,' }).waitFor()
  const address = `${new URL(service.api).origin}/revision/#/invitacion`
  await expect.poll(() => page.url()).toBe(address)
  return page
}

const setPassword = async (page: Page, password: string, repeated = password) => {
  await page.getByLabel('Tu contraseña nueva').fill(password)
  await page.getByLabel('Otra vez').fill(repeated)
  await page.getByRole('button', { name: 'Guardar y entrar' }).click()
}

it('prints a slip for each person, and asks before the links are lost', async () => {
  const clerk = await api(OTHER_ADMIN)
  await clerk.addEmployee('N-1', 'Rita Vidal Mora')
  await clerk.addEmployee('N-2', 'Saúl Vidal Mora')
  const page = await open({ path: 'invitaciones?branch_office=Centro' })
  await press(page, /^Hacer los enlaces de \d+ personas$/)
  const title = await page.getByRole('heading', { name: /^\d+ invitaciones$/ }).textContent()
  const count = Number(title?.split(' ')[0])
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1')
  await waitForMessage(page, /^Se hicieron \d+ enlaces\./)
  const pictures = page.getByRole('img', { name: /^Código QR/ })
  await expect.poll(() => pictures.count()).toBe(count)
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
  expect(await pictures.count()).toBe(count)
  await expect.poll(() => page.url()).toContain('#/invitaciones')
  await page.evaluate("dispatchEvent(new Event('afterprint'))")
  await expect.poll(mayClose).toBe(true)
  await go(page, 'personas')
  await page.getByRole('heading', { name: 'Personas' }).waitFor()
  expect(asked).toHaveLength(3)
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

it('is accessible where a link is opened, and where there is nothing to see', async () => {
  const page = await openInvitation(await invite('E-002'))
  await page.getByText('En esta pestaña entró María José').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await go(page, 'personas/persona?id=NADIE')
  await page.getByRole('heading', { name: 'No se pudo leer a la persona', level: 1 }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  const clerk = await open({ email: CLERK, viewport: NARROW, path: 'cierres' })
  await clerk.getByRole('heading', { name: 'Tu usuario no usa esta sección', level: 1 }).waitFor()
  expect(await axeViolations(clerk)).toEqual([])
})
