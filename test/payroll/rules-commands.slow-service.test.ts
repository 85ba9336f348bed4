import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { DEMO_ADMIN } from '../../cli/demo/demo-data.ts'
import { addDays } from '../../src/core/time-zone.ts'
import { runInProcess } from '../support/command.ts'
import { parseLines } from '../support/lines.ts'
import { useService } from '../support/server.ts'

const service = useService()

const run = (command: string, ...args: string[]) =>
  runInProcess(command, [...args, '--persist-to', service.state])

const done = async (command: string, ...args: string[]): Promise<string> => {
  const { status, out, err } = await run(command, ...args)
  expect({ status, err }).toEqual({ status: 0, err: '' })
  return out
}

const refused = async (command: string, ...args: string[]): Promise<string> => {
  const { status, out, err } = await run(command, ...args)
  expect({ status, out }).toEqual({ status: 1, out: '' })
  return err.trimEnd()
}

const place = () => `in the local database of ${service.state}`

/** Today in Mexico City, which has been UTC-6 all year since 2022. `day` counts from today. */
const today = new Date(Date.now() - 6 * 3_600_000).toISOString().slice(0, 10)
const day = (days: number) => addDays(today, days)
const at = (days: number, time: string) => `${day(days)}T${time}:00-06:00`

const person = (employee_id: string) => ({
  employee_id,
  full_name: employee_id,
  rfc: '',
  phone: '',
  cellphone: '',
  started_at: '2020-01-01',
  job_position: '',
  department: '',
  branch_office: 'Prueba',
  profile_image: '',
  payroll_group: 'prueba',
})

let source_id = 0
const punches = (employee_id: string, status: string, ...moments: string[]) =>
  moments.map((recorded_at, i) => ({
    employee_id,
    status,
    recorded_at,
    kind: i % 2 === 0 ? 'entrada' : 'salida',
    source: 'prueba',
    source_id: String(source_id++),
  }))

const AS = ['--as', DEMO_ADMIN]
const GROUP = ['--group', 'prueba']

/** Closes the group's days before today. Returns the closing's number. */
const close = async (...args: string[]): Promise<number> => {
  const options = [...AS, ...GROUP, '--yes', '--leave-pending']
  const out = await done('closing', 'close', today, ...options, ...args)
  return Number(/^Closed as (\d+) /m.exec(out)?.[1])
}

const linesOf = async (id: number): Promise<Record<string, unknown>[]> =>
  parseLines(await done('closing', 'lines', String(id), '-', '--format', 'ndjson'))

const paidDays = async (id: number) =>
  (await linesOf(id)).map((line) => [line.employee_id, line.day, line.difference_seconds])

beforeAll(async () => {
  const file = join(service.state, 'prueba.json')
  const logs = [
    ...punches('P-1', 'approved', at(-12, '08:00'), at(-12, '12:00')),
    // Logs that are twenty hours apart are no pair: the longest shift is 16 hours unless it is set.
    ...punches('P-1', 'approved', at(-6, '06:00'), at(-5, '02:00')),
    ...punches('P-1', 'approved', at(-3, '08:00'), at(-3, '17:00')),
    ...punches('P-2', 'approved', at(-3, '08:00'), at(-3, '16:00')),
    ...punches('P-2', 'pending', at(-2, '08:00')),
    // The entrada of the second day is missing, so that later days may be inverted.
    ...punches(
      ...(['I-1', 'approved', at(-10, '08:00'), at(-10, '17:00'), at(-9, '17:00')] as const),
      ...[-8, -7].flatMap((days) => [at(days, '08:00'), at(days, '17:00')]),
    ).map((log) => ({ ...log, kind: 'checada' })),
  ]
  const inverted = { ...person('I-1'), payroll_group: 'inversa' }
  writeFileSync(file, JSON.stringify({ employees: [person('P-1'), person('P-2'), inverted], logs }))
  await done('import', file)
}, 600_000)

describe('npm run closing', () => {
  it('previews, and closes only with all the required options', async () => {
    const preview = await done('closing', 'preview', today, ...GROUP)
    expect(preview).toContain(`the group prueba until ${day(-1)}: people 2, days `)
    expect(preview).toMatch(/pending logs: +1, 1 of the period/)
    expect(preview).toMatch(/'P-1'.+'2020-01-01'/)
    expect(preview).not.toContain('inverted')
    const since = ['--from', day(-20)]
    const inverted = await done('closing', 'preview', today, '--group', 'inversa', ...since)
    expect(inverted).toMatch(/may be inverted: +[1-9]\d*\.00 h, days [1-9]/)

    expect(await refused('closing', 'close', today, ...GROUP)).toContain("'--as <email>'")
    expect(await refused('closing', 'close', today, ...AS, ...GROUP)).toBe(
      `This pays the group prueba until ${day(-1)}. Close ${place()}? Nothing was changed: --yes does it.`,
    )
    const args = ['close', today, ...AS, ...GROUP, '--yes']
    expect(await refused('closing', ...args, '--opening', `P-1=${day(-10)}`)).toBe(
      'The first day that is paid here is missing, people: 1. `preview` lists them; --opening ID=DAY says one, --from DAY all.',
    )
    expect(await refused('closing', ...args, '--from', day(-10))).toBe(
      'Logs pending before that day: 1, 1 of the period. --leave-pending closes all the same.',
    )
    expect(await refused('closing', ...args, '--from', 'x', '--comment', 'x'.repeat(501))).toBe(
      'A day must be a date, YYYY-MM-DD.\n--comment needs a text of 1 to 500 characters.',
    )
    expect(await refused('closing', ...args, '--person', 'P-1')).toMatch(/cannot be used with/)
    expect(await done('closing', 'list')).not.toContain('the group prueba')
  })

  it('closes, lists, writes files, moves openings to earlier days, and cancels', async () => {
    const openings = ['--opening', `P-1=${day(-10)}`, '--opening', `P-2=${day(-4)}`]
    const id = await close(...openings, '--comment', 'Primera semana.')
    expect(await paidDays(id)).toEqual([
      ['P-1', day(-6), 0],
      ['P-1', day(-5), 0],
      ['P-1', day(-3), 9 * 3600],
      ['P-2', day(-3), 8 * 3600],
      ['P-2', day(-2), 0],
    ])
    expect(await done('closing', 'list')).toMatch(
      new RegExp(`${id}.+'${day(-1)}'.+'the group prueba'.+2.+'17.00 h'.+'Primera semana.'`),
    )

    const again = await done('closing', 'preview', today, ...GROUP)
    expect(again).toMatch(new RegExp(`closed already: +${id}, until ${day(-1)}, by `))
    const second = ['close', today, ...AS, ...GROUP, '--yes', '--leave-pending']
    expect(await refused('closing', ...second)).toMatch(
      new RegExp(`^Closing ${id} of .+ has paid these days, until ${day(-1)}\\.`),
    )

    const file = join(service.state, 'corte.csv')
    const number = String(id)
    expect(await done('closing', 'lines', number, file, '--by', 'employee')).toBe(
      `Wrote closing ${id}, people 2, to ${file}.\n`,
    )
    expect(readFileSync(file, 'utf8')).toMatch(/^\ufeffemployee_id,rfc,.+\r\nP-1,.+,9\.00,/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(existsSync(`${file}.unfinished`)).toBe(false)
    expect(await refused('closing', 'lines', number, file)).toBe(
      `There is a file at ${file} already.`,
    )
    const weeks = await done('closing', 'lines', number, '-', '--by', 'week')
    expect(weeks).toContain('week_from,week_to')

    const reason = ['--comment', 'Faltaba una semana.']
    const later = ['opening', 'P-1', day(-9), ...AS, ...reason]
    expect(await refused('closing', ...later)).toBe(
      `P-1 is paid here since ${day(-10)}: only an earlier day may be said.`,
    )
    await done('closing', 'opening', 'P-1', day(-12), ...AS, ...reason)
    const closed = await close()
    expect(await paidDays(closed)).toEqual([['P-1', day(-12), 4 * 3600]])

    const cancelled = ['cancel', String(closed), ...AS]
    expect(await refused('closing', ...cancelled, '--comment', ' ')).toBe(
      '--comment needs a text of 1 to 500 characters.',
    )
    expect(await done('closing', ...cancelled, '--comment', 'Por error.')).toContain(
      `Cancelled ${closed} ${place()}.`,
    )
    expect(await refused('closing', ...cancelled, '--comment', 'Por error.')).toBe(
      'The closing is cancelled already.',
    )
    expect(await done('closing', 'list')).toMatch(/'Por error.'/)
  })

  it('unlocks the days of a person', async () => {
    const args = ['unlock', day(-3), day(-3), ...AS, '--person', 'P-2', '--comment', 'Sin comer.']
    expect(await done('closing', ...args)).toMatch(/^What was paid stands; .+\nUnlocked as \d+ /)
    expect(await done('closing', 'list')).toMatch(/Unlocks.+'P-2'.+'Sin comer.'/s)
  })

  it('is not for a user who is limited to branches, inactive or unknown', async () => {
    const args = (email: string) => ['close', today, ...GROUP, '--yes', '--as', email]
    expect(await refused('closing', ...args('nadie@demo.mx'))).toBe(
      'There is no user nadie@demo.mx.',
    )
    const EMAIL = 'sofia@demo.mx'
    const added = await runInProcess(
      'user',
      ['add', EMAIL, '--first-name', 'S', '--last-name', 'L', '--persist-to', service.state],
      'una clave larga',
    )
    expect(added.status).toBe(0)
    await done('user', 'scope', EMAIL, '--branch', 'Norte')
    expect(await refused('closing', ...args(EMAIL))).toBe(
      'The user of --as must not be limited to branches.',
    )
    await done('user', 'deactivate', EMAIL, '--yes')
    expect(await refused('closing', ...args(EMAIL))).toBe(`The user ${EMAIL} is not active.`)
  })
})

describe('a rule that starts on a day', () => {
  it('changes no paid day, and shows the days that it changes', async () => {
    const paid = `Days before ${today} are paid: give --from ${today}, or a later day.`
    expect(await refused('employee', 'shift', 'P-1', '26')).toBe(paid)
    expect(await refused('employee', 'shift', 'P-1', '26', '--from', day(-1))).toBe(paid)
    const zone = ['zone', 'Prueba', 'America/Tijuana']
    expect(await refused('branch', ...zone, '--from', day(-1))).toBe(paid)
    expect(await done('employee', 'shift', 'P-1', '26', '--from', today)).toBe(
      `No day of the last 31 changes.\nAn entrada of P-1 stays open for 26 hours from ${today} on ${place()}.\n`,
    )

    const listed = await done('closing', 'list')
    const [, id = ''] =
      /│ (\d+) +│ '[\d-]+' +│ 'the group prueba'.+'Primera semana/.exec(listed) ?? []
    await done('closing', 'cancel', id, ...AS, '--comment', 'Otra regla.')
    const shifted = ['shift', 'P-1', '25', '--from', day(-6)]
    expect(await done('employee', ...shifted)).toBe(
      [
        `P-1 ${day(-6)}: 06:00–? sin_salida → 06:00–02:00+1`,
        `P-1 ${day(-5)}: ?–02:00 sin_entrada → nothing`,
        `An entrada of P-1 stays open for 25 hours from ${day(-6)} on ${place()}.\n`,
      ].join('\n'),
    )
    expect(await refused('employee', ...shifted)).toBe('Nothing was changed: it is so already.')
    const moved = await done('branch', ...zone, '--from', day(-3))
    expect(moved).toContain(`P-2 ${day(-3)}: 08:00–16:00 → `)
    expect(moved).not.toContain(day(-6))
    expect(await done('branch', 'list')).toMatch(
      new RegExp(`'Prueba'.+'America/Tijuana'.+'${day(-3)}'`),
    )
  })

  it.each([
    ['employee', ['shift', 'nadie', '26'], 'No employee has that id.'],
    [
      'employee',
      ['shift', 'P-1', '26', '--from', '2026-02-30'],
      '2026-02-30 is not a date, YYYY-MM-DD.',
    ],
    ['employee', ['shift', 'P-1', '26', '--from', ''], /'' is invalid\. It is blank\.$/],
    ['employee', ['shift', 'P-1', '37'], /Not 1 to 36 hours\.$/],
    ['branch', ['zone', 'Prueba', 'America/Tijuna'], 'There is no time zone America/Tijuna.'],
    ['branch', ['zone', '', 'America/Tijuana'], /'' is invalid.+ It is blank\.$/],
    [
      'branch',
      ['zone', 'Prueba', 'America/Cancun', '--from', ''],
      /'' is invalid\. It is blank\.$/,
    ],
  ])('rejects npm run %s -- %j', async (command, args, message) => {
    expect(await refused(command, ...args)).toEqual(
      message instanceof RegExp ? expect.stringMatching(message) : message,
    )
  })
})
