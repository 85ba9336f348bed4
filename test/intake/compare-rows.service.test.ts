import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { compareRows, type ServiceLog } from '../../cli/intake/compare-rows.ts'
import { FACT_COLUMNS, readSourceRows } from '../../cli/intake/sync-rows.ts'

const NAMES = ['log_id', 'employee_id', 'kind', 'recorded_at', 'status'] as const

/** A log of a branch six hours behind UTC. */
const aLog = (log_id: number, local: string, more: Partial<ServiceLog> = {}): ServiceLog => ({
  log_id,
  employee_id: 'E-001',
  kind: 'entrada',
  recorded_at: new Date(`${local}-06:00`).toISOString(),
  local_at: `${local}-06:00`,
  status: 'pending',
  ...more,
})

const compare = (there: ServiceLog[], here: ServiceLog[]) => {
  const rows = there.map((log) => [
    String(log.log_id),
    Object.fromEntries(NAMES.map((name) => [name, String(log[name])])),
  ])
  const days = { from: '2026-11-02', to: '2026-11-03' }
  const isLegacy = ({ log_id }: ServiceLog) => log_id < 1_000_000_000
  return compareRows(new Map(rows as never), Readable.from(here), { ...days, isLegacy })
}

const EQUAL = { changed: [], missingThere: [], missingHere: [] }

it('reports what is missing on each side, within the local days only', async () => {
  const dayBefore = aLog(1, '2026-11-01T23:59:59')
  const first = aLog(2, '2026-11-02T00:00:00')
  const last = aLog(3, '2026-11-03T23:59:59', { status: 'approved' })
  const dayAfter = aLog(4, '2026-11-04T00:00:00')
  const other = aLog(5, '2026-11-02T12:00:00')
  const all = [dayBefore, first, last, dayAfter]
  expect(await compare([...all, other], [other])).toEqual({
    ...EQUAL,
    count: 3,
    missingHere: ['2: pending there, missing here', '3: approved there, missing here'],
  })
  expect(await compare([other], [...all, other])).toEqual({
    ...EQUAL,
    count: 3,
    missingThere: ['2: deleted there, pending here', '3: deleted there, approved here'],
  })
})

it('reports rows with an unreadable moment, and rows that an empty service lacks', async () => {
  const odd = aLog(1, '2026-11-02T08:00:00', { recorded_at: 'NULL' })
  const found = await compare([odd, aLog(2, '2026-11-02T08:00:00')], [])
  expect(found.missingHere.map((line) => line[0])).toEqual(['1', '2'])
})

it('finds a row under another number, since one second of a person is stored once', async () => {
  const at = '2026-11-02T08:00:00'
  const stored = aLog(1_000_000_007, at, { recorded_at: '2026-11-02T14:00:00.500Z' })
  expect(await compare([aLog(1, at)], [stored])).toEqual({ ...EQUAL, count: 0 })
  const found = await compare([aLog(1, at)], [{ ...stored, kind: 'salida' }])
  expect(found.missingHere).toEqual(['1: pending there, missing here'])
})

it('reports a moment that was moved into the days or out of them, and another status', async () => {
  const [inside, outside] = [aLog(1, '2026-11-02T08:00:00'), aLog(1, '2026-11-01T08:00:00')]
  const changed = [expect.stringMatching(/^1: recorded_at/)]
  expect(await compare([inside], [outside])).toEqual({ ...EQUAL, count: 1, changed })
  expect(await compare([outside], [inside])).toEqual({ ...EQUAL, count: 1, changed })
  const decided = await compare([{ ...inside, status: 'approved' }], [inside])
  expect(decided.changed).toEqual(['1: approved there, pending here'])
})

const rowsOf = async (text: string) => {
  const found = []
  const rows = readSourceRows(Readable.from([text]), { ids: ['log_id', 'source_id'] })
  for await (const { first, values } of rows) {
    found.push(values ? [values.source_id, values.employee_id] : first)
  }
  return found
}
const HEADER = 'kind\tsource_id\temployee_id\trecorded_at\n'

it.each([
  ['escaped signs and NULL of mysql', `${HEADER}e\ta,"b\tE-4\t\ne\ta\\tb\\\\\tNULL\t\n`],
  [
    'the line ends of Windows',
    `${HEADER}e\ta,"b\tE-4\t\ne\ta\\tb\\\\\t\t\n`.replaceAll('\n', '\r\n'),
  ],
])('reads %s as data', async (_, text) => {
  expect(await rowsOf(text)).toEqual([
    ['a,"b', 'E-4'],
    ['a\tb\\', ''],
  ])
})

it.each([
  ['too few values', `${HEADER}e\nx\ta\tE-4\t\n`, ['e', ['a', 'E-4']]],
  ['no line break at the end', `${HEADER}x\ta\tE-4\t\ne\tb\tE-5\tz`, [['a', 'E-4'], 'e']],
  ['a loose quote in CSV', `${HEADER.replaceAll('\t', ',')}e,x "y,E-7,\n`, [['x "y', 'E-7']]],
])('reads the other rows beside one with %s', async (_, text, rows) => {
  expect(await rowsOf(text)).toEqual(rows)
})

it.each([
  ['ERROR 1045 (28000): Access denied for user\n', /begins with “ERROR 1045 \(28000\): Access/],
  ['9001,E-004,entrada,2026-11-02T14:00:00Z\n', /begins with “9001 E-004/],
  ['source_id,employee_id,kind,recorded_at\n', /must name log_id, employee_id/],
  ['log_id,employee_id,kind,recorded_at,estado\n', /recorded_at, status, each once\.$/],
  ['log_id,employee_id,kind,recorded_at\n', /recorded_at, status, each once\.$/],
  ['log_id,employee_id,kind,recorded_at,status,status\n', /recorded_at, status, each once\.$/],
  ['log_id,employee_id,kind,recorded_at,status\n', /^The input is empty/],
  ['\n', /^The input is empty/],
  ['', /^The input is empty/],
])('rejects %j, which is not rows', async (text, message) => {
  const expected = { ids: ['log_id'], facts: [...FACT_COLUMNS, 'status'] } as const
  const rows = readSourceRows(Readable.from([text]), expected)
  await expect(rows.next()).rejects.toThrow(message)
})
