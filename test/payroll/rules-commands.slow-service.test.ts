import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { addDays } from '../../src/core/time-zone.ts'
import { runInProcess, type ScriptName } from '../support/command.ts'
import { createApiClient } from '../support/console-api.ts'
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

beforeAll(async () => {
  const file = join(service.state, 'prueba.json')
  const logs = [
    // Logs that are twenty hours apart are no pair: the longest shift is 16 hours unless it is set.
    ...punches('P-1', 'approved', at(-6, '06:00'), at(-5, '02:00')),
    ...punches('P-1', 'approved', at(-3, '08:00'), at(-3, '17:00')),
    ...punches('P-2', 'approved', at(-3, '08:00'), at(-3, '16:00')),
    ...punches('P-2', 'pending', at(-2, '08:00')),
  ]
  const payroll_groups = [{ payroll_group: 'prueba', calendar: 'month', pays_from: day(-10) }]
  const employees = [person('P-1'), person('P-2')]
  writeFileSync(file, JSON.stringify({ payroll_groups, employees, logs }))
  await done('import', file)
}, 600_000)

describe('a rule that starts on a day', () => {
  it('changes no paid day, and shows the days that it changes', async () => {
    const ana = await createApiClient(service.api, DEMO_ADMIN, DEMO_PASSWORD)
    const group = { payroll_group: 'prueba', leave_pending: true }
    const { id } = await ana.close({ ...group, before: today })
    const paid = `Days before ${today} are paid: give --from ${today}, or a later day.`
    expect(await errorOf('employee', 'shift', 'P-1', '26')).toBe(paid)
    expect(await errorOf('employee', 'shift', 'P-1', '26', '--from', day(-1))).toBe(paid)
    const zone = ['zone', 'Prueba', 'America/Tijuana']
    expect(await errorOf('branch', ...zone, '--from', day(-1))).toBe(paid)
    expect(await done('employee', 'shift', 'P-1', '26', '--from', today)).toBe(
      `No day of the last 31 changes.\nAn entrada of P-1 stays open for 26 hours from ${today} on ${place()}.\n`,
    )

    const { post } = await signInToService(service)
    await post(`/v2/incidents/closings/${id}/cancel`, { comment: 'Otra regla.' })
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
