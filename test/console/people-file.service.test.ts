// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest'
import { dataOf } from '../../sdk/api-client.ts'
import { importConsole } from '../support/browser-globals.ts'
import { dateDaysAgo, daysAgo, OTHER_ADMIN } from '../support/console-api.ts'
import {
  choose,
  fill,
  type Place,
  partAt,
  paste,
  press,
  textsAt,
  usePages,
} from '../support/dom-page.ts'

/** The sheet that adds and changes people: what it reads, asks, refuses and saves. */

const { open, api } = usePages()

// The page keeps a sheet while another page is open.
beforeEach(async () => (await importConsole('people/people-file.state')).forgetFile())

const find = async (q: string) => {
  const { employees } = (await api(OTHER_ADMIN)).people
  return (await dataOf(employees.$get({ query: { q, limit: 500 } }))).employees
}

const tabbed = (...rows: string[][]) => rows.map((row) => row.join('\t')).join('\r\n')

/** Opens the page, and pastes cells as a spreadsheet program has copied them. */
const pasteCells = (page: Place, text: string) =>
  paste(page, 'Copia las celdas en tu hoja y pégalas aquí', text)

const openSheet = async (text: string) => {
  const page = await open('personas/archivo')
  await pasteCells(page, text)
  return page
}

const check = (page: Place) => press(page, /^Revisar /)

const save = async (page: Place, count: number) =>
  press(page, `Guardar ${count} ${count === 1 ? 'persona' : 'personas'}`)

const confirm = (page: Place, box: string | RegExp) => press(page, box, 'checkbox')

const waitForStep = (page: Place, name: string) => page.findByRole('heading', { name, level: 2 })

const ROW = 'main li:not(.conflicts li)'

const rowTexts = () => textsAt(ROW).filter((text) => text.startsWith('Fila '))

const rowAt = (line: number) => partAt(ROW, new RegExp(`^Fila ${line}:`))

it('shows what a messy sheet would change, each fault at its cell, before it is saved', async () => {
  const page = await openSheet(
    tabbed(
      ['Clave', 'Nombre Completo', 'Área', 'Fecha de ingreso', 'Baja', 'Sueldo', 'Teléfono'],
      ['0071', '=2+3', 'Ventas', '03/11/2026', '', '100', '0055'],
      ['E-002', 'Luis Mendoza Peña', 'Almacén', '8/2/2021', '', '', '5555010102'],
      ['E-004', 'Raúl Soto Vega', 'Ventas', '2015-09-28', '', '', '5.55E+09'],
      ['', '', '', '', '', '', ''],
      ['E-009', 'Itzel Ramírez Ochoa', 'Ventas', '31/02/2019', '', '', '5555010109'],
      ['E-012', '"Óscar\nTreviño"', 'Flotilla', '2024-08-19', '', '', '5555010112'],
      ['0071', 'Otra', 'Ventas', '03/11/2026', '', '', ''],
      ['E-001', 'Ana Torres', 'Ventas', '2016-06-19', '', '', ''],
    ),
  )
  await waitForStep(page, 'Columnas')
  expect((await page.findByLabelText('C: Área')).value).toBe('department')
  expect((await page.findByLabelText('F: Sueldo')).value).toBe('')
  await page.findByText(/^No vienen, y se quedan como están: RFC, Sucursal/)
  await check(page)
  await waitForStep(page, 'Así quedaría')
  await page.findByText('1 nueva, 1 cambia, 1 igual, 4 con error.')
  const texts = rowTexts()
  expect(texts).toHaveLength(6)
  expect(texts[0]).toMatch(/^Fila 4: Raúl Soto Vega.*Con error.*«5.55E\+09».*La hoja abrevió/)
  expect(texts[1]).toMatch(/^Fila 6: .*Ingreso: .*No existe ese día: escribe día\/mes\/año/)
  expect(texts[2]).toMatch(/^Fila 8: Otra \(0071\).*Ya está en la fila 2\./)
  expect(texts[3]).toMatch(/^Fila 9: .*Tu propio registro lo cambia otra persona\./)
  expect(texts[4]).toMatch(/^Fila 2: =2\+3 \(0071\) Nueva.*Sin sucursal: solo lo ve/s)
  expect(texts[5]).toMatch(/^Fila 7: .*Departamento: «Operaciones» → «Flotilla»/s)
  await save(page, 2)
  expect((await page.findAllByText('Confirma esto.')).length).toBeGreaterThan(0)
  expect(await find('0071')).toEqual([])
  await confirm(page, /^Dejar fuera 4 filas con error/)
  await page.findByText('Departamentos nuevos: «Flotilla» (1 fila).')
  await confirm(page, 'Lo nuevo está bien escrito')
  await confirm(page, 'Leí los avisos de 1 fila y es correcto')
  await save(page, 2)
  await waitForStep(page, 'Se guardó')
  await page.findByText(/^Se guardaron 2 personas\. .*4 filas quedaron fuera y no se guardaron:$/)
  expect(textsAt('.conflicts li')).toHaveLength(4)
  expect(await find('0071')).toMatchObject([
    { employee_id: '0071', full_name: '=2+3', phone: '0055', started_at: '2026-11-03' },
  ])
  expect(await find('E-012')).toMatchObject([
    // Columns that the sheet does not have keep their values.
    { full_name: 'Óscar\nTreviño', department: 'Flotilla', rfc: 'TRGO921026FL5', version: 2 },
  ])
  expect(await find('E-004')).toMatchObject([{ department: 'Almacén', version: 1 }])
})

it('asks about dates, damaged letters and formatting, and takes corrections in their cells', async () => {
  const page = await openSheet(
    [
      'Plantilla, corte de mayo, 2024',
      'Número;Nombre;Sucursal;Ingreso',
      '="00777";MarÃ\u00ada Peña;Norte;03/05/2024',
      '00778;Ana Ruiz;Norte;03/25/2024',
      '00779;########;Norte;12/01/2023',
    ].join('\n'),
  )
  await waitForStep(page, 'Columnas')
  await page.findByText('Di en qué orden están el día y el mes.')
  expect((await page.findByRole('button', { name: 'Revisar 3 filas' })).disabled).toBe(true)
  await choose(page, 'Las fechas de D: Ingreso están en', 'month-day')
  await press(page, 'Revisar 3 filas')
  await (await rowAt(3)).findByText('Trae formato de la hoja: di arriba si se quita.')
  await confirm(page, 'Quitar el formato de la hoja, como el de ="00777"')
  await press(page, 'Revisar 3 filas')
  await partAt(ROW, /^Fila 4:.*Ingreso: 25 de marzo de 2024/)
  const spoiled = await partAt(ROW, /^Fila 3:.*Tiene letras dañadas\. ¿Es «María Peña»\?/)
  await press(spoiled, 'Es «María Peña»')
  const narrow = await partAt(ROW, /^Fila 5:.*ensánchala y cópiala otra vez/)
  await fill(narrow, 'Nombre completo de la fila 5', 'Luz Mora')
  await press(page, 'Revisar de nuevo')
  await page.findByText('3 nuevas, 0 cambian, 0 iguales, 0 con error.')
  await partAt(ROW, /^Fila 5:.*Ingreso: 1 de diciembre de 2023/)
  await save(page, 3)
  await waitForStep(page, 'Se guardó')
  expect(await find('00777')).toMatchObject([{ full_name: 'María Peña', started_at: '2024-03-05' }])
  expect(await find('00779')).toMatchObject([{ full_name: 'Luz Mora' }])
})

it('asks about a phone that only a spreadsheet has changed, and restores it', async () => {
  const sheet = (phone: string) => tabbed(['Número', 'Teléfono'], ['E-010', phone])
  const page = await openSheet(sheet('0181234567'))
  await check(page)
  await save(page, 1)
  await press(page, 'Otra hoja')

  await pasteCells(page, sheet('181234567'))
  await check(page)
  await partAt(ROW, /^Fila 2:.*¿Es «0181234567»\? Una hoja de cálculo cambia así/)
  await save(page, 1)
  expect((await page.findAllByText('Confirma esto.')).length).toBeGreaterThan(0)
  await press(await rowAt(2), 'Es «0181234567»')
  await (await rowAt(2)).findByText('Corregido: falta revisar de nuevo.')
  await check(page)
  await page.findByText('0 nuevas, 0 cambian, 1 igual, 0 con error.')
  expect(await find('E-010')).toMatchObject([{ phone: '0181234567' }])
})

it('names groups that do not exist, each new branch once, and a rarer spelling of it', async () => {
  const head = ['Número', 'Nombre', 'Grupo', 'Ingreso', 'Sucursal']
  const places = ['poniente', 'Poniente', 'Poniente', 'Poniente']
  const rows = places.map((place, i) => [`P-${i}`, 'Olmos Ruiz Rita', '', '1/2/2024', place])
  rows.push(['e-004', 'Soto Mora Raúl', 'diario', '2024-03-05', 'Norte'])
  const page = await openSheet(tabbed(head, ...rows))
  await confirm(page, /^Los nombres empiezan por los apellidos: .* es «Rita Olmos Ruiz»$/)
  await check(page)
  await page.findByText(/^Grupos de nómina que no existen: «diario» \(1 fila\)\./)
  await (await api()).addGroup('diario')
  await press(page, 'Revisar de nuevo')
  await page.findByText('5 nuevas, 0 cambian, 0 iguales, 0 con error.')
  await page.findByText('Sucursales nuevas: «Poniente» (3 filas), «poniente» (1 fila).')
  await press(page, 'Sí, es «Poniente»')
  await page.findByText('Sucursales nuevas: «Poniente» (4 filas).')
  const [likeStored, ...others] = rowTexts()
  expect(likeStored).toMatch(/^Fila 6: Raúl Soto Mora \(e-004\).*Se parece al número E-004/)
  expect(others.join()).not.toContain('Nadie más')
})

it('remembers the chosen columns for the next sheet with the same headings', async () => {
  const head = ['No.', 'Nombre(s)', 'Apellido Paterno', 'Apellido Materno', 'Ciudad']
  const sheet = tabbed(head, ['E-003', 'Ana Laura', 'Torres', '', 'Norte'])
  const page = await openSheet(sheet)
  await choose(page, 'E: Ciudad', 'branch_office')
  await press(page, 'Empezar de nuevo')

  await pasteCells(page, sheet)
  expect((await page.findByLabelText('E: Ciudad')).value).toBe('branch_office')
  await check(page)
  await save(page, 1)
  await waitForStep(page, 'Se guardó')
  expect(await find('E-003')).toMatchObject([{ full_name: 'Ana Laura Torres' }])
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
  const page = await openSheet(tabbed(['Número', 'Baja'], ['E-008', dateDaysAgo(60)]))
  await check(page)
  await waitForStep(page, 'Así quedaría')
  await client.close({ employee_id: 'E-008', before: dateDaysAgo(42), leave_pending: true })
  await save(page, 1)
  await waitForStep(page, 'No se terminó')
  await page.findByText(/El servicio no aceptó estas filas\./)
  expect(rowTexts()[0]).toMatch(/Último día: .*El cierre \d+ pagó el/)
})

it('names the rows that somebody else has changed, and goes on after a new check', async () => {
  const page = await openSheet(
    tabbed(['Número', 'Puesto'], ['E-007', 'Gerenta'], ['E-005', 'Supervisora']),
  )
  await check(page)
  await waitForStep(page, 'Así quedaría')
  await (await api(OTHER_ADMIN)).changeEmployee('E-007', { branch_office: 'Sur' })
  await save(page, 2)
  await waitForStep(page, 'No se terminó')
  await page.findByText(/Estos registros cambiaron mientras tanto\./)
  expect(rowTexts()[0]).toMatch(/^Fila 2: Sofía.*Alguien cambió/)
  expect(await find('E-005')).toMatchObject([{ version: 1 }])
  await press(page, 'Revisar de nuevo')
  await waitForStep(page, 'Así quedaría')
  await save(page, 2)
  await waitForStep(page, 'Se guardó')
  expect(await find('E-007')).toMatchObject([
    { job_position: 'Gerenta', branch_office: 'Sur', version: 3 },
  ])
})
