import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { addDays } from '../../src/core/time-zone.ts'
import { runInProcess, type ScriptName } from '../support/command.ts'
import { createApiClient } from '../support/console-api.ts'
import { parseLines } from '../support/lines.ts'
import { useService } from '../support/server.ts'
import { signInToService } from '../support/service-evidence.ts'

const service = useService()

const run = (command: ScriptName, ...args: string[]) =>
  runInProcess(command, [...args, '--persist-to', service.state])

const done = async (command: ScriptName, ...args: string[]): Promise<string> => {
  const { status, out, err } = await run(command, ...args)
  expect({ status, err }).toEqual({ status: 0, err: '' })
  return out
}

const errorOf = async (command: ScriptName, ...args: string[]): Promise<string> => {
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
const MARIA = 'maria.hernandez@demo.mx'
const admin = () => createApiClient(service.api, DEMO_ADMIN, DEMO_PASSWORD)

/** The numbers of the closings of this file. */
const closed: number[] = []

/** Closes the group's days before today. Returns the closing's number. */
const close = async (openings?: Record<string, string>): Promise<number> => {
  const request = { before: today, payroll_group: 'prueba', leave_pending: true }
  const { id } = await (await admin()).close({ ...request, ...(openings && { openings }) })
  closed.push(id)
  return id
}

const paidDays = async (id: number) => {
  const { get } = await signInToService(service)
  const lines = parseLines(await get(`/v2/incidents/closings/${id}/lines?format=ndjson`))
  return lines.map((line) => [line.employee_id, line.day, line.difference_seconds])
}

beforeAll(async () => {
  const file = join(service.state, 'prueba.json')
  const logs = [
    ...punches('P-1', 'approved', at(-12, '08:00'), at(-12, '12:00')),
    // Logs that are twenty hours apart are no pair: the longest shift is 16 hours unless it is set.
    ...punches('P-1', 'approved', at(-6, '06:00'), at(-5, '02:00')),
    ...punches('P-1', 'approved', at(-3, '08:00'), at(-3, '17:00')),
    ...punches('P-2', 'approved', at(-3, '08:00'), at(-3, '16:00')),
    ...punches('P-2', 'pending', at(-2, '08:00')),
  ]
  writeFileSync(file, JSON.stringify({ employees: [person('P-1'), person('P-2')], logs }))
  await done('import', file)
}, 600_000)

describe('npm run closing -- opening', () => {
  const opening = (id: string, first: string, ...more: string[]) => [
    ...['opening', id, first, '--comment', 'Faltaba una semana.'],
    ...more,
  ]

  it('moves a first day back, and the next closing pays the days before', async () => {
    const id = await close({ 'P-1': day(-10), 'P-2': day(-4) })
    expect(await paidDays(id)).toEqual([
      ['P-1', day(-6), 0],
      ['P-1', day(-5), 0],
      ['P-1', day(-3), 9 * 3600],
      ['P-2', day(-3), 8 * 3600],
      ['P-2', day(-2), 0],
    ])
    expect(await errorOf('closing', ...opening('P-1', day(-9), ...AS))).toBe(
      `P-1 is paid here since ${day(-10)}: only an earlier day may be said.`,
    )
    expect(await done('closing', ...opening('P-1', day(-12), ...AS))).toBe(
      `The next closing pays the days before.\nP-1 is paid here since ${day(-12)} ${place()}.\n`,
    )
    expect(await paidDays(await close())).toEqual([['P-1', day(-12), 4 * 3600]])
  })

  it('rejects invalid input, and an unknown, inactive or limited user', async () => {
    const by = (email: string) => errorOf('closing', ...opening('P-1', day(-20), '--as', email))
    expect(await errorOf('closing', ...opening('P-1', day(-20)))).toContain("'--as <email>'")
    expect(await errorOf('closing', ...opening('nadie', day(-20), ...AS))).toBe(
      'No employee has that id.',
    )
    expect(await errorOf('closing', ...opening('P-1', '2026-02-30', ...AS))).toBe(
      '2026-02-30 is not a date, YYYY-MM-DD.',
    )
    const blank = ['opening', 'P-1', day(-20), ...AS, '--comment', ' ']
    expect(await errorOf('closing', ...blank)).toBe(
      '--comment needs a text of 1 to 500 characters.',
    )
    expect(await by('nadie@demo.mx')).toBe('There is no user nadie@demo.mx.')
    const ana = await admin()
    await ana.changeUser(MARIA, { scope_branches: ['Norte'] })
    expect(await by(MARIA)).toBe('The user of --as must not be limited to branches.')
    await ana.changeUser(MARIA, { active: 0 })
    expect(await by(MARIA)).toBe(`The user ${MARIA} is not active.`)
  })
})

describe('a rule that starts on a day', () => {
  it('changes no paid day, and shows the days that it changes', async () => {
    const paid = `Days before ${today} are paid: give --from ${today}, or a later day.`
    expect(await errorOf('employee', 'shift', 'P-1', '26')).toBe(paid)
    expect(await errorOf('employee', 'shift', 'P-1', '26', '--from', day(-1))).toBe(paid)
    const zone = ['zone', 'Prueba', 'America/Tijuana']
    expect(await errorOf('branch', ...zone, '--from', day(-1))).toBe(paid)
    expect(await done('employee', 'shift', 'P-1', '26', '--from', today)).toBe(
      `No day of the last 31 changes.\nAn entrada of P-1 stays open for 26 hours from ${today} on ${place()}.\n`,
    )

    const { post } = await signInToService(service)
    for (const id of closed.toReversed()) {
      await post(`/v2/incidents/closings/${id}/cancel`, { comment: 'Otra regla.' })
    }
    const shifted = ['shift', 'P-1', '25', '--from', day(-6)]
    expect(await done('employee', ...shifted)).toBe(
      [
        `P-1 ${day(-6)}: 06:00–? sin_salida → 06:00–02:00+1`,
        `P-1 ${day(-5)}: ?–02:00 sin_entrada → nothing`,
        `An entrada of P-1 stays open for 25 hours from ${day(-6)} on ${place()}.\n`,
      ].join('\n'),
    )
    expect(await errorOf('employee', ...shifted)).toBe('Nothing was changed: it is so already.')
    const moved = await done('branch', ...zone, '--from', day(-3))
    expect(moved).toContain(`P-2 ${day(-3)}: 08:00–16:00 → `)
    expect(moved).not.toContain(day(-6))
    expect(await done('branch', 'list')).toMatch(
      new RegExp(`'Prueba'.+'America/Tijuana'.+'${day(-3)}'`),
    )
  })

  it.each<[ScriptName, string[], string | RegExp]>([
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
    expect(await errorOf(command, ...args)).toEqual(
      message instanceof RegExp ? expect.stringMatching(message) : message,
    )
  })
})
