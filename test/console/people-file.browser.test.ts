import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { dataOf } from '../../sdk/api-client.ts'
import { saveScreenshot } from '../support/browser.ts'
import { axeViolations, NARROW, OTHER_ADMIN, useConsole } from '../support/console.ts'

const { open, api } = useConsole()

const find = async (q: string) => {
  const { employees } = (await api(OTHER_ADMIN)).people
  return (await dataOf(employees.$get({ query: { q, limit: 500 } }))).employees
}

const CELLS = 'Copia las celdas en tu hoja y pégalas aquí'

/** Pastes cells as a spreadsheet program has copied them. */
const paste = async (page: Page, text: string) => {
  await page.getByLabel(CELLS).waitFor()
  await page.evaluate(`{
    const data = new DataTransfer()
    data.setData('text/plain', ${JSON.stringify(text)})
    document.querySelector('textarea').dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  }`)
}

const choose = (page: Page, name: string, buffer: Buffer) =>
  page.getByLabel('O elige un archivo CSV').setInputFiles({ name, mimeType: 'text/csv', buffer })

const check = (page: Page) => page.getByRole('button', { name: /^Revisar / }).click()

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 2 })

const save = (page: Page, count: number) =>
  page.getByRole('button', { name: `Guardar ${count.toLocaleString('es-MX')} persona` }).click()

const rowsOf = (page: Page) => page.locator('main li:has(> h3)')

const overflowOf = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth')

const tabbed = (...rows: string[][]) => rows.map((row) => row.join('\t')).join('\r\n')

it('is accessible at each step of a sheet with faults and questions', async () => {
  const page = await open({ path: 'personas/archivo' })
  const sheet = tabbed(
    ['Número', 'Nombre', 'Sucursal', 'Ingreso', 'Teléfono'],
    ['00777', 'MarÃ\u00ada Peña', 'Norte', '03/05/2024', ''],
    ['00778', 'Ana Ruiz', 'Oriente', '03/25/2024', '5.55E+09'],
    ['E-010', 'Paola Gil Ortega', 'Norte', '02/10/2020', '181234567'],
  )
  await paste(page, sheet)
  await heading(page, 'Columnas').waitFor()
  await page.getByText('Di en qué orden están el día y el mes.').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByLabel('Las fechas de D: Ingreso están en').selectOption('mes/día/año')
  await check(page)
  await heading(page, 'Así quedaría').waitFor()
  await rowsOf(page).getByText('Tiene letras dañadas. ¿Es «María Peña»?').waitFor()
  await rowsOf(page).getByText('La hoja abrevió').waitFor()
  await saveScreenshot(page, 'personas-hoja')
  expect(await axeViolations(page)).toEqual([])
})

it('reads a CSV with semicolons in windows-1252, and lets its columns be changed', async () => {
  const page = await open({ path: 'personas/archivo', viewport: NARROW })
  await choose(page, 'libro.xlsx', Buffer.from('PK\u0003\u0004'))
  await page.getByText('Es un libro de Excel').waitFor()
  const text = 'Num;Persona;Ciudad\r\nE-006;"Íñigo Salas; Montaño";Norte\r\n'
  await choose(page, 'personas.csv', Buffer.from(text, 'latin1'))
  await page.getByLabel('C: Ciudad').selectOption('Sucursal')
  await expect.poll(() => overflowOf(page)).toBe(0)
  await check(page)
  await rowsOf(page).getByText('Sucursal: «Sur» → «Norte»').waitFor()
  await rowsOf(page).getByText('«Íñigo Salas Montaño» → «Íñigo Salas; Montaño»').waitFor()
  expect(await overflowOf(page)).toBe(0)
  await saveScreenshot(page, 'personas-hoja-320')
  const warnings = page.getByLabel(/^Leí los avisos/)
  if ((await warnings.count()) > 0) await warnings.check()
  await save(page, 1)
  await heading(page, 'Se guardó').waitFor()
  expect(await find('E-006')).toMatchObject([
    { full_name: 'Íñigo Salas; Montaño', branch_office: 'Norte' },
  ])
})

it('keeps stored values where cells are empty, unless their deletion is confirmed', async () => {
  const page = await open({ path: 'personas/archivo', viewport: NARROW })
  await paste(page, tabbed(['Número', 'Último día'], ['E-013', '20/11/2026']))
  await check(page)
  await save(page, 1)
  await page.getByRole('button', { name: 'Otra hoja' }).click()

  const sheet = tabbed(
    ['Plantilla de noviembre', '', '', '', ''],
    ['Número', 'Puesto', 'RFC', 'Sucursal', 'Baja'],
    ['E-008', '', '', 'sur ', ''],
    ['E-013', '', '', 'CentroDeDistribuciónDelNorteDelPaís', ''],
  )
  await paste(page, sheet)
  await check(page)
  await page.getByText('0 nuevas, 2 cambian, 0 iguales, 0 con error.').waitFor()
  await page.getByText('Sucursales nuevas: «sur» (1 fila), «Centro').waitFor()
  expect(await rowsOf(page).getByText('Puesto:').count()).toBe(0)
  await page.getByText('Qué es cada columna').focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Las celdas vacías borran lo que hay').focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: /^Revisar / }).focus()
  await page.keyboard.press('Enter')
  await page
    .getByText('borran: 2 quedan sin RFC, 2 quedan sin puesto, 1 vuelve a trabajar')
    .waitFor()
  expect(await overflowOf(page)).toBe(0)
  expect(await axeViolations(page)).toEqual([])
  await page.getByLabel('Lo nuevo está bien escrito').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await page.getByText('Confirma esto.').first().waitFor()
  expect(await find('E-013')).toMatchObject([{ ended_at: '2026-11-20' }])
  // The box that was not checked has the focus.
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await heading(page, 'Se guardó').waitFor()
  expect(await find('E-013')).toMatchObject([
    { job_position: '', rfc: '', ended_at: null, branch_office: expect.stringContaining('Centro') },
  ])
})

it('takes 5,000 rows without freezing, and adds nobody twice if it is sent again', async () => {
  const page = await open({ path: 'personas/archivo' })
  const rows = Array.from({ length: 5_000 }, (_, i) => [
    `N${String(i).padStart(5, '0')}`,
    `Persona ${i}`,
    '01/02/2024',
    'Norte',
    `Área ${i}`,
  ])
  await page.evaluate(`{
    window.longest = 0
    let last = performance.now()
    const tick = () => {
      window.longest = Math.max(window.longest, performance.now() - last)
      last = performance.now()
      setTimeout(tick)
    }
    tick()
  }`)
  const began = performance.now()
  await paste(page, tabbed(['Número', 'Nombre', 'Ingreso', 'Sucursal', 'Departamento'], ...rows))
  await page.getByRole('button', { name: 'Revisar 5,000 filas' }).click()
  await heading(page, 'Así quedaría').waitFor()
  await page.getByText('5,000 nuevas, 0 cambian, 0 iguales, 0 con error.').waitFor()
  const took = performance.now() - began
  await page.getByText('1 a 100 de 5,000').waitFor()
  await page.getByText(/«Área 29» \(1 fila\), y 4,970 nombres más\./).waitFor()
  await expect.poll(() => rowsOf(page).count()).toBe(100)
  // The page never blocks for seconds. On a slow machine everything takes longer, and a pause too.
  const longest = Number(await page.evaluate('window.longest'))
  expect(longest).toBeLessThan(Math.max(2_000, took / 4))

  let sent = 0
  await page.route('**/people/employees/bulk', async (route) => {
    sent++
    if (sent !== 3) return route.continue()
    // The service writes the third chunk, and its response is lost.
    await route.fetch()
    await route.abort()
  })
  await page.getByLabel('Lo nuevo está bien escrito').check()
  await save(page, 5_000)
  await heading(page, 'No se terminó').waitFor()
  await page.getByText('Ya se guardaron 1,000 de 5,000 personas.').waitFor()
  await page.getByRole('button', { name: 'Revisar de nuevo' }).click()
  await page.getByText('3,500 nuevas, 0 cambian, 1,500 iguales').waitFor()
  await page.getByLabel('Lo nuevo está bien escrito').check()
  await save(page, 3_500)
  await heading(page, 'Se guardó').waitFor()
  const [first] = await find('N00000')
  const [third] = await find('N01200')
  const [last] = await find('N04999')
  expect([first?.version, third?.version, last?.version]).toEqual([1, 1, 1])
})
