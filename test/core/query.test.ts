import { env } from 'cloudflare:workers'
import { eq, getTableColumns, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { withoutCaller } from '../../src/core/db/batch-db.ts'
import {
  type D1,
  expression,
  first,
  insertSelect,
  type Params,
  prepare,
  qb,
} from '../../src/core/db/query.ts'
import { batch, execute } from '../../src/core/db/run.ts'
import { flag, text, write } from '../../src/core/db/text-query.ts'
import { modules } from '../../src/core/tables/clients.ts'
import { employees } from '../../src/core/tables/people.ts'
import { users } from '../../src/core/tables/users.ts'
import { replacePassword } from '../../src/session/new-password.queries.ts'
import { findCredentials, replaceHash } from '../../src/session/session.queries.ts'
import { aModule, anEmployee, aUser, db } from '../support/factories.ts'

describe('a prepared query', () => {
  const selectModule = prepare((p: Params<{ id: number }>) =>
    qb.select().from(modules).where(eq(modules.id, p.id)),
  )
  const selectEnabled = prepare((p: Params<{ enabled: boolean }>) =>
    qb
      .select({ id: modules.id, enabled: modules.enabled })
      .from(modules)
      .where(eq(modules.enabled, p.enabled)),
  )

  it('maps booleans in the same way alone and in a batch', async () => {
    const on = await aModule({ enabled: true, enabled_app: false })
    const off = await aModule({ enabled: false, enabled_app: true })

    expect(await execute(env.DB, selectModule({ id: on.id }))).toEqual([on])
    const statements = { on: selectModule({ id: on.id }), off: first(selectModule({ id: off.id })) }
    expect(await batch(env.DB, statements)).toEqual({ on: [on], off })
  })

  it('is left out of a batch if it is not there', async () => {
    const on = await aModule({ enabled: true })
    const statements = { off: false as const, on: selectModule({ id: on.id }), none: undefined }

    expect(await batch(env.DB, statements)).toEqual({ on: [on] })
  })

  it('returns the columns of a text that writes, alone and in a batch', async () => {
    const { id } = await aModule({ enabled: true })
    const rename = prepare((p: Params<{ id: number; name: string }>) =>
      write(
        sql`UPDATE ${modules} SET name = ${p.name} WHERE id = ${p.id} RETURNING enabled, name`,
        {
          enabled: flag,
          name: text,
        },
      ),
    )

    const one = rename({ id, name: 'Uno' })
    expect(await execute(env.DB, one)).toEqual([{ enabled: true, name: 'Uno' }])
    const [two, none] = [rename({ id, name: 'Dos' }), rename({ id: -1, name: 'Tres' })]
    const renamed = await batch(env.DB, { two, none })
    expect(renamed).toEqual({ two: [{ enabled: true, name: 'Dos' }], none: [] })
  })

  it('inserts columns, expressions and constants, also with an apostrophe', async () => {
    const { id: from, name } = await aModule()
    const copy = prepare((p: Params<{ from: number; slug: string }>) => {
      const { id: _, ...columns } = getTableColumns(modules)
      const values = { ...columns, slug: p.slug, description: "O'Neill", enabled: 0, id: null }
      return insertSelect(modules, values, sql`FROM ${modules} WHERE id = ${p.from}`).returning()
    })

    const copied = await execute(env.DB, copy({ from, slug: 'copia' }))
    expect(copied).toMatchObject([{ slug: 'copia', name, description: "O'Neill", enabled: false }])
  })

  it('keeps no values of an earlier call', async () => {
    const [one, two] = [await aModule(), await aModule()]
    const [selectOne, selectTwo] = [selectModule({ id: one.id }), selectModule({ id: two.id })]
    expect(await execute(env.DB, selectTwo)).toEqual([two])
    expect(await execute(env.DB, selectOne)).toEqual([one])
  })

  it('maps a nested row of an outer join as Drizzle does', async () => {
    const employee = await anEmployee()
    const [known, unknown] = [
      await aUser({ employee_id: employee.employee_id }),
      await aUser({ employee_id: null }),
    ]
    const selectUsers = (builder: typeof qb) =>
      builder
        .select({
          user: { id: users.id, active: users.active },
          employee: { id: employees.employee_id, phone: employees.phone },
          both: { mine: users.email, theirs: employees.full_name },
          length: sql<number>`length(${users.email})`.as('length'),
        })
        .from(users)
        .leftJoin(employees, eq(employees.employee_id, users.employee_id))
        .orderBy(users.id)

    const mapped = await execute(env.DB, prepare(() => selectUsers(qb))({}))

    expect(mapped).toEqual(await selectUsers(db as unknown as typeof qb))
    expect(mapped.map((row) => [row.user.id, row.employee?.id])).toEqual([
      [known.id, employee.employee_id],
      [unknown.id, undefined],
    ])
  })

  it('returns no rows for an unknown id, alone and in a batch', async () => {
    expect(await execute(env.DB, selectModule({ id: 99 }))).toEqual([])
    const none = { rows: selectModule({ id: 99 }), row: first(selectModule({ id: 99 })) }
    expect(await batch(env.DB, none)).toEqual({ rows: [], row: undefined })
  })

  it('throws on a missing value', async () => {
    const statement = selectEnabled({} as { enabled: boolean })
    await expect(execute(env.DB, statement)).rejects.toThrow('enabled')
  })

  it('throws on a batch in which two columns share a name', async () => {
    const employee = await anEmployee()
    await aUser({ employee_id: employee.employee_id })
    const joined = prepare(() =>
      qb
        .select({ mine: users.employee_id, theirs: employees.employee_id })
        .from(users)
        .innerJoin(employees, eq(employees.employee_id, users.employee_id)),
    )
    const both = { mine: employee.employee_id, theirs: employee.employee_id }
    expect(await execute(env.DB, joined({}))).toEqual([both])
    await expect(batch(env.DB, { joined: joined({}) })).rejects.toThrow('share a name')
  })

  it('rolls back a whole batch', async () => {
    const rename = prepare((p: Params<{ id: number; slug: string }>) =>
      qb.update(modules).set({ slug: p.slug }).where(eq(modules.id, p.id)),
    )
    const [one, two] = [await aModule({ slug: 'uno' }), await aModule({ slug: 'dos' })]
    const clash = batch(env.DB, {
      one: rename({ id: one.id, slug: 'tres' }),
      two: rename({ id: two.id, slug: 'tres' }),
    })
    await expect(clash).rejects.toThrow('modules.slug')
    expect((await db.select().from(modules)).map((row) => row.slug)).toEqual(['uno', 'dos'])
  })
})

it('replaces a password’s hash only if it has not changed since it was read', async () => {
  const user = await aUser({ password_hash: 'primera' })
  await replaceHash(env.DB, user.id, 'otra', 'segunda')
  expect((await findCredentials(env.DB, user.email_key))?.password_hash).toBe('primera')
  await replaceHash(env.DB, user.id, 'primera', 'segunda')
  expect((await findCredentials(env.DB, user.email_key))?.password_hash).toBe('segunda')
})

it('changes a user’s own password only if its hash has not changed since it was read', async () => {
  const user = await aUser({ password_hash: 'primera' })
  const change = (oldHash: string) => {
    const record = { changes: [], at: new Date(), userId: user.id }
    return replacePassword(withoutCaller(env.DB), {
      id: user.id,
      hash: 'segunda',
      oldHash,
      ...record,
    })
  }
  await expect(change('otra')).rejects.toMatchObject({ code: 'WRONG_CURRENT_PASSWORD' })
  expect((await db.select().from(users))[0]).toMatchObject({
    password_hash: 'primera',
    token_version: 0,
  })
  expect(await change('primera')).toBe(1)
})

/** The errors that Cloudflare lists for D1, and those of an export, as they come. */
const PASSING = [
  'D1_ERROR: D1 DB reset because its code was updated.',
  'D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.',
  'D1_ERROR: Internal error in D1 DB storage caused object to be reset.',
  'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
  'D1_ERROR: Network connection lost.',
  'Network connection lost.',
  'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
  "D1_ERROR: Can't read from request stream because client disconnected.",
  'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
  'D1_ERROR: D1 DB is overloaded. Too many requests queued.',
  "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.",
  'D1_ERROR: D1 DB exceeded its CPU time limit and was reset.',
  'D1_ERROR: Currently processing a long-running export.',
]

it.each(["'x'", 'a; b', 'a -- b', '\\"a\\"'])(
  'takes no text but names as an expression: %s',
  (text) => {
    expect(() => expression(text)).toThrow('names alone')
    expect(expression('max(log.is_closed)')).toBeDefined()
  },
)

describe('a passing error of D1', () => {
  const modulesOf = prepare((_: Params<object>) => qb.select().from(modules))

  const brokenBy = (message: string) => {
    let calls = 0
    const fail = () => {
      calls++
      return Promise.reject(new Error(message))
    }
    const prepared = { bind: () => prepared, raw: fail }
    const d1 = { prepare: () => prepared, batch: fail } as unknown as D1
    return { d1, calls: () => calls }
  }

  it.each(PASSING)('is DATABASE_BUSY, and sent once: %s', async (message) => {
    const { d1, calls } = brokenBy(message)
    const busy = { code: 'DATABASE_BUSY', cause: { message } }
    await expect(execute(d1, modulesOf({}))).rejects.toMatchObject(busy)
    await expect(batch(d1, { rows: modulesOf({}) })).rejects.toMatchObject(busy)
    expect(calls()).toBe(2)
  })

  it('is no other error', async () => {
    const { d1 } = brokenBy('D1_ERROR: no such table: modules: SQLITE_ERROR')
    await expect(execute(d1, modulesOf({}))).rejects.not.toMatchObject({ code: 'DATABASE_BUSY' })
  })
})
