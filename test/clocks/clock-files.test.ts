import { beforeEach, expect, it } from 'vitest'
import { post } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { rowsOf } from '../support/clocks.ts'
import { aClock, anAdmin, anEmployee } from '../support/factories.ts'

/** Files of any kind in place of a clock's, each of which is refused, or accounts for every line. */

let token: string
/** The clock A1, and the employee 4 of its branch. */
beforeEach(async () => {
  stopClock('2026-11-25T16:40:00.000Z')
  token = (await anAdmin()).token
  await aClock({ serial: 'A1', from_day: '2026-01-01' })
  await anEmployee({ employee_id: '4' })
})

const upload = (text: unknown) => post('/v2/incidents/clocks/A1/file', { text }, { token })
const stored = async () => ({
  logs: (await rowsOf('attendance_logs')).map(({ recorded_at }) => recorded_at),
  waiting: (await rowsOf('waiting_punches')).map((row) => [row.number, row.local_at, row.reason]),
})

const PUNCH = '4\t2026-11-24 08:00:15\t1\t0\t1\t0\n'
const utf16 = (text: string) => [...text].map((letter) => `${letter}\0`).join('')
const controls = String.fromCharCode(...Array.from({ length: 31 }, (_, i) => i + 1))
/** Bytes that are no UTF-8, as a page reads them. */
const bytes = Uint8Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256)
const binary = new TextDecoder().decode(bytes)

it.each([
  ['that is missing', undefined, 422, 'INVALID_INPUT'],
  ['that is no text', 4, 422, 'INVALID_INPUT'],
  ['that is binary', binary, 422, 'INVALID_INPUT'],
  ['in UTF-16', utf16(PUNCH), 422, 'INVALID_INPUT'],
  ['with NULs', `${PUNCH}\0`, 422, 'INVALID_INPUT'],
  ['with half a letter', `${PUNCH}\ud800`, 422, 'INVALID_INPUT'],
  ['that is empty', '', 422, 'NOT_OF_A_CLOCK'],
  ['of line ends', '\r\n'.repeat(9), 422, 'NOT_OF_A_CLOCK'],
  ['of control characters', controls, 422, 'NOT_OF_A_CLOCK'],
  ['of a page', '<!doctype html><title>2026-11-24</title>', 422, 'NOT_OF_A_CLOCK'],
  ['of JSON', '{"number":"4","time":"2026-11-24 08:00:15"}', 422, 'NOT_OF_A_CLOCK'],
  ['of invoices', 'Folio,RFC,Emitida\n1,XAXX010101000,2026-11-24\n', 422, 'NOT_OF_A_CLOCK'],
  ['of sales by day', 'id,fecha,total\n4,2026-11-24,500.00\n', 422, 'NOT_OF_A_CLOCK'],
  ['of employees', 'numero,nombre,ingreso\n4,Ana Sol,2026-01-15\n', 422, 'NOT_OF_A_CLOCK'],
  ['of one line', PUNCH.replace('\n', '\t').repeat(10_000), 422, 'NOT_OF_A_CLOCK'],
  ['of one line of 5 MB', '4'.repeat(5_000_000), 413, 'BODY_TOO_LARGE'],
  ['of 200,000 lines', PUNCH.repeat(200_000), 413, 'BODY_TOO_LARGE'],
])('a file %s is refused, and stores nothing', async (_, text, status, code) => {
  const { status: answered, body } = await upload(text)
  expect([answered, body.code]).toEqual([status, code])
  expect(await stored()).toEqual({ logs: [], waiting: [] })
})

/** A cut line whose time waits as it is. */
const cutAfter = (time: string): Read => [
  `cut after ${time}`,
  `${PUNCH}4\t${time}`,
  { created: 1, waiting: 1 },
  [['4', time, 'time']],
]

type Read = [name: string, text: string, counts: object, waiting?: unknown[]]
const READ: Read[] = [
  ['with a byte order mark', `\ufeff${PUNCH}`, { created: 1 }],
  ['with other line ends', PUNCH.replace('\n', '\r'), { created: 1 }],
  ['with lines of something else', `${PUNCH}${controls}\nhola`, { created: 1, invalid: 3 }],
  ['with a line of 100 KB', `${PUNCH}${'x'.repeat(100_000)}`, { created: 1, invalid: 1 }],
  ['with each line twice', PUNCH.repeat(2), { created: 1, known: 1 }],
  ['with 12,000 lines', PUNCH.repeat(12_000), { created: 1, known: 11_999 }],
  [
    'with a number of escapes',
    `${PUNCH}\u001b[2J4${PUNCH.slice(1)}`,
    { created: 1, waiting: 1 },
    [['\u001b[2J4', '2026-11-24 08:00:15', 'number']],
  ],
  ...['2026-11-2', '2026-11-24', '2026-11-24 08', '2026-11-24 08:0', '2026-11-24 08:00'].map(
    cutAfter,
  ),
  cutAfter('2026-11-24 08:00:1'),
]

it.each(READ)(
  'a file %s is read, and each line accounted for',
  async (_, text, counts, waiting) => {
    const none = { created: 0, known: 0, waiting: 0, before_from_day: 0, invalid: 0 }
    const { status, body } = await upload(text)
    expect([status, body.data]).toEqual([200, { ...none, ...counts }])
    expect(await stored()).toEqual({ logs: ['2026-11-24T14:00:15.000Z'], waiting: waiting ?? [] })
  },
)
