import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { createApiClient, daysAgo } from '../support/console-api.ts'
import { useService } from '../support/server.ts'

/** Tests the file that the first installation of a company writes for the second. */

const service = useService(['--var', 'INTAKE_ROLES:admin'])

const run = async (command: string, ...args: string[]): Promise<string> => {
  const { status, out, err } = await service.run(command, args)
  if (status !== 0) throw new Error(err)
  return out
}

const LIMITED = 'maria.hernandez@demo.mx'

it('npm run installation -- people writes what an import keeps unchanged', async () => {
  const file = join(service.state, 'people.json')
  const out = await run('installation', 'people', file)
  expect(out).toContain('Machines, which need a token there: reloj@demo.mx')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const imported = await run('import', file, '--dry-run')
  for (const list of ['clients', 'modules', 'config', 'employees', 'users']) {
    expect(imported).toMatch(new RegExp(`^${list}: 0 new, 0 changed, \\d+ kept$`, 'm'))
  }
  expect(JSON.parse(readFileSync(file, 'utf8')).logs).toBeUndefined()
  await expect(run('installation', 'people', file)).rejects.toThrow(/There is a file at/)
})

it('writes users with limits as not active', async () => {
  await run('user', 'scope', LIMITED, '--branch', 'Centro')
  const file = join(service.state, 'limited.json')
  const out = await run('installation', 'people', file)
  expect(out).toContain(`Limited to branches or sources, so not active in it: ${LIMITED}`)
  const { users } = JSON.parse(readFileSync(file, 'utf8'))
  expect(users.find(({ email }: { email: string }) => email === LIMITED).active).toBe(0)
})

it('with --first-day, writes only employees, branches and the logs around that day', async () => {
  const client = await createApiClient(service.api, DEMO_ADMIN, DEMO_PASSWORD)
  await client.recordLegacy('E-002', 900_000, daysAgo(1, '03:00'))
  // If two zones are valid from the same day, the file has the newer one. It does not have the
  // longest shift that is valid from a later day.
  for (const zone of ['America/Tijuana', 'America/Cancun']) {
    await run('branch', 'zone', 'Nueva', zone, '--yes')
  }
  await run('employee', 'shift', 'E-002', '12')
  await run('employee', 'shift', 'E-002', '20', '--from', '2099-01-01')
  const file = join(service.state, 'with-logs.json')
  const today = new Date().toISOString().slice(0, 10)
  await run('installation', 'people', file, '--first-day', today)
  const { logs, employees, branches, ...other } = JSON.parse(readFileSync(file, 'utf8'))
  expect(other).toEqual({})
  expect(branches).toContainEqual({ branch_office: 'Nueva', time_zone: 'America/Cancun' })
  const one = employees.find(({ employee_id }: { employee_id: string }) => employee_id === 'E-002')
  expect(one.max_shift_hours).toBe(12)
  const statuses = new Set(logs.map(({ status }: { status: string }) => status))
  expect([...statuses].sort()).toEqual(['approved', 'pending', 'rejected'])
  const oldest = logs.map(({ recorded_at }: { recorded_at: string }) => recorded_at).sort()[0]
  expect(Date.parse(today) - Date.parse(oldest)).toBeLessThanOrEqual(15 * 86_400_000)
  const legacy = logs.find(({ log_id }: { log_id?: number }) => log_id === 900_000)
  expect(legacy).not.toHaveProperty('source')
  // Logs from apps, and logs added by hand, get a source that an import may name.
  const imported = await run('import', file, '--dry-run')
  expect(imported).toMatch(/^logs: [1-9]\d* new, 0 changed, [1-9]\d* kept$/m)
  const wrong = join(service.state, 'other.json')
  await expect(run('installation', 'people', wrong, '--first-day', 'hoy')).rejects.toThrow(
    'hoy is not a date, YYYY-MM-DD.',
  )
  await expect(run('installation', 'people', wrong, '--first-day', '')).rejects.toThrow(
    "'' is invalid. It is blank.",
  )
  expect(existsSync(wrong)).toBe(false)
})
