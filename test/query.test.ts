import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { findClient, findConfigEntry, listAppModules } from '../src/db/core/clients.ts'
import { batch, execute, type Params, prepare, qb } from '../src/db/core/query.ts'
import { findCurrent, saveStatuses } from '../src/db/logs/log-status.ts'
import {
  findCredentials,
  getCurrentUser,
  getOwnCredentials,
  replaceHash,
} from '../src/db/people/users.ts'
import { employees, modules, users } from '../src/db/schema.ts'
import {
  aClient,
  aConfigEntry,
  adminDb,
  aLog,
  aModule,
  anAdmin,
  anEmployee,
  aUser,
  db,
  userDb,
} from './support/factories.ts'

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

  it('maps booleans alike, alone and in a batch', async () => {
    const on = await aModule({ enabled: true, enabled_app: false })
    const off = await aModule({ enabled: false, enabled_app: true })

    expect(await execute(env.DB, selectModule({ id: on.id }))).toEqual([on])
    expect(await batch(env.DB, selectModule({ id: on.id }), selectModule({ id: off.id }))).toEqual([
      [on],
      [off],
    ])
  })

  it('keeps no values of an earlier call', async () => {
    const [one, two] = [await aModule(), await aModule()]
    const first = selectModule({ id: one.id })
    const second = selectModule({ id: two.id })
    expect(await execute(env.DB, second)).toEqual([two])
    expect(await execute(env.DB, first)).toEqual([one])
  })

  it('returns no rows for an unknown id, alone and in a batch', async () => {
    expect(await execute(env.DB, selectModule({ id: 99 }))).toEqual([])
    expect(await batch(env.DB, selectModule({ id: 99 }))).toEqual([[]])
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
    await expect(batch(env.DB, joined({}))).rejects.toThrow('share a name')
  })

  it('rolls back a whole batch', async () => {
    const rename = prepare((p: Params<{ id: number; slug: string }>) =>
      qb.update(modules).set({ slug: p.slug }).where(eq(modules.id, p.id)),
    )
    const [one, two] = [await aModule({ slug: 'uno' }), await aModule({ slug: 'dos' })]
    const clash = batch(
      env.DB,
      rename({ id: one.id, slug: 'tres' }),
      rename({ id: two.id, slug: 'tres' }),
    )
    await expect(clash).rejects.toThrow('modules.slug')
    expect((await db.select().from(modules)).map((row) => row.slug)).toEqual(['uno', 'dos'])
  })
})

describe('each query of the service', () => {
  it('reads modules with booleans', async () => {
    const { slug: _, ...module } = await aModule({ enabled: false })
    await aModule({ enabled_app: false })
    expect(await listAppModules(env.DB)).toEqual([module])
  })

  it('reads a client and a configuration entry', async () => {
    const [client, entry] = [await aClient(), await aConfigEntry()]
    expect(await findClient(env.DB, client.code)).toEqual(client)
    expect(await findClient(env.DB, 'nada')).toBeUndefined()
    expect(await findConfigEntry(env.DB, entry.key)).toEqual(entry)
    expect(await findConfigEntry(env.DB, 'nada')).toBeUndefined()
  })

  it('reads credentials and sessions', async () => {
    const { payroll_group: _, ended_at: __, ...employee } = await anEmployee()
    const user = await aUser({ employee_id: employee.employee_id, token_version: 3 })
    const credentials = await findCredentials(env.DB, user.email_key)
    expect(credentials?.user.id).toBe(user.id)
    expect(credentials?.password_hash).toBe(user.password_hash)
    expect(credentials?.token_version).toBe(3)
    const current = await getCurrentUser(userDb(user))
    expect(current).toMatchObject({ employee, user: { id: user.id }, details: { external: 0 } })
    const own = await getOwnCredentials(userDb(user))
    expect(own).toMatchObject({ user: { id: user.id }, password_hash: user.password_hash })
  })

  it('replaces a hash only if it has not changed since it was read', async () => {
    const user = await aUser({ password_hash: 'primera' })
    await replaceHash(env.DB, user.id, 'otra', 'segunda')
    expect((await findCredentials(env.DB, user.email_key))?.password_hash).toBe('primera')
    await replaceHash(env.DB, user.id, 'primera', 'segunda')
    expect((await findCredentials(env.DB, user.email_key))?.password_hash).toBe('segunda')
  })

  it('reads a log, and changes its status', async () => {
    const [admin, log] = [await anAdmin(), await aLog()]
    const at = '2026-11-20T10:20:30.456Z'
    const current = new Map([
      [log.id, { id: log.id, status: 'pending', own: false, locked: false }],
    ])
    expect(await findCurrent(adminDb(admin), [99, log.id])).toEqual(current)
    const change = { status: 'rejected', forbidOwn: false, at } as const
    const saved = [{ log_id: log.id, status: 'rejected' }]
    const save = (ids: number[], comment?: string) =>
      saveStatuses(adminDb(admin), ids, { ...change, comment })
    expect(await save([log.id])).toEqual(saved)
    expect(await save([log.id], 'visto')).toEqual(saved)
    await expect(save([99], 'x')).rejects.toThrow('log:UNKNOWN')
  })
})
