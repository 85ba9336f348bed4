import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { importInto } from '../../cli/import/run.ts'
import { setSources } from '../../cli/people/users.queries.ts'
import { intake_sources } from '../../src/core/db/schema.ts'
import { failure, get, post } from '../support/api.ts'
import { aLog, allLogs, anAdmin, anEmployee, aUser, db } from '../support/factories.ts'

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

const send = (source: string, more: object = {}, { token } = machine) =>
  post(
    '/v2/incidents/logs',
    {
      source,
      logs: [{ source_id: '1', employee_id, kind: 'entrada', recorded_at }],
      ...more,
    },
    { token, env: settings },
  )

const FOREIGN = failure('Tu usuario no puede enviar registros de ese origen.')

describe('a machine that is limited to sources', () => {
  it('sends for these, in any spelling of their names', async () => {
    for (const source of [
      'reloj-norte',
      ' Reloj-Norte ',
      'ＲＥＬＯＪ-norte',
      'Reloj\u00A0Sur',
      'RELOJ SUR',
    ]) {
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
    // Administrators and payroll see every source, even if the user may only send for some.
    const sources = JSON.stringify(['reloj-norte'])
    expect(await seen(await anAdmin({ sources }))).toEqual(whole)
    const scoped = await anAdmin({ scope_branches: JSON.stringify(['Norte']) })
    expect(await seen(scoped)).toMatchObject({ next_after: 3, is_limited: true })
    const payer = await aUser({ role: 'nomina', sources })
    expect(await seen(payer)).toMatchObject({ sources: all })
  })

  it('gets or loses its limit from the next request on, and keeps it in an import', async () => {
    expect(await setSources(env.DB, machine.email_key, ['reloj-este'])).toBe(true)
    expect((await send('reloj-norte')).status).toBe(403)
    expect((await send('reloj-este')).status).toBe(200)
    const { email, first_name, last_name, mother_last_name, role, type_user, status_user } = machine
    const user = { email, first_name, last_name, mother_last_name, role, type_user, status_user }
    const row = { ...user, active: 1, external: 0, employee_id: null, password: 'una clave larga' }
    await importInto(env.DB, { users: [row] })
    expect((await send('reloj-norte')).status).toBe(403)
    expect(await setSources(env.DB, machine.email_key, null)).toBe(true)
    expect((await send('reloj-norte')).status).toBe(200)
    expect(await setSources(env.DB, 'nadie@empresa.mx', null)).toBe(false)
  })
})

it('an import normalizes a source’s name, so that the log is known when it is sent', async () => {
  const recorded_at = now()
  const log = { source: ' Reloj-Norte', source_id: '1', employee_id, kind: 'entrada', recorded_at }
  expect(await importInto(env.DB, { logs: [log] })).not.toHaveProperty('errors')
  const { source: _, ...item } = log
  expect((await send('reloj-norte', { logs: [item] })).body.data).toMatchObject([
    { result: 'known' },
  ])
  const wrong = await importInto(env.DB, { logs: [{ ...log, source: 'Ａpp:1' }] })
  expect(wrong).toEqual({ errors: ['logs[0].source: must not begin with app: or manual:'] })
})
