import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { intake_sources } from '../../src/core/tables/intake.ts'
import { VERSION } from '../../src/core/values/version.ts'
import { NEWEST_MIGRATION } from '../../src/health/health.queries.ts'
import { get } from '../support/api.ts'
import { app } from '../support/app.ts'
import { stopClock } from '../support/clock/clock.ts'
import { aLog, aUser, aZone, db } from '../support/factories.ts'
import { failureOf } from '../support/failures.ts'
import { failStatement } from '../support/fault-injection.ts'
import { useLoggedLines } from '../support/logged-lines.ts'
import { populate } from '../support/populate.ts'
import { recordQueries } from '../support/record-queries.ts'
import { seal } from '../support/seals.ts'

const NOW = new Date('2026-11-20T18:00:00.000Z')
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000).toISOString()

beforeEach(() => stopClock(NOW))

const lines = useLoggedLines()

interface Failure {
  code: string
}

const health = async (settings: Partial<Env> = {}) => {
  const res = await app.request('/health', {}, { ...env, ...settings })
  // biome-ignore lint/suspicious/noExplicitAny: the tests assert the shape
  return (await res.json<any>()).data
}

describe('GET /health', () => {
  it('is a 503 while the database fails', async () => {
    const res = await app.request('/health', {}, { ...env, DB: failStatement(0).DB })
    expect([res.status, await res.json()]).toEqual([503, failureOf('DATABASE_OUTDATED')])
  })

  it.each([
    ['D1_ERROR: database disk image is malformed: SQLITE_CORRUPT', 'DATABASE_DOWN'],
    ['D1_ERROR: no such column: clock_bounds: SQLITE_ERROR', 'DATABASE_OUTDATED'],
    ['D1_ERROR: Network connection lost.', 'DATABASE_BUSY'],
  ] as const)('says why it is unwell, and the log has the cause: %s', async (message, code) => {
    const batch = () => Promise.reject(new Error(message))
    const DB = { prepare: env.DB.prepare.bind(env.DB), batch } as unknown as D1Database
    const res = await app.request('/health', {}, { ...env, DB })
    expect([res.status, await res.json()]).toEqual([503, failureOf(code)])
    expect(res.headers.get('Retry-After')).toBe('1')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ error: { message } }])
  })

  it('is the same under /api, the base of generated clients', async () => {
    const [outside, under] = [await app.request('/health', {}, env), await get('/health')]
    expect([under.status, under.body]).toEqual([200, await outside.json()])
  })

  it('shows that the database is still empty', async () => {
    const res = await app.request('/health', {}, env)
    const { data, ...envelope } = await res.json<{ data: unknown }>()
    expect([res.status, envelope]).toEqual([
      200,
      { success: true, message: 'El servicio funciona.' },
    ])
    expect(data).toEqual({
      version: VERSION,
      zone_data: '2026b',
      database_bytes: expect.any(Number),
      limit_bytes: 10_000_000_000,
      days_left: null,
      warning: null,
      warning_code: null,
      newest_log_age_seconds: null,
      newest_seal_age_seconds: null,
      oldest_unsealed_age_seconds: null,
      unsealed_events: 0,
      newest_clock_age_seconds: null,
      clocks: 0,
      silent_clocks: 0,
    })
  })

  it('shows the age of the newest log of any id, and figures of seals and clocks', async () => {
    await aLog({ id: 1_000_000_000, created_at: ago(9_000) })
    await aLog({ id: 7, created_at: ago(8_000) })
    await seal({ now: new Date(ago(7_200)) })
    await aLog({ id: 8, created_at: ago(600) })
    await aLog({ id: 9, created_at: ago(60) })
    await db.insert(intake_sources).values([
      { source: 'a', last_seen_at: ago(30) },
      { source: 'b', last_seen_at: ago(86_399) },
      { source: 'c', last_seen_at: ago(86_401) },
      { source: 'd', last_seen_at: ago(900_000), retired_at: ago(0) },
    ])
    const shown = {
      newest_log_age_seconds: 60,
      newest_seal_age_seconds: 7_200,
      oldest_unsealed_age_seconds: 600,
      unsealed_events: 2,
      newest_clock_age_seconds: 30,
      clocks: 3,
      silent_clocks: 1,
    }
    expect(await health()).toMatchObject(shown)
    const unsealed = { ...shown, oldest_unsealed_age_seconds: null, unsealed_events: 0 }
    expect(await health({ SEAL_KEY: '' })).toMatchObject(unsealed)
  })

  it('warns from 80 % on, and counts the days that are left at the pace of 28 days', async () => {
    const daysAgo = (days: number) => ago(days * 86_400)
    await aLog({ created_at: daysAgo(100) })
    await populate(env.DB, 0, 10_000)
    const { database_bytes: bytes, days_left, warning } = await health()
    // All bytes were stored within 100 days.
    expect(days_left).toBe(Math.floor((9_700_000_000 - bytes) / (bytes / 100)))
    expect(warning).toBeNull()
    stopClock(daysAgo(30))
    await seal()
    stopClock(NOW)
    expect((await health()).days_left).toBeNull()
    await aLog({ created_at: daysAgo(1) })
    const [{ events = 0 } = {}] = (
      await env.DB.prepare('SELECT max(id) AS events FROM log_events').all<{ events: number }>()
    ).results
    const after = await health()
    const bytesPerDay = after.database_bytes / events / 30
    expect(after.days_left).toBe(Math.floor((9_700_000_000 - after.database_bytes) / bytesPerDay))
    const megabytes = after.database_bytes / 1_000_000
    const warningAt = async (limit: number) => {
      const { warning, warning_code } = await health({ DB_LIMIT_MB: String(limit) })
      return [warning, warning_code]
    }
    expect(await warningAt(Math.ceil(megabytes / 0.8) + 1)).toEqual([null, null])
    expect(await warningAt(Math.floor(megabytes / 0.8))).toEqual([
      expect.stringMatching(/^the database is at \d\d % of DB_LIMIT_MB$/),
      'DATABASE_ALMOST_FULL',
    ])
    expect(await health({ DB_LIMIT_MB: '1' })).toMatchObject({
      days_left: 0,
      warning: expect.stringMatching(/ and takes no new logs$/),
      warning_code: 'DATABASE_FULL',
    })
  })

  it('reads the same number of rows for few and for many logs, in one round trip', async () => {
    const rowsRead = async () => {
      const { recording, DB } = recordQueries(env.DB)
      await health({ DB })
      expect(recording.calls).toBe(1)
      return recording.rowsRead
    }
    await populate(env.DB, 0, 100)
    const few = await rowsRead()
    await populate(env.DB, 100, 5_000)
    expect(await rowsRead()).toBe(few)
    expect(few).toBeLessThan(20)
  })
})

describe('a zone that this runtime does not have, unlike the one that stored it', () => {
  const unknown = failureOf('UNKNOWN_ZONE', { time_zone: 'America/Nueva' })

  it.each([
    ['/health', 'Norte'],
    ['/api/v2/incidents/logs', null],
  ])('is named by %s', async (path, branch_office) => {
    await aZone({ branch_office, valid_from: '2026-11-01', time_zone: 'America/Nueva' })
    const { token } = await aUser({ role: 'admin' })
    const headers = { Authorization: `Bearer ${token}` }
    const res = await app.request(path, { headers }, env)
    expect([res.status, await res.json()]).toEqual([503, unknown])
  })
})

describe('a database that is not ready', () => {
  const statusOf = async () => (await app.request('/health', {}, env)).status
  const codeOf = async () => (await (await app.request('/health', {}, env)).json<Failure>()).code

  it('is one without the newest migration, which a restore writes last', async () => {
    expect(env.MIGRATIONS.at(-1)?.name).toBe(NEWEST_MIGRATION)
    expect(await statusOf()).toBe(200)
    const { results } = await env.DB.prepare('SELECT * FROM d1_migrations').all()
    await env.DB.prepare('DELETE FROM d1_migrations WHERE name = ?').bind(NEWEST_MIGRATION).run()
    expect([await statusOf(), await codeOf()]).toEqual([503, 'DATABASE_OUTDATED'])
    const { id, name } = results.at(-1) ?? {}
    const insert = env.DB.prepare('INSERT INTO d1_migrations (id, name) VALUES (?, ?)')
    await insert.bind(id, name).run()
    expect(await statusOf()).toBe(200)
  })
})
