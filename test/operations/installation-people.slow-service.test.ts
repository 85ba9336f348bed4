import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useService } from '../support/server.ts'

/** What a second installation of the company gets from the first. */

const service = useService()

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

it('has the logs around the first day with their decisions, and no user with limits', async () => {
  await run('user', 'scope', LIMITED, '--branch', 'Centro')
  const file = join(service.state, 'with-logs.json')
  const today = new Date().toISOString().slice(0, 10)
  const out = await run('installation', 'people', file, '--first-day', today)
  expect(out).toContain(`Limited to branches or sources, so not active in it: ${LIMITED}`)
  const { logs, users } = JSON.parse(readFileSync(file, 'utf8'))
  expect(users.find(({ email }: { email: string }) => email === LIMITED).active).toBe(0)
  const statuses = new Set(logs.map(({ status }: { status: string }) => status))
  expect([...statuses].sort()).toEqual(['approved', 'pending', 'rejected'])
  const oldest = logs.map(({ recorded_at }: { recorded_at: string }) => recorded_at).sort()[0]
  expect(Date.parse(today) - Date.parse(oldest)).toBeLessThanOrEqual(15 * 86_400_000)
  // Checks from apps, and logs added by hand, get a source that an import may name.
  const imported = await run('import', file, '--dry-run')
  expect(imported).toMatch(/^logs: [1-9]\d* new, 0 changed, [1-9]\d* kept$/m)
  const other = join(service.state, 'other.json')
  await expect(run('installation', 'people', other, '--first-day', 'hoy')).rejects.toThrow(
    'hoy is not a date, YYYY-MM-DD.',
  )
})
