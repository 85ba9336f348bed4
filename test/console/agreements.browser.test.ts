import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { DEMO_EMPLOYEE, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { dataOf } from '../../sdk/api-client.ts'
import { saveScreenshot } from '../support/browser.ts'
import {
  expectAccessible,
  NARROW,
  OTHER_ADMIN,
  press,
  useConsole,
  waitForMessage,
} from '../support/console.ts'

/** Acuerdo as only a browser shows it. What it says and sends is in papers.service.test.ts, too. */

const { open, api } = useConsole(['--var', 'PAYROLL_ROLES:admin,auditor'])

const TEXT = {
  title: 'Registro electrónico de la jornada',
  text: 'El trabajador y la empresa acuerdan…\nSegundo párrafo.',
  valid_from: '2026-01-01',
}
const SCAN = Buffer.from('%PDF-1.7 lo que dice el papel')

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')

const publish = async (changes: Partial<typeof TEXT>) => {
  const { agreements } = await api(OTHER_ADMIN)
  const json = { ...TEXT, ...changes }
  return { ...json, ...(await dataOf(agreements.$post({ json }))) }
}

/** The rows of the people who have agreed, and of those who have not. */
const people = (page: Page) => page.locator('section', { hasText: 'Quién lo acordó' }).locator('li')

const rowOf = (page: Page, name: string) => people(page).filter({ hasText: name })

const expectCounts = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor()

const expectReadable = async (page: Page, name: string) => {
  await saveScreenshot(page, name)
  await expectAccessible(page)
}

it('counts agreements in the app and on paper, but no void paper, and sends only hashes', async () => {
  const { id, sha256: hash } = await publish({ title: 'Texto acordado' })
  const { agreements } = await api(DEMO_EMPLOYEE)
  const json = { sha256: hash, password: DEMO_PASSWORD }
  await dataOf(agreements[':id'].accept.$post({ param: { id }, json }))
  const page = await open({ path: 'acuerdo', viewport: NARROW })
  await rowOf(page, 'Luis Mendoza Peña').getByText('En la app').waitFor()
  expect(await rowOf(page, 'Luis Mendoza Peña').getByRole('button').count()).toBe(0)
  // Users may not record a paper that they signed themselves.
  expect(await rowOf(page, 'Ana Torres Rivas').getByRole('button').count()).toBe(0)
  await expectCounts(page, 'Acordaron 1; faltan 12.')
  await page.getByLabel('Sucursal').selectOption('Sur')
  await page.getByLabel('Mostrar').selectOption('Quienes faltan')
  await expect.poll(() => people(page).count()).toBe(3)
  await rowOf(page, "Fernanda O'Farrill").getByText('Sin usuario: solo en papel').waitFor()
  await expectReadable(page, 'acuerdo')

  const sent: string[] = []
  page.on('request', (request) => sent.push(request.postData() ?? ''))
  await rowOf(page, "Fernanda O'Farrill").getByRole('button').focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: "Papel de Fernanda O'Farrill Campos (E-011)" })
  await dialog.getByLabel('Comentario').fill('Caja 3')
  await press(page, 'Asentar')
  await dialog.getByText('Pon el día de la firma.').waitFor()
  await dialog.getByText('Elige el archivo y espera su huella.').waitFor()
  const choose = (buffer: Buffer) =>
    dialog
      .getByLabel('Escaneo del papel')
      .setInputFiles({ name: 'papel.pdf', mimeType: 'application/pdf', buffer })
  await choose(Buffer.of())
  await dialog.getByText('Está vacío o no se pudo leer').waitFor()
  await choose(SCAN)
  await dialog.getByText(`Huella: ${sha256(SCAN)}`).waitFor()
  await dialog.getByText('El archivo no se envía').waitFor()
  await dialog.getByLabel('Día de la firma').fill('2025-12-31')
  await press(page, 'Asentar')
  await dialog.getByText('La fecha del papel va del primer día del texto hasta hoy.').waitFor()
  await expectReadable(page, 'acuerdo-papel')
  await dialog.getByLabel('Día de la firma').fill('2026-01-02')
  await press(page, 'Asentar')
  await waitForMessage(page, "Quedó asentado el papel de Fernanda O'Farrill")
  expect(sent.filter((body) => body.includes('%PDF'))).toEqual([])
  expect(
    sent.filter((body) => body.includes(sha256(SCAN)) && body.includes('Caja 3')),
  ).toHaveLength(2)
  // The row of Fernanda O'Farrill is no longer in the list, so the next row has the focus.
  await expect.poll(() => people(page).count()).toBe(2)
  await expectCounts(page, 'Acordaron 1; faltan 2.')
  await expect
    .poll(() => page.evaluate('document.activeElement.textContent'))
    .toBe('Asentar un papel de Íñigo Salas Montaño')

  await page.getByLabel('Mostrar').selectOption('Quienes acordaron')
  await rowOf(page, "Fernanda O'Farrill").getByText('En papel').waitFor()
  await people(page)
    .getByText(/asentado el [\d/]{10}$/)
    .waitFor()
  await press(page, "Anular el papel de Fernanda O'Farrill Campos")
  await press(page, 'Anular')
  await page.getByText('Escribe el motivo').waitFor()
  await page.getByLabel('Motivo').fill('x'.repeat(501))
  await press(page, 'Anular')
  await page.getByText(/no puede tener más de \d+ caracteres/).waitFor()
  await page.getByLabel('Motivo').fill('El papel es de otra persona.')
  await press(page, 'Anular')
  await page.getByText('Aquí no hay nadie.').waitFor()
  await expectCounts(page, 'Acordaron 0; faltan 3.')
})

it('is accessible on a narrow phone while a text is written, and for users who only read', async () => {
  await publish({ title: 'Texto corregido', valid_from: '2999-01-01' })
  const page = await open({ viewport: NARROW })
  await page.locator('.menu summary').click()
  await page.getByRole('link', { name: 'Acuerdo' }).click()
  await page.getByRole('link', { name: 'Publicar un texto' }).click()
  await press(page, 'Publicar')
  await page.getByText('Escribe el título.').waitFor()
  await expectReadable(page, 'acuerdo-nuevo')
  const reader = await open({ path: 'acuerdo', email: 'auditoria@despacho.mx', viewport: NARROW })
  await reader.getByRole('heading', { name: 'Otros textos' }).waitFor()
  await reader.getByText(/^Acordaron /).waitFor()
  await expectReadable(reader, 'acuerdo-lectura')
})
