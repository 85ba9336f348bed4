import { expect, it } from 'vitest'
import { leftOutText, savedText } from '../../console/people/left-out.ts'
import { peopleCsv } from '../../console/people/people-csv.ts'
import { fieldsOf, NEW_PERSON, nearFinder, toRecord } from '../../console/people/person-fields.ts'
import {
  columnName,
  columnsInDoubt,
  countRows,
  findFormatted,
  headRowOf,
  readRows,
} from '../../console/people/sheet.ts'
import { columnsOf, columnsProblem } from '../../console/people/sheet-columns.ts'
import { isOrderInDoubt, toDay } from '../../console/people/sheet-days.ts'
import { isSpoiled, spoiledIn } from '../../console/people/sheet-spoiled.ts'
import { damageIn, decodeFile, isWorkbook, parseTable } from '../../console/people/sheet-text.ts'
import { surnameFirst } from '../../console/people/surnames.ts'
import { formatForSpreadsheet } from '../../src/core/values/csv.ts'

/** The bytes of a text in windows-1252. Each letter must have the same code as in Unicode. */
const inWindows = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

it('reads UTF-8 with and without a mark, UTF-16 and windows-1252', () => {
  const bytes = new TextEncoder().encode('Íñigo')
  expect(decodeFile(bytes)).toBe('Íñigo')
  expect(decodeFile(Uint8Array.of(0xef, 0xbb, 0xbf, ...bytes))).toBe('Íñigo')
  expect(decodeFile(Uint8Array.of(0xff, 0xfe, 0xcd, 0, 0xf1, 0))).toBe('Íñ')
  expect(decodeFile(inWindows('Íñigo;Muñoz'))).toBe('Íñigo;Muñoz')
})

it('recognizes a workbook, which is not text', () => {
  expect(isWorkbook(inWindows('PK\u0003\u0004'))).toBe(true)
  expect(isWorkbook(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0))).toBe(true)
  expect(isWorkbook(inWindows('Po'))).toBe(false)
  expect(isWorkbook(new Uint8Array())).toBe(false)
})

it.each([
  ['a paste', 'Número\tNombre\r\n007\t"Pérez\nLópez, ""Ana"""\r\n', '\t'],
  ['commas', 'Número,Nombre\n007,"Pérez\nLópez, ""Ana"""\n', ','],
  ['semicolons', 'Número;Nombre\n007;"Pérez\nLópez, ""Ana"""', ';'],
])('reads quoted cells of %s', async (_, text) => {
  expect(await parseTable(text)).toEqual([
    ['Número', 'Nombre'],
    ['007', 'Pérez\nLópez, "Ana"'],
  ])
})

it('reads a pasted cell that begins with a quote without being quoted', async () => {
  expect(await parseTable('Número\tNombre\n1\t"Pepe" López\n2\tAna')).toEqual([
    ['Número', 'Nombre'],
    ['1', '"Pepe" López'],
    ['2', 'Ana'],
  ])
})

it('counts empty rows in the row numbers, and drops empty rows at the end', async () => {
  const table = await parseTable('Número\tNombre\n\t\n1\tAna\n\t\n\n')
  expect(table).toHaveLength(3)
  const columns = ['employee_id', 'full_name'] as const
  expect(readRows(table, { columns, headRow: 0, blanksErase: false })).toEqual([
    { line: 3, given: { employee_id: '1', full_name: 'Ana' }, faults: {} },
  ])
  expect(await parseTable(' \n')).toEqual([])
})

it('recognizes headings in Spanish and names of fields, each once', () => {
  const head = ['No. de Empleado', ' NOMBRE ', 'R.F.C.', 'fecha de BAJA', 'Depto.', 'branch_office']
  expect(columnsOf([...head, 'Área', 'Sueldo', ''])).toEqual([
    'employee_id',
    'full_name',
    'rfc',
    'ended_at',
    'department',
    'branch_office',
    undefined,
    undefined,
    undefined,
  ])
})

it.each([
  ...['No. Emp.', '# emp', '# Empleado', 'N.º de empleado', 'Nº emp', 'Núm. Trabajador', 'Nómina'],
  ...[
    'No. de nómina',
    'Número de nómina',
    'Ficha',
    'No. de ficha',
    'Clave',
    'Clave del trabajador',
  ],
])('recognizes %j as the number', (heading) => {
  expect(columnsOf([heading, 'Empleado'])).toEqual(['employee_id', 'full_name'])
})

it('reads «Nómina» beside a number as the payroll group', () => {
  expect(columnsOf(['Nómina', 'No.', 'Nombre'])[0]).toBe('payroll_group')
  expect(columnsOf(['employee_id', 'Nómina'])).toEqual(['employee_id', 'payroll_group'])
  expect(columnsOf(['Nómina', 'Grupo'])).toEqual(['employee_id', 'payroll_group'])
})

it('counts the rows that it reads', async () => {
  const table = await parseTable('Número\tNombre\n\t\n1\tAna\n2\tEva')
  expect(countRows(table, 0)).toBe(2)
})

it('says how many rows were saved, were the same already, and were left out, and why', () => {
  const row = (line: number, faults: Record<string, string> = {}) => ({
    line,
    write: { full_name: line === 4 ? '' : 'Ana Ruiz', employee_id: `E-${line}` },
    faults,
  })
  expect(savedText([row(2), row(3)], 2)).toBe('Se guardaron 2 personas.')
  expect(savedText([row(2), row(3)], 1)).toBe('Se guardó 1 persona. 1 fila ya estaba igual.')
  const left = row(4, { full_name: 'Falta el nombre.', rfc: 'Es un error de la hoja.' })
  expect(savedText([row(2), row(3), left], 2)).toBe(
    'Se guardaron 2 personas. 1 fila quedó fuera y no se guardó:',
  )
  expect(leftOutText(left)).toBe(
    'Fila 4, sin nombre (E-4): Falta el nombre. Es un error de la hoja.',
  )
})

it.each([
  ['31/12/2025', '2025-12-31'],
  ['1/2/2025', '2025-02-01'],
  ['31-12-2025', '2025-12-31'],
  ['2025-12-31', '2025-12-31'],
  ['2025/1/3', '2025-01-03'],
  ['2025-12-31 00:00:00', '2025-12-31'],
  ['31-dic-25', '2025-12-31'],
  ['5 ene. 98', '1998-01-05'],
  ['15/03/29', '2029-03-15'],
  ['15/03/30', '1930-03-15'],
  // The service refuses these values, and names their cells.
  ['12/31/2025', '2025-31-12'],
  ['46022', '46022'],
  ['pronto', 'pronto'],
  ['3-abc-2025', '3-abc-2025'],
  ['', ''],
])('reads the day %j as %j', (cell, day) => {
  expect(toDay(cell)).toBe(day)
})

it('keeps zeros and formulas as text, and reports values that the sheet has lost', () => {
  const columns = ['employee_id', 'full_name', 'phone', undefined, 'rfc'] as const
  const table = [['0012 ', '=CMD()', '5.55E+09', 'x', '#N/D'], ['1']]
  expect(readRows(table, { columns, headRow: -1, blanksErase: true })).toEqual([
    {
      line: 1,
      given: { employee_id: '0012', full_name: '=CMD()', phone: '5.55E+09', rfc: '#N/D' },
      faults: {
        phone: 'La hoja abrevió este número: pon su columna como texto y cópiala otra vez.',
        rfc: 'Es un error de la hoja.',
      },
    },
    { line: 2, given: { employee_id: '1', full_name: '', phone: '', rfc: '' }, faults: {} },
  ])
})

it('names columns as sheets do', () => {
  expect([0, 25, 26, 27, 701, 702].map(columnName)).toEqual(['A', 'Z', 'AA', 'AB', 'ZZ', 'AAA'])
})

it('leaves out empty cells, unless they are to erase stored values', () => {
  const table = [['E-1', 'Ana', '', ''], ['E-2']]
  const columns = ['employee_id', 'full_name', 'job_position', 'ended_at'] as const
  const read = (blanksErase: boolean) => readRows(table, { columns, headRow: -1, blanksErase })
  expect(read(false).map(({ given }) => given)).toEqual([
    { employee_id: 'E-1', full_name: 'Ana' },
    { employee_id: 'E-2' },
  ])
  expect(read(true).map(({ given }) => given)).toEqual([
    { employee_id: 'E-1', full_name: 'Ana', job_position: '', ended_at: '' },
    { employee_id: 'E-2', full_name: '', job_position: '', ended_at: '' },
  ])
})

it('joins a name from parts in columns of their own, in any order', () => {
  const head = ['Apellido Materno', 'No.', 'Nombre', 'Apellido Paterno']
  const columns = columnsOf(head)
  expect(columns).toEqual(['mother_last_name', 'employee_id', 'first_names', 'last_name'])
  const table = [head, ['Peña', '7', 'Luis Ángel', 'Mendoza'], ['', '8', 'Ana', 'Torres']]
  expect(readRows(table, { columns, headRow: 0, blanksErase: false })).toMatchObject([
    { given: { full_name: 'Luis Ángel Mendoza Peña' } },
    { given: { full_name: 'Ana Torres' } },
  ])
  // If a column has whole names, the columns of parts are not used.
  expect(columnsOf(['Nombre(s)', 'Nombre'])).toEqual([undefined, 'full_name'])
})

it('reports a name without its first name or last name', () => {
  const columns = ['first_names', 'last_name', 'mother_last_name'] as const
  const table = [
    ['Ana', '', ''],
    ['', 'Torres', 'Rivas'],
    ['Ana', '', 'Rivas'],
    ['', '', ' '],
  ]
  const rows = readRows([...table, ['x']], { columns, headRow: -1, blanksErase: false })
  const fault = 'Al nombre le falta el nombre o el apellido.'
  expect(rows.map(({ faults }) => faults.full_name)).toEqual([fault, fault, undefined, fault])
})

it.each([
  [['full_name'], 'Elige qué columna es el número.'],
  [['employee_id'], ''],
  [['employee_id', 'full_name'], ''],
  [['employee_id', 'first_names', 'last_name'], ''],
  [['employee_id', 'first_names'], /^Falta elegir el nombre o el apellido paterno/],
  [['employee_id', 'mother_last_name'], /^Falta elegir el nombre o el apellido paterno/],
  [['employee_id', 'full_name', 'last_name'], /^Elige el nombre completo o sus partes/],
] as const)('says what has to be chosen among %j', (columns, problem) => {
  expect(columnsProblem(columns)).toMatch(problem === '' ? /^$/ : problem)
})

it('finds the headings below a title', () => {
  const head = ['Número', 'Nombre', 'Sueldo']
  expect(headRowOf([['Plantilla 2026'], [''], head, ['1', 'Ana', '9']])).toBe(2)
  expect(
    headRowOf([
      ['Número', 'Sueldo'],
      ['1', '9'],
    ]),
  ).toBe(0)
  expect(
    headRowOf([
      ['1', 'Ana'],
      ['2', 'Luis'],
    ]),
  ).toBe(-1)
  expect(headRowOf([...Array.from({ length: 10 }, () => ['']), head])).toBe(-1)
})

it.each([
  ['31/02/2020', 'No existe ese día: escribe día/mes/año.'],
  ['12/31/2020', 'No existe ese día: escribe día/mes/año.'],
  ['2018-03-05T00:00:00Z', 'Trae también una hora: deja solo el día.'],
  ['2018-03-05 14:30', 'Trae también una hora: deja solo el día.'],
  ['2018-03-05 00:00', undefined],
  ['44197', 'Es un número de Excel: dale formato de fecha a su columna y cópiala otra vez.'],
  ['pronto', 'No es una fecha.'],
  ['29/02/2024', undefined],
  ['1-ene-21', undefined],
])('says what is wrong with the day %s', (cell, fault) => {
  const options = { columns: ['started_at'] as const, headRow: -1, blanksErase: false }
  expect(readRows([[cell]], options)[0]?.faults.started_at).toBe(fault)
})

it('recognizes UTF-16 without a mark, and code page 850 of old programs', () => {
  const name = 'José Ñúñez'
  const utf16 = Uint8Array.from([...name].flatMap((letter) => [letter.charCodeAt(0), 0]))
  expect(decodeFile(utf16)).toBe(name)
  expect(decodeFile(Uint8Array.of(0xfe, 0xff, 0, 0x4a, 0, 0xf3))).toBe('Jó')
  const old = inWindows('Jos')
  expect(decodeFile(Uint8Array.of(...old, 0x82, 0x20, 0xa5, 0xa3, 0xa4, 0x65, 0x7a))).toBe(name)
  expect(decodeFile(inWindows(name))).toBe(name)
})

it.each([
  ['MarÃ\u00ada PeÃ±a', 'María Peña'],
  ['Jos‚ ¥£¤ez', 'José Ñúñez'],
  ['Mu\ufffdoz', ''],
  ['Mu\u0096oz', ''],
])('finds that the letters of %j are damaged, and were probably %j', (text, probably) => {
  expect(damageIn(text)).toEqual({ probably })
})

it.each(["O'Farrill", 'Íñigo Muñoz', 'García-López (1ª)', 'Çelik Søren', ''])(
  'finds no damage in %j',
  (text) => {
    expect(damageIn(text)).toBeUndefined()
  },
)

it.each([
  ['semicolons', 'Plantilla, corte 15, 2026;;\nNúmero;Nombre;RFC\n1;Ana, S.;X'],
  ['bars', 'Plantilla, corte 15, 2026\nNúmero|Nombre|RFC\n1|Ana, S.|X'],
  ['tabs', 'Plantilla; corte; 15\nNúmero\tNombre\tRFC\n1\tAna, S.\tX'],
])(
  'reads a sheet with %s below a title with commas by the line of its headings',
  async (_, text) => {
    const table = await parseTable(text)
    expect(headRowOf(table)).toBe(1)
    expect(table[2]).toEqual(['1', 'Ana, S.', 'X'])
  },
)

const DATES = [
  ['No', 'Ingreso'],
  ['1', '03/05/2024'],
  ['2', '03/25/2024'],
  ['3', '12/01/2023'],
]
const DATE_COLUMNS = { columns: ['employee_id', 'started_at'] as const, headRow: 0 }

it('doubts a whole column of dates if one exists only as month/day, and reads it one way', () => {
  expect(columnsInDoubt(DATES, DATE_COLUMNS)).toEqual([1])
  const read = (order: 'day-month' | 'month-day') =>
    readRows(DATES, { ...DATE_COLUMNS, blanksErase: false, dayOrders: { 1: order } })
  expect(read('month-day').map(({ given }) => given.started_at)).toEqual([
    '2024-03-05',
    '2024-03-25',
    '2023-12-01',
  ])
  expect(read('month-day').map(({ faults }) => faults)).toEqual([{}, {}, {}])
  expect(read('day-month')[1]?.faults).toEqual({
    started_at: 'No existe ese día: escribe día/mes/año.',
  })
  // A corrected day has the order of its column.
  const corrections = new Map([[3, { started_at: '04/09/2024' }]])
  const dayOrders = { 1: 'month-day' } as const
  const options = { ...DATE_COLUMNS, blanksErase: false, dayOrders, corrections }
  expect(readRows(DATES, options)[1]?.given.started_at).toBe('2024-04-09')
  expect(isOrderInDoubt(['31/12/2024', '05-mar-2024', '2024-05-13', '32/13/2024'])).toBe(false)
})

it('asks before it removes a spreadsheet’s formatting, and keeps what the user has corrected', () => {
  const table = [
    ['="00777"', 'MarÃ\u00ada', "'+52 81 1234"],
    ["'00778", '########', ''],
  ]
  const columns = ['employee_id', 'full_name', 'phone'] as const
  const options = { columns, headRow: -1, blanksErase: false }
  expect(findFormatted(table, options)).toBe('="00777"')
  const formatted = 'Trae formato de la hoja: di arriba si se quita.'
  expect(readRows(table, options).map(({ faults }) => faults)).toEqual([
    { employee_id: formatted, full_name: 'Tiene letras dañadas. ¿Es «María»?', phone: formatted },
    {
      employee_id: formatted,
      full_name:
        'La columna era muy angosta y la hoja copió «####»: ensánchala y cópiala otra vez.',
    },
  ])
  const corrections = new Map([[2, { full_name: 'Ana', started_at: '5/3/2024' }]])
  const rows = readRows(table, { ...options, unformat: true, corrections })
  expect(rows[0]?.given).toEqual({
    employee_id: '00777',
    full_name: 'MarÃ\u00ada',
    phone: '+52 81 1234',
  })
  expect(rows[1]).toEqual({
    line: 2,
    given: { employee_id: '00778', full_name: 'Ana', started_at: '2024-03-05' },
    faults: {},
  })
})

it.each([
  ['José Ángel Muñoz Díaz', 'Muñoz Díaz, José Ángel'],
  ['Rosa de la Cruz Ramírez', 'de la Cruz Ramírez, Rosa'],
  ['Ana Torres', 'Torres, Ana'],
  ['Madonna', 'Madonna'],
  ['', ''],
])('puts the surnames of %j first: %j', (full_name, shown) => {
  expect(surnameFirst(full_name)).toBe(shown)
})

it.each([
  ['Muñoz Díaz José Ángel', 'José Ángel Muñoz Díaz'],
  ['De la Cruz Ramírez Rosa', 'Rosa De la Cruz Ramírez'],
  ['Muñoz Díaz, José Ángel', 'José Ángel Muñoz Díaz'],
  ['Torres Ana', 'Ana Torres'],
  ['Madonna', 'Madonna'],
])('turns round %j, which begins with the surnames: %j', (full_name, stored) => {
  const options = { columns: ['full_name'] as const, headRow: -1, blanksErase: false }
  const [row] = readRows([[full_name]], { ...options, surnamesFirst: true })
  expect(row?.given.full_name).toBe(stored)
  expect(readRows([[full_name]], options)[0]?.given.full_name).toBe(full_name)
})

it.each([
  ['General', ''],
  ['general', ''],
  ['General Norte', 'General Norte'],
])('takes the group %s for %j, as the pages call it', (payroll_group, stored) => {
  const person = { ...NEW_PERSON, employee_id: 'E-1', payroll_group }
  expect(toRecord(person).payroll_group).toBe(stored)
})

it('writes every text so that a spreadsheet keeps it, and reads it back', async () => {
  const person = {
    ...{ ...NEW_PERSON, version: 1, user: null, employee_id: '5.10', full_name: 'Ana Torres' },
    ...{ phone: '0181234567', cellphone: '+528112345678', department: '007' },
    ...{ branch_office: '1/2', payroll_group: '8:30', job_position: 'VERDADERO', rfc: '1E5' },
    ...{ started_at: '2026-11-02', profile_image: 'mar 1' },
  }
  const text = await peopleCsv([person]).text()
  const table = await parseTable(text)
  const columns = columnsOf(table[0] ?? [])
  const plain = ['Ana Torres', '2026-11-02', '']
  for (const cell of table[1] ?? []) expect(plain.includes(cell)).toBe(!cell.startsWith('="'))
  const options = { columns, headRow: 0, blanksErase: true }
  expect(findFormatted(table, options)).toBe('="5.10"')
  const [row] = readRows(table, { ...options, unformat: true })
  expect(row?.faults).toEqual({})
  expect(toRecord({ ...NEW_PERSON, ...row?.given })).toEqual(fieldsOf(person))
})

it.each([
  ...['00007', '1E5', '1.5e+3', '5.10', '10.0', '.5', '1,234', '$5', '50%', '(55)', '1 1/2'],
  ...['1/2', '3-4', '1.2.26', '3-ene', '3 de enero', 'mar 1', 'Sept-2', 'ENE26', '1-2-3'],
  ...['8:30', '08:30:00', '8 am', '8:30 p. m.', 'true', 'FALSO', '=1+1', '+52', '-3', '@a'],
  ...['123456789012', '55 1234 5678', '(81) 1234-5678'],
])('keeps %j from a spreadsheet', (text) => {
  expect(formatForSpreadsheet(text)).toBe(`"=""${text}"""`)
})

it.each([
  '7',
  '8112345678',
  'E-1',
  'Marketing 2',
  'Mayo',
  'Planta 2',
  '2a planta',
  'A1',
  '',
  'falsos',
])('leaves %j as it is', (text) => {
  expect(formatForSpreadsheet(text)).toBe(text)
})

it.each([
  ['0181234567', '181234567'],
  ['+528112345678', '528112345678'],
  ['007', '7'],
  ['5.10', '5.1'],
  ['1E5', '100000'],
  ['8:30', '08:30:00'],
  ['8:30', '08:30'],
  ['1/2', '01/02/2026'],
  ['1/2', '2026-02-01'],
  ['1/2', '02-ene'],
  ['3-4', '03-abr'],
  ['1/13', '13/01/2026'],
])('asks whether %j was meant where the sheet has %j', (stored, given) => {
  expect(isSpoiled(stored, given)).toBe(true)
  const before = { ...NEW_PERSON, phone: stored, department: stored, full_name: 'Ana' }
  const write = { ...before, phone: given, department: given, full_name: 'Ana Torres' }
  expect(spoiledIn(write, before)).toEqual({ phone: stored, department: stored })
  expect(spoiledIn(write, undefined)).toEqual({})
})

it.each([
  ['181234567', '0181234567'],
  ['5.1', '5.10'],
  ['0181234567', '8181234567'],
  ['007', '8'],
  ['', '7'],
  ['007', ''],
  ['Ventas', 'VENTAS'],
  ['1/2', '1/3'],
  ['8:30', '09:30:00'],
])('does not ask where %j became %j', (stored, given) => {
  expect(isSpoiled(stored, given)).toBe(false)
})

it('finds the department that a new one would be without a spreadsheet', () => {
  expect(nearFinder(['007', 'Ventas'])('7')).toBe('007')
})
