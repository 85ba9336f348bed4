import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { importInto } from '../../cli/import/run.ts'
import { employee_sources, intake_problems, intake_sources } from '../../src/core/tables/intake.ts'
import { users } from '../../src/core/tables/users.ts'
import { get, post } from '../support/api.ts'
import { aLog, allLogs, anAdmin, anEmployee, aUser, db, inBranches } from '../support/factories.ts'
import { failureOf } from '../support/failures.ts'

const settings = { INTAKE_ROLES: 'reloj', PAYROLL_ROLES: 'nomina' }
const now = () => new Date().toISOString()

let machine: Awaited<ReturnType<typeof aUser>>
let employee_id: string
/** The time of all logs of one test. The same log sent twice must have the same second. */
let recorded_at: string
beforeEach(async () => {
  recorded_at = now()
  machine = await aUser({ role: 'reloj', sources: JSON.stringify(['reloj-norte', 'reloj sur']) })
  employee_id = (await anEmployee()).employee_id
})

const send = (source: string, more: object = {}, { token } = machine) => {
  const logs = [{ source_id: '1', employee_id, kind: 'entrada', recorded_at }]
  return post('/v2/incidents/logs', { source, logs, ...more }, { token, env: settings })
}

const FOREIGN = failureOf('FOREIGN_SOURCE')

describe('a machine that is limited to sources', () => {
  it('sends for these sources, in any spelling of their names', async () => {
    for (const source of ['reloj-norte', ' Reloj-Norte ', 'ＲＥＬＯＪ-norte', 'Reloj\u00A0Sur']) {
      expect((await send(source)).status, source).toBe(200)
    }
    expect((await allLogs()).map(({ source }) => source)).toEqual(['reloj-norte'])
    const sources = await db.select().from(intake_sources)
    expect(sources.map(({ source }) => source)).toEqual(['reloj-norte', 'reloj sur'])
  })

  it('gets a 403 for another source, and no log of the call is recorded', async () => {
    for (const more of [{}, { logs: [], complete_until: now() }, { logs: ['basura'] }]) {
      const res = await send('reloj-este', more)
      expect([res.status, res.body]).toEqual([403, FOREIGN])
    }
    expect(await allLogs()).toEqual([])
    expect(await db.select().from(intake_sources)).toEqual([])
  })

  it('sees only these sources, with their problems and their events', async () => {
    const other = await aUser({ role: 'reloj' })
    const unknown = [{ source_id: '2', employee_id: 'nadie', kind: 'entrada', recorded_at: now() }]
    await send('reloj-norte', { logs: unknown })
    await send('reloj-este', { logs: unknown }, other)
    for (const source of ['reloj-norte', 'reloj-este', '']) {
      await aLog({ source, source_id: source && '3' })
    }
    const seen = async ({ token }: { token: string }) => {
      const read = async (path: string) =>
        (await get(`/v2/incidents/${path}`, { token, env: settings })).body.data
      const sources: { source: string }[] = await read('sources')
      const { changes, next_after, is_limited } = (await read('changes')) ?? { changes: [] }
      return {
        sources: sources.map(({ source }) => source),
        events: changes.map((change: { source: string }) => change.source),
        next_after,
        is_limited,
      }
    }
    const all = ['reloj-este', 'reloj-norte']
    const events = ['reloj-norte', 'reloj-este', '']
    expect(await seen(machine)).toEqual({
      sources: ['reloj-norte'],
      events: ['reloj-norte'],
      next_after: 3,
      is_limited: true,
    })
    const whole = { sources: all, events, next_after: 3, is_limited: false }
    expect(await seen(other)).toEqual(whole)
    // Administrators and payroll users see every source, even if they may send logs for only some.
    const sources = JSON.stringify(['reloj-norte'])
    expect(await seen(await anAdmin({ sources }))).toEqual(whole)
    const scoped = await anAdmin({ scope_branches: inBranches('Norte') })
    expect(await seen(scoped)).toMatchObject({ next_after: 3, is_limited: true })
    const payer = await aUser({ role: 'nomina', sources })
    expect(await seen(payer)).toMatchObject({ sources: all })
  })

  it('gets or loses its limit from the next request on, and keeps it in an import', async () => {
    const limitTo = (sources: string | null) =>
      db.update(users).set({ sources }).where(eq(users.id, machine.id))
    await limitTo('["reloj-este"]')
    expect((await send('reloj-norte')).status).toBe(403)
    expect((await send('reloj-este')).status).toBe(200)
    const { email, first_name, last_name, mother_last_name, role, type_user, status_user } = machine
    const user = { email, first_name, last_name, mother_last_name, role, type_user, status_user }
    const row = { ...user, active: 1, external: 0, employee_id: null, password: 'una clave larga' }
    await importInto(env.DB, { users: [row] })
    expect((await send('reloj-norte')).status).toBe(403)
    await limitTo(null)
    expect((await send('reloj-norte')).status).toBe(200)
  })
})

describe('the number of a log in the legacy API', () => {
  const scope_branches = inBranches('Norte')
  const LIMITED = [
    ['sources', { sources: JSON.stringify(['reloj-norte']) }],
    ['a branch', { scope_branches }],
    ['sources and a branch', { sources: JSON.stringify(['reloj-norte']), scope_branches }],
  ] as const

  it.each(LIMITED)('is refused from a user limited to %s', async (_, limits) => {
    const { token } = await aUser({ role: 'reloj', ...limits })
    const other = await aLog({ id: 9001, recorded_at })
    const facts = { kind: 'entrada', recorded_at }
    const { employee_id } = await anEmployee({ branch_office: 'Norte' })
    const logs = [
      { ...facts, log_id: 9002, employee_id },
      { ...facts, log_id: 9001, employee_id },
      { ...facts, log_id: 9001, employee_id: other.employee_id },
      { ...facts, log_id: 9003, employee_id: 'nadie' },
      { ...facts, log_id: 9004, employee_id, recorded_at: '2001-01-01T00:00:00Z' },
      { log_id: 9005 },
      { ...facts, source_id: '1', employee_id, kind: 'salida' },
    ]
    const refused = { log_id: null, result: 'refused', reason: 'invalid', detail: 'forbidden_id' }
    const alone = await send('reloj-norte', { logs: logs.slice(0, 1) }, { ...machine, token })
    expect(alone.body.data).toEqual([refused])
    expect(await db.select().from(employee_sources)).toEqual([])

    const res = await send('reloj-norte', { logs }, { ...machine, token })
    expect(res.body.data).toEqual([
      ...Array(6).fill(refused),
      { log_id: 1_000_000_000, result: 'created' },
    ])
    expect((await allLogs()).map(({ id }) => id)).toEqual([9001, 1_000_000_000])
    const problems = await db.select().from(intake_problems)
    for (const source_id of ['9001', '9002']) {
      expect(problems).toContainEqual(expect.objectContaining({ source_id, reason: 'invalid' }))
    }
  })

  it('is accepted from a machine without limits', async () => {
    const { token } = await aUser({ role: 'reloj' })
    const log = { log_id: 9002, employee_id, kind: 'entrada', recorded_at }
    const res = await send('legado', { logs: [log] }, { ...machine, token })
    expect(res.body.data).toEqual([{ log_id: 9002, result: 'created' }])
  })
})

it('an import normalizes a source’s name, so that the log is known when it is sent', async () => {
  const recorded_at = now()
  const log = { source: ' Reloj-Norte', source_id: '1', employee_id, kind: 'entrada', recorded_at }
  expect(await importInto(env.DB, { logs: [log] })).not.toHaveProperty('errors')
  const { source: _, ...item } = log
  const { body } = await send('reloj-norte', { logs: [item] })
  expect(body.data).toMatchObject([{ result: 'known' }])
  const wrong = await importInto(env.DB, { logs: [{ ...log, source: 'Ａpp:1' }] })
  const error = 'logs[0].source: must not have a colon or begin with "clock "'
  expect(wrong).toEqual({ errors: [error] })
})
