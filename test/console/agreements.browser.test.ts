import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { DEMO_EMPLOYEE, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { dataOf } from '../../sdk/api-client.ts'
import { saveScreenshot } from '../support/browser.ts'
import {
  expectAccessible,
  go,
  NARROW,
  OTHER_ADMIN,
  press,
  useConsole,
  waitForMessage,
} from '../support/console.ts'

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

const counts = (page: Page) => page.getByText(/^Acordaron \d+; faltan \d+\.$/).textContent()

const expectReadable = async (page: Page, name: string) => {
  await saveScreenshot(page, name)
  await expectAccessible(page)
}

it('publishes a text only after it is confirmed, and keeps what was typed until then', async () => {
  const page = await open({ viewport: NARROW })
  await page.locator('.menu summary').click()
  await page.getByRole('link', { name: 'Acuerdo' }).click()
  await page.getByText('Todavía no hay un texto.').waitFor()
  await page.getByRole('link', { name: 'Publicar un texto' }).click()
  const text = page.getByLabel('Texto', { exact: true })
  const draft = (await text.inputValue()).replace(/\s+/g, ' ')
  expect(readFileSync('docs/agreements.md', 'utf8').replace(/\s+(> )?/g, ' ')).toContain(draft)
  await press(page, 'Publicar')
  await page.getByText('Escribe la llave de tus sellos en lugar de «[LLAVE]»').waitFor()
  await text.fill(TEXT.text)
  await press(page, 'Publicar')
  await page.getByText('Escribe el título.').waitFor()
  await page.getByText('Confirma que es el texto definitivo.').waitFor()
  await page.getByText('Una vez publicado no se cambia ni se borra.').waitFor()
  await expectReadable(page, 'acuerdo-nuevo')
  await page.reload()
  await expect.poll(() => page.getByLabel('Texto', { exact: true }).inputValue()).toBe(TEXT.text)
  await page.getByLabel('Título').fill('x'.repeat(201))
  await page.getByLabel('Primer día').fill(TEXT.valid_from)
  await page.getByLabel('Es el texto definitivo').check()
  await press(page, 'Publicar')
  await page.getByText('no puede tener más de 200 caracteres').waitFor()
  await page.getByLabel('Título').fill(TEXT.title)
  await press(page, 'Publicar')
  await page.getByRole('heading', { name: TEXT.title }).waitFor()
  await page.getByText('Vigente').waitFor()
  await page.getByText(sha256(`${TEXT.title}\n${TEXT.valid_from}\n${TEXT.text}`)).waitFor()
  await page.getByText('Leer el texto').click()
  await page.getByText('Segundo párrafo.').waitFor()
  expect(await counts(page)).toBe('Acordaron 0; faltan 13.')
})

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
  expect(await counts(page)).toBe('Acordaron 1; faltan 12.')
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
  expect(await counts(page)).toBe('Acordaron 1; faltan 2.')
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
  expect(await counts(page)).toBe('Acordaron 0; faltan 3.')
})

it('shows future texts to a user who may only read, without a way to publish or record', async () => {
  const { title } = await publish({ title: 'Texto vigente' })
  await publish({ title: 'Texto corregido', valid_from: '2999-01-01' })
  const page = await open({ path: 'acuerdo', email: 'auditoria@despacho.mx', viewport: NARROW })
  await page.getByRole('heading', { name: 'Otros textos' }).waitFor()
  await page.getByRole('heading', { name: title }).waitFor()
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Publicar' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Texto corregido' }).click()
  await page.getByRole('heading', { name: 'Texto corregido' }).waitFor()
  await page.getByText('Todavía no vale').waitFor()
  await expect.poll(() => counts(page)).toBe('Acordaron 0; faltan 13.')
  await go(page, 'acuerdo/nuevo')
  await page.getByRole('heading', { name: title }).waitFor()
  await expectReadable(page, 'acuerdo-lectura')
})
