import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { dataOf } from '../../sdk/api-client.ts'
import { saveScreenshot } from '../support/browser.ts'
import { download, go, OTHER_ADMIN, press, useConsole, waitForMessage } from '../support/console.ts'

const { open, api } = useConsole()

const readPerson = async (employee_id: string) => {
  const { employees } = (await api(OTHER_ADMIN)).people
  return (await dataOf(employees[':employee_id'].$get({ param: { employee_id } }))).employee
}

const people = (page: Page) => page.locator('tbody tr')

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })

it('stays on the page that was opened right after typing in a filter', async () => {
  const page = await open({ path: 'personas' })
  await people(page).nth(12).waitFor()
  await page.clock.install()
  await page.getByLabel('Nombre o número').fill('mendoza')
  await go(page, 'ayuda')
  await page.getByRole('heading', { name: 'Ayuda' }).first().waitFor()
  await page.clock.runFor(1_000)
  expect(page.url()).toMatch(/#\/ayuda$/)
})

it('gives what is shown as CSV', async () => {
  await (await api()).addEmployee('00077', 'Rita Vidal Mora')
  const page = await open({ path: 'personas?q=Vidal' })
  await expect.poll(() => people(page).count()).toBe(1)
  await saveScreenshot(page, 'personas')
  const { name, bytes } = await download(page, page.getByRole('button', { name: /^CSV/ }))
  const lines = bytes.toString().split('\r\n')
  expect(name).toBe('personas.csv')
  expect(lines[0]).toMatch(/^\ufeffNúmero,Nombre completo,RFC,Sucursal,/)
  expect(lines[1]).toMatch(/^"=""00077""",Rita Vidal Mora,/)
})

it('adds somebody with the keyboard, after the warnings have been confirmed', async () => {
  const page = await open({ path: 'personas' })
  await people(page).first().waitFor()
  await page.getByRole('link', { name: 'Agregar persona' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('employee_id')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Escribe su número.').waitFor()
  await field(page, 'Número').focus()
  await page.keyboard.type('e-0013')
  for (const text of ['Tomás Ñúñez', 'MEPL760907AJ6', 'Oriente', 'ventas', 'Cajero', '']) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(text)
  }
  await field(page, 'Ingreso').fill('2026-11-23')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Todavía no se guarda').waitFor()
  const warning = (name: string) => page.locator(`[id$="-${name}-hint"]`).textContent()
  await expect.poll(() => warning('rfc')).toBe('También lo tiene E-002.')
  await expect.poll(() => warning('branch_office')).toBe('Nadie más está en esta sucursal.')
  await expect
    .poll(() => warning('department'))
    .toBe('Nadie más está en este departamento. ¿Es «Ventas»?Sí, es «Ventas»')
  await saveScreenshot(page, 'personas-avisos')
  await expect(readPerson('e-0013')).rejects.toThrow('No existe')
  await press(page, 'Sí, es «Ventas»')
  await expect.poll(() => field(page, 'Departamento').inputValue()).toBe('Ventas')
  // A corrected field has other warnings, which are confirmed anew.
  await field(page, 'Sucursal').fill('Sur')
  await page.getByLabel('Leí los avisos y es correcto').check()
  await Promise.all([page.waitForResponse('**/bulk'), page.keyboard.press('Control+Enter')])
  await expect.poll(() => page.getByText('Nadie más está en esta sucursal.').count()).toBe(0)
  await page.getByLabel('Leí los avisos y es correcto').check()
  await page.keyboard.press('Control+Enter')
  await waitForMessage(page, 'Se agregó a Tomás Ñúñez.')
  await page.getByText(/^Alta: Número «e-0013»|^Alta: Nombre completo «Tomás Ñúñez»/).waitFor()
  expect(await readPerson('e-0013')).toMatchObject({ branch_office: 'Sur', version: 1 })
})
