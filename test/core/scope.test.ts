import { env } from 'cloudflare:workers'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { AuthorizedDb } from '../../src/core/db/authorization.ts'
import { log_events } from '../../src/core/tables/logs.ts'
import { users } from '../../src/core/tables/users.ts'
import { type Admin, idsOf, signInAdmin } from '../support/admin.ts'
import { get } from '../support/api.ts'
import {
  aLog,
  aLogOf,
  allComments,
  allDecisions,
  anEmployee,
  aProblem,
  db,
  inBranches,
  insertLogs,
} from '../support/factories.ts'
import { useLoggedLines } from '../support/logged-lines.ts'
import { recordQueries } from '../support/record-queries.ts'

/** The administrator's scope is the branch Norte. There is one log in Norte and one log in Sur. */
let admin: Admin
let north: { id: number; employee_id: string }
let south: { id: number; employee_id: string }
useLoggedLines()
beforeEach(async () => {
  admin = await signInAdmin({ scope_branches: inBranches('Norte') })
  north = await aLogIn('Norte')
  south = await aLogIn('Sur')
})

const aLogIn = (branch_office: string) => aLogOf({ branch_office })

const setScope = (branch: string | null) =>
  db
    .update(users)
    .set({ scope_branches: branch === null ? null : inBranches(branch) })
    .where(eq(users.id, admin.id))

/** A database whose batches are run by `act`. */
const withBatch = (
  act: (run: () => Promise<D1Result[]>, statements: unknown[]) => Promise<D1Result[]>,
) => {
  const { DB } = recordQueries(env.DB)
  const batch = (some: D1PreparedStatement[]) => act(() => DB.batch(some), some)
  return { prepare: DB.prepare, withSession: DB.withSession, batch } as unknown as D1Database
}

const UNKNOWN = 999_999

describe('an administrator with a scope', () => {
  it('gets the same bytes for a log of another branch as for one that does not exist', async () => {
    const requests = [
      (log_id: number) => admin.get(`/logs/${log_id}`),
      (log_id: number) => admin.change({ log_id, status: 'approved', comment: 'visto' }),
      (log_id: number) => admin.change({ log_id, status: 'approved', expected_status: 'rejected' }),
      (log_id: number) => admin.change({ log_id, status: 'x' }),
      (log_id: number) => admin.changeMany({ log_ids: [north.id, log_id], status: 'approved' }),
      (log_id: number) =>
        admin.change({ log_id, status: 'rejected' }, { REQUIRE_COMMENT: 'rejected' }),
    ]
    for (const request of requests) {
      const [outside, unknown] = [await request(south.id), await request(UNKNOWN)]
      expect([404, 422]).toContain(outside.status)
      expect([outside.status, outside.text]).toEqual([unknown.status, unknown.text])
    }
    expect(await allDecisions()).toEqual([])
    expect(await allComments()).toEqual([])
  })

  it('does not learn that a log of another branch is their own', async () => {
    const { employee_id } = await anEmployee({ branch_office: 'Sur' })
    const own = await aLog({ employee_id })
    await db.update(users).set({ employee_id }).where(eq(users.id, admin.id))
    const change = { log_id: own.id, status: 'approved' }
    const res = await admin.change(change, { FORBID_SELF_APPROVAL: 'true' })
    expect(res.status).toBe(422)
  })

  it('keeps a log in the branch where it was recorded when its employee moves', async () => {
    await db.run(sql`UPDATE employees SET branch_office = 'Sur'`)
    expect(idsOf(await admin.list())).toEqual([north.id])
  })

  it('reads the changes of the branch, and skips those of other branches when paging', async () => {
    const more = await aLogIn('Norte')
    const events = (await db.select().from(log_events)).map(({ id }) => id)
    const first = (await admin.get('/changes?limit=2')).body.data
    expect(first.changes).toMatchObject([{ log_id: north.id }])
    expect(first.next_after).toBe(events[1])
    const second = (await admin.get(`/changes?limit=2&after=${first.next_after}`)).body.data
    expect(second.changes).toMatchObject([{ log_id: more.id }])
  })

  it('sees only the problems of the branch', async () => {
    await aProblem({ employee_id: north.employee_id, branch_office: 'Norte' })
    await aProblem({ employee_id: south.employee_id, branch_office: 'Sur' })
    await aProblem({ employee_id: 'E-desconocida', branch_office: null })
    const [source] = (await admin.get('/sources')).body.data
    expect(source.problems).toMatchObject([{ employee_id: north.employee_id }])
  })

  it('may have a branch with any name', async () => {
    for (const branch of ['Norte\'x": auth:FORBIDDEN', 'Mérida 🌵', '']) {
      const { id } = await aLogIn(branch)
      await setScope(branch)
      expect(idsOf(await admin.list())).toEqual([id])
    }
  })
})

describe('a change of scope', () => {
  it('applies from the next request on, in each of two isolates', async () => {
    // The cache is kept per binding, so two bindings act like two isolates.
    const isolates = [recordQueries(env.DB).DB, recordQueries(env.DB).DB]
    const lists = () => Promise.all(isolates.map(async (DB) => idsOf(await admin.list('', { DB }))))

    for (const [scope, expected] of [
      ['Norte', [north.id]],
      ['Sur', [south.id]],
      [null, [north.id, south.id]],
      ['Norte', [north.id]],
    ] as const) {
      await setScope(scope)
      for (let i = 0; i < 2; i++) expect(await lists()).toEqual([expected, expected])
    }
  })

  it('applies to endpoints for users of all branches, although the isolate remembers it', async () => {
    const listPeople = async () =>
      (await get('/v2/people/employees', { token: admin.token })).status
    expect((await admin.list()).status).toBe(200)
    expect(await listPeople()).toBe(403)
    await setScope(null)
    expect(await listPeople()).toBe(200)
  })

  it('takes a second round trip once in each isolate, for any request', async () => {
    const { recording, DB } = recordQueries(env.DB)
    const tripsOf = async (request: () => Promise<{ status: number }>) => {
      const before = recording.calls
      expect((await request()).status).toBe(200)
      return recording.calls - before
    }
    const list = () => admin.list('', { DB })
    const change = () => admin.change({ log_id: north.id, status: 'approved' }, { DB })

    expect([await tripsOf(list), await tripsOf(list), await tripsOf(change)]).toEqual([2, 1, 1])
    await setScope(null)
    expect([await tripsOf(change), await tripsOf(list)]).toEqual([2, 1])
    await setScope('Norte')
    expect([await tripsOf(change), await tripsOf(change)]).toEqual([2, 1])
  })

  it.each([
    [['Sur', 'Norte', null], 200],
    [['Sur', 'Norte', null, 'Norte'], 503],
  ])('is applied four times in one request, and then a 503: %j', async (scopes, status) => {
    // Another request changes the scope before each batch.
    const DB = withBatch(async (run) => {
      const scope = scopes.shift()
      if (scope !== undefined) await setScope(scope)
      return run()
    })
    const res = await admin.change({ log_id: north.id, status: 'approved' }, { DB })
    expect(res.status).toBe(status)
    if (status === 503) {
      expect(res.headers.get('Retry-After')).toBe('1')
      expect(await allDecisions()).toEqual([])
    }
  })

  it('fails after one round trip if the request has already read something', async () => {
    const { DB, recording } = recordQueries(env.DB)
    const handle = new AuthorizedDb(DB, admin.claims, ['admin'])
    await handle.batch(() => ({}))
    await setScope('Sur')
    const calls = recording.calls
    await expect(handle.batch(() => ({}))).rejects.toThrow('DATABASE_BUSY')
    expect(recording.calls - calls).toBe(1)
  })

  it('breaks off an export that has begun, so that it never mixes two branches', async () => {
    await insertLogs(north.employee_id, 5_001)
    let pages = 0
    const DB = withBatch(async (run, statements) => {
      const results = await run()
      if (statements.length > 1 && ++pages === 1) await setScope('Sur')
      return results
    })
    await expect(admin.get('/export?format=csv', { DB })).rejects.toThrow()
  })
})

describe.each([
  ['a scope', { scope_branches: inBranches('Sur') }],
  ['a role', { role: 'employee' }],
  ['a token', { token_version: 1 }],
  ['a user', { active: 0 }],
])('%s that ends while 80 changes run', (_, end) => {
  it('lets no change be written afterwards', async () => {
    await setScope('Norte')
    const { employee_id } = north
    const logs = await Promise.all(Array.from({ length: 80 }, () => aLog({ employee_id })))
    let last = 0
    const responses = await Promise.all(
      logs.map(async ({ id }, i) => {
        if (i !== 40) return admin.change({ log_id: id, status: 'approved', comment: `${i}` })
        const [, [newest]] = await db.batch([
          db.update(users).set(end).where(eq(users.id, admin.id)),
          db.select({ id: sql<number>`max(id)` }).from(log_events),
        ])
        last = newest?.id ?? 0
        return { status: 0 }
      }),
    )

    const decided = await allDecisions()
    expect(decided.filter(({ id }) => id > last)).toEqual([])
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(decided.length)
    expect(await allComments()).toHaveLength(decided.length)
    // Some changes came after `end` was written, and were rejected.
    expect(responses.filter(({ status }) => status >= 400).length).toBeGreaterThan(0)
  })
})
