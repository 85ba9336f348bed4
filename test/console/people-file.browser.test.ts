import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { createClient, dataOf } from '../../sdk/api-client.ts'
import { saveScreenshot } from '../support/browser.ts'
import { axeViolations, NARROW, OTHER_ADMIN, useConsole } from '../support/console.ts'
import { daysAgo } from '../support/console-api.ts'

const { open, api, service } = useConsole()

const asMaria = async () => {
  const { token } = await api(OTHER_ADMIN)
  const { employees } = createClient(new URL(service.api).origin, { token }).v2.people
  return {
    find: async (q: string) =>
      (await dataOf(employees.$get({ query: { q, limit: 500 } }))).employees,
    move: async (employee_id: string, branch_office: string) => {
      const param = { employee_id }
      const { employee } = await dataOf(employees[':employee_id'].$get({ param }))
      const { employee_id: _, user: __, version, ...record } = employee
      const json = { ...record, branch_office, expected_version: version }
      return dataOf(employees[':employee_id'].$put({ param, json }))
    },
  }
}

const CELLS = 'Copia las celdas en tu hoja y pégalas aquí'

/** Pastes cells as a spreadsheet program has copied them. */
const paste = async (page: Page, text: string) => {
  await page.getByLabel(CELLS).focus()
  await page.evaluate(`{
    const data = new DataTransfer()
    data.setData('text/plain', ${JSON.stringify(text)})
    document.activeElement.dispatchEvent(
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

it('shows what a messy sheet would change, each fault at its cell, before it is saved', async () => {
  const page = await open({ path: 'personas/archivo' })
  const sheet = tabbed(
    ['Clave', 'Nombre Completo', 'Área', 'Fecha de ingreso', 'Baja', 'Sueldo', 'Teléfono'],
    ['0071', '=2+3', 'Ventas', '03/11/2026', '', '100', '0055'],
    ['E-002', 'Luis Mendoza Peña', 'Almacén', '8/2/2021', '', '', '5555010102'],
    ['E-004', 'Raúl Soto Vega', 'Ventas', '2015-09-28', '', '', '5.55E+09'],
    ['', '', '', '', '', '', ''],
    ['E-009', 'Itzel Ramírez Ochoa', 'Ventas', '31/02/2019', '', '', '5555010109'],
    ['E-012', '"Óscar\nTreviño"', 'Flotilla', '2024-08-19', '', '', '5555010112'],
    ['0071', 'Otra', 'Ventas', '03/11/2026', '', '', ''],
    ['E-001', 'Ana Torres', 'Ventas', '2016-06-19', '', '', ''],
  )
  await paste(page, sheet)
  await heading(page, 'Columnas').waitFor()
  expect(await page.getByLabel('C: Área').inputValue()).toBe('department')
  expect(await page.getByLabel('F: Sueldo').inputValue()).toBe('')
  await page.getByText(/^No vienen, y se quedan como están: RFC, Sucursal/).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await check(page)
  await heading(page, 'Así quedaría').waitFor()
  await page.getByText('1 nueva, 1 cambia, 1 igual, 4 con error.').waitFor()
  const texts = await rowsOf(page).allTextContents()
  expect(texts).toHaveLength(6)
  expect(texts[0]).toMatch(/^Fila 4: Raúl Soto Vega.*Con error.*«5.55E\+09».*La hoja abrevió/)
  expect(texts[1]).toMatch(/^Fila 6: .*Ingreso: .*No existe ese día: escribe día\/mes\/año/)
  expect(texts[2]).toMatch(/^Fila 8: Otra \(0071\).*Ya está en la fila 2\./)
  expect(texts[3]).toMatch(/^Fila 9: .*Tu propio registro lo cambia otra persona\./)
  expect(texts[4]).toMatch(/^Fila 2: =2\+3 \(0071\) Nueva.*Sin sucursal: solo lo ve/s)
  expect(texts[5]).toMatch(/^Fila 7: .*Departamento: «Operaciones» → «Flotilla»/s)
  await saveScreenshot(page, 'personas-hoja')
  expect(await axeViolations(page)).toEqual([])
  await save(page, 2)
  await page.getByText('Confirma esto.').first().waitFor()
  const maria = await asMaria()
  expect(await maria.find('0071')).toEqual([])
  await page.getByLabel('Dejar fuera 4 filas con error').check()
  await page.getByText('Departamentos nuevos: «Flotilla» (1 fila).').waitFor()
  await page.getByLabel('Lo nuevo está bien escrito').check()
  await page.getByLabel('Leí los avisos de 1 fila y es correcto').check()
  await save(page, 2)
  await heading(page, 'Se guardó').waitFor()
  await page
    .getByText(/^Se guardaron 2 personas\. .*4 filas quedaron fuera y no se guardaron:$/)
    .waitFor()
  expect(await page.locator('.conflicts li').count()).toBe(4)
  expect(await maria.find('0071')).toMatchObject([
    { employee_id: '0071', full_name: '=2+3', phone: '0055', started_at: '2026-11-03' },
  ])
  expect(await maria.find('E-012')).toMatchObject([
    // Columns that the sheet does not have keep their values.
    { full_name: 'Óscar\nTreviño', department: 'Flotilla', rfc: 'TRGO921026FL5', version: 2 },
  ])
  expect(await maria.find('E-004')).toMatchObject([{ department: 'Almacén', version: 1 }])
})

it('asks about dates, damaged letters and formatting, and takes corrections in their cells', async () => {
  const page = await open({ path: 'personas/archivo' })
  const sheet = [
    'Plantilla, corte de mayo, 2024',
    'Número;Nombre;Sucursal;Ingreso',
    '="00777";MarÃ\u00ada Peña;Norte;03/05/2024',
    '00778;Ana Ruiz;Norte;03/25/2024',
    '00779;########;Norte;12/01/2023',
  ].join('\n')
  await paste(page, sheet)
  await heading(page, 'Columnas').waitFor()
  const start = page.getByRole('button', { name: 'Revisar 3 filas' })
  await page.getByText('Di en qué orden están el día y el mes.').waitFor()
  expect(await start.isDisabled()).toBe(true)
  await page.getByLabel('Las fechas de D: Ingreso están en').selectOption('mes/día/año')
  await start.click()
  const row = (line: number) => rowsOf(page).filter({ hasText: `Fila ${line}:` })
  await row(3).getByText('Trae formato de la hoja: di arriba si se quita.').waitFor()
  await page.getByText('Qué es cada columna').click()
  await page.getByLabel('Quitar el formato de la hoja, como el de ="00777"').check()
  await start.click()
  await row(4).getByText('Ingreso: 25 de marzo de 2024').waitFor()
  await row(3).getByText('Tiene letras dañadas. ¿Es «María Peña»?').waitFor()
  await row(3).getByRole('button', { name: 'Es «María Peña»' }).click()
  await row(5).getByText('ensánchala y cópiala otra vez').waitFor()
  await row(5).getByLabel('Nombre completo de la fila 5').fill('Luz Mora')
  await row(5).getByLabel('Nombre completo de la fila 5').press('Tab')
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Revisar de nuevo' }).click()
  await page.getByText('3 nuevas, 0 cambian, 0 iguales, 0 con error.').waitFor()
  await row(5).getByText('Ingreso: 1 de diciembre de 2023').waitFor()
  await save(page, 3)
  await heading(page, 'Se guardó').waitFor()
  const maria = await asMaria()
  expect(await maria.find('00777')).toMatchObject([
    { full_name: 'María Peña', started_at: '2024-03-05' },
  ])
  expect(await maria.find('00779')).toMatchObject([{ full_name: 'Luz Mora' }])
})

it('asks about a phone that only a spreadsheet has changed, and restores it', async () => {
  const maria = await asMaria()
  const page = await open({ path: 'personas/archivo' })
  const sheet = (phone: string) => tabbed(['Número', 'Teléfono'], ['E-010', phone])
  await paste(page, sheet('0181234567'))
  await check(page)
  await save(page, 1)
  await page.getByRole('button', { name: 'Otra hoja' }).click()

  await paste(page, sheet('181234567'))
  await check(page)
  const row = rowsOf(page).filter({ hasText: 'Fila 2:' })
  await row.getByText('¿Es «0181234567»? Una hoja de cálculo cambia así').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await save(page, 1)
  await page.getByText('Confirma esto.').first().waitFor()
  await row.getByRole('button', { name: 'Es «0181234567»' }).click()
  await row.getByText('Corregido: falta revisar de nuevo.').waitFor()
  await check(page)
  await page.getByText('0 nuevas, 0 cambian, 1 igual, 0 con error.').waitFor()
  expect(await maria.find('E-010')).toMatchObject([{ phone: '0181234567' }])
})

it('names groups that do not exist, each new branch once, and a rarer spelling of it', async () => {
  const page = await open({ path: 'personas/archivo' })
  const head = ['Número', 'Nombre', 'Grupo', 'Ingreso', 'Sucursal']
  const places = ['poniente', 'Poniente', 'Poniente', 'Poniente']
  const rows = places.map((place, i) => [`P-${i}`, 'Olmos Ruiz Rita', '', '1/2/2024', place])
  rows.push(['e-004', 'Soto Mora Raúl', 'diario', '2024-03-05', 'Norte'])
  await paste(page, tabbed(head, ...rows))
  await page.getByLabel(/^Los nombres empiezan por los apellidos: .* es «Rita Olmos Ruiz»$/).check()
  await check(page)
  await page.getByText('Grupos de nómina que no existen: «diario» (1 fila).').waitFor()
  await (await api()).addGroup('diario')
  await page.getByRole('button', { name: 'Revisar de nuevo' }).click()
  await page.getByText('5 nuevas, 0 cambian, 0 iguales, 0 con error.').waitFor()
  await page.getByText('Sucursales nuevas: «Poniente» (3 filas), «poniente» (1 fila).').waitFor()
  await page.getByRole('button', { name: 'Sí, es «Poniente»' }).click()
  await page.getByText('Sucursales nuevas: «Poniente» (4 filas).').waitFor()
  const texts = await rowsOf(page).allTextContents()
  expect(texts[0]).toMatch(/^Fila 6: Raúl Soto Mora \(e-004\).*Se parece al número E-004/)
  expect(texts.slice(1).join()).not.toContain('Nadie más')
})

it('reads a CSV with semicolons in windows-1252, and lets its columns be changed', async () => {
  const page = await open({ path: 'personas/archivo', viewport: NARROW })
  await choose(page, 'libro.xlsx', Buffer.from('PK\u0003\u0004'))
  await page.getByText('Es un libro de Excel').waitFor()
  const text = 'Num;Persona;Ciudad\r\nE-006;"Íñigo Salas; Montaño";Norte\r\n'
  await choose(page, 'personas.csv', Buffer.from(text, 'latin1'))
  await page.getByLabel('C: Ciudad').selectOption('Sucursal')
  expect(await overflowOf(page)).toBe(0)
  await check(page)
  await rowsOf(page).getByText('Sucursal: «Sur» → «Norte»').waitFor()
  await rowsOf(page).getByText('«Íñigo Salas Montaño» → «Íñigo Salas; Montaño»').waitFor()
  expect(await overflowOf(page)).toBe(0)
  await saveScreenshot(page, 'personas-hoja-320')
  const warnings = page.getByLabel(/^Leí los avisos/)
  if ((await warnings.count()) > 0) await warnings.check()
  await save(page, 1)
  await heading(page, 'Se guardó').waitFor()
  expect(await (await asMaria()).find('E-006')).toMatchObject([
    { full_name: 'Íñigo Salas; Montaño', branch_office: 'Norte' },
  ])
})

it('keeps stored values where cells are empty, unless their deletion is confirmed', async () => {
  const maria = await asMaria()
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
  expect(await maria.find('E-013')).toMatchObject([{ ended_at: '2026-11-20' }])
  // The box that was not checked has the focus.
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await heading(page, 'Se guardó').waitFor()
  expect(await maria.find('E-013')).toMatchObject([
    { job_position: '', rfc: '', ended_at: null, branch_office: expect.stringContaining('Centro') },
  ])
})

it('remembers the chosen columns for the next sheet with the same headings', async () => {
  const page = await open({ path: 'personas/archivo' })
  const head = ['No.', 'Nombre(s)', 'Apellido Paterno', 'Apellido Materno', 'Ciudad']
  const sheet = tabbed(head, ['E-003', 'Ana Laura', 'Torres', '', 'Norte'])
  await paste(page, sheet)
  await page.getByLabel('E: Ciudad').selectOption('Sucursal')
  await page.getByRole('button', { name: 'Empezar de nuevo' }).click()

  await paste(page, sheet)
  expect(await page.getByLabel('E: Ciudad').inputValue()).toBe('branch_office')
  await check(page)
  await save(page, 1)
  await heading(page, 'Se guardó').waitFor()
  expect(await (await asMaria()).find('E-003')).toMatchObject([{ full_name: 'Ana Laura Torres' }])
})

it('shows the service’s error for a row that is refused', async () => {
  const client = await api(OTHER_ADMIN)
  const [start, end] = [daysAgo(44, '14:00'), daysAgo(44, '23:00')]
  const logs = await client.record('E-008', [
    { kind: 'entrada', at: start },
    { kind: 'salida', at: end },
  ])
  await client.change(logs, 'approved')
  await client.changeEmployee('E-008', { paid_from: start.slice(0, 10) })
  const page = await open({ path: 'personas/archivo' })
  await paste(page, tabbed(['Número', 'Baja'], ['E-008', daysAgo(60, '00:00').slice(0, 10)]))
  await check(page)
  await heading(page, 'Así quedaría').waitFor()
  const before = daysAgo(42, '00:00').slice(0, 10)
  await client.close({ employee_id: 'E-008', before, leave_pending: true })
  await save(page, 1)
  await heading(page, 'No se terminó').waitFor()
  await page.getByText('El servicio no aceptó estas filas.').waitFor()
  expect(await rowsOf(page).first().textContent()).toMatch(/Último día: .*El cierre \d+ pagó el/)
})

it('names the rows that somebody else has changed, and goes on after a new check', async () => {
  const maria = await asMaria()
  const page = await open({ path: 'personas/archivo' })
  await paste(page, tabbed(['Número', 'Puesto'], ['E-007', 'Gerenta'], ['E-005', 'Supervisora']))
  await check(page)
  await heading(page, 'Así quedaría').waitFor()
  await maria.move('E-007', 'Sur')
  await save(page, 2)
  await heading(page, 'No se terminó').waitFor()
  await page.getByText('Estos registros cambiaron mientras tanto.').waitFor()
  expect(await rowsOf(page).first().textContent()).toMatch(/^Fila 2: Sofía.*Alguien cambió/)
  expect(await maria.find('E-005')).toMatchObject([{ version: 1 }])
  await page.getByRole('button', { name: 'Revisar de nuevo' }).click()
  await heading(page, 'Así quedaría').waitFor()
  await save(page, 2)
  await heading(page, 'Se guardó').waitFor()
  expect(await maria.find('E-007')).toMatchObject([
    { job_position: 'Gerenta', branch_office: 'Sur', version: 3 },
  ])
})

it('takes 5,000 rows without freezing, and adds nobody twice if it is sent again', async () => {
  const maria = await asMaria()
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
  await paste(page, tabbed(['Número', 'Nombre', 'Ingreso', 'Sucursal', 'Departamento'], ...rows))
  await page.getByRole('button', { name: 'Revisar 5,000 filas' }).click()
  await heading(page, 'Así quedaría').waitFor({ timeout: 300_000 })
  await page.getByText('5,000 nuevas, 0 cambian, 0 iguales, 0 con error.').waitFor()
  await page.getByText('1 a 100 de 5,000').waitFor()
  await page.getByText(/«Área 29» \(1 fila\), y 4,970 nombres más\./).waitFor()
  expect(await rowsOf(page).count()).toBe(100)
  // Even on a slow machine, the page never blocks for seconds.
  expect(Number(await page.evaluate('window.longest'))).toBeLessThan(2_000)

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
  await heading(page, 'No se terminó').waitFor({ timeout: 300_000 })
  await page.getByText('Ya se guardaron 1,000 de 5,000 personas.').waitFor()
  await page.getByRole('button', { name: 'Revisar de nuevo' }).click()
  await page.getByText('3,500 nuevas, 0 cambian, 1,500 iguales').waitFor({ timeout: 300_000 })
  await page.getByLabel('Lo nuevo está bien escrito').check()
  await save(page, 3_500)
  await heading(page, 'Se guardó').waitFor({ timeout: 300_000 })
  const [first] = await maria.find('N00000')
  const [third] = await maria.find('N01200')
  const [last] = await maria.find('N04999')
  expect([first?.version, third?.version, last?.version]).toEqual([1, 1, 1])
})
