import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { importInto } from '../../cli/import/run.ts'
import { withoutCaller } from '../../src/core/db/batch-db.ts'
import type { Statements } from '../../src/core/db/query.ts'
import { readSettings } from '../../src/core/http/settings.ts'
import { setUserPassword } from '../../src/session/new-password.ts'
import { getUser, updateUser } from '../../src/users/users.ts'
import { get, post } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { anAdmin, anEmployee, aUser, inBranches, PASSWORD } from '../support/factories.ts'
import {
  as,
  type Caller,
  changesOf,
  INVITATIONS_PATH,
  ROLE_SETTINGS,
  tokenOf,
  USER_ACCESS,
  USER_NAMES,
  USERS_PATH,
} from '../support/people.ts'

/** Tests that no power stands on a password which somebody else may know. */

const KNOWN_TO_CLERK = 'la puso recursos humanos'

const settings = readSettings({ ...ROLE_SETTINGS, TOKEN_SECRET: '-'.repeat(32) })

let admin: Caller
let adminId: number
/** Human resources of the branch Norte. */
let clerk: Caller
let clerkId: number

beforeEach(async () => {
  stopClock('2026-11-16T18:00:00.000Z')
  const ana = await anAdmin()
  adminId = ana.id
  admin = as(ana.token)
  const scope_branches = inBranches('Norte')
  const rita = await aUser({ role: 'rh', scope_branches, first_name: 'Rita' })
  clerkId = rita.id
  clerk = as(rita.token)
})

/** Uses a link, at a service with the tests' roles. */
const accept = (body: object) => post('/auth/invitation', body, { env: ROLE_SETTINGS })

const signIn = async (email: string, password: string) =>
  (await post('/auth/login', { email, password }, { env: ROLE_SETTINGS })).status

/** The link that somebody gives to an employee of Norte, for a user who may be new. */
const linkOf = async (inviter: Caller, employee_id: string) => {
  const invited = await inviter('POST', INVITATIONS_PATH, { employee_ids: [employee_id] })
  return invited.body.data.invitations[0] as { email: string; url: string }
}

/** A user with an employee, whose password was set through a link that somebody made. */
const aUserThrough = async (password_through: number) => {
  const { employee_id } = await anEmployee({ branch_office: 'Norte' })
  return { ...(await aUser({ employee_id, password_through })), employee_id }
}

const userOf = async (id: number) => (await admin('GET', `${USERS_PATH}/${id}`)).body.data.user

/** Whether a user has a password. Without one, every sign-in fails (passwords.test.ts). */
const hasPassword = async (id: number): Promise<boolean> => (await userOf(id)).has_password

const change = async (id: number, fields: object) => {
  const {
    email: _,
    id: __,
    has_password,
    password_through,
    invitation_expires_at,
    version,
    ...record
  } = await userOf(id)
  const body = { ...record, ...fields, expected_version: version }
  const { status, body: answer } = await admin('PUT', `${USERS_PATH}/${id}`, body)
  return [status, answer.data?.password_cleared]
}

describe('a user whose password came through the link of a clerk', () => {
  it.each([
    ['decides', { role: 'admin' }],
    ['pays', { role: 'nomina' }],
    ['keeps employees', { role: 'rh', scope_branches: ['Norte'] }],
    ['sends logs', { role: 'reloj' }],
  ])('loses it, the sessions and the links, and then %s', async (_, fields) => {
    const user = await aUserThrough(clerkId)
    const { url } = await linkOf(clerk, user.employee_id)

    expect(await change(user.id, fields)).toEqual([200, true])

    expect((await get('/auth/me', { token: user.token })).status).toBe(401)
    const used = { token: tokenOf(url), password: 'otra clave larga' }
    expect((await accept(used)).status).toBe(410)
    const expected = { has_password: false, password_through: null, invitation_expires_at: null }
    expect(await userOf(user.id)).toMatchObject({ ...fields, ...expected })
    expect((await changesOf(admin, 'user', user.id)).at(-1)?.changes.at(-1)).toEqual({
      field: 'password_cleared',
      before: null,
      after: '2026-11-16T18:00:00.000Z',
    })
  })

  it('loses it too if the user has changed it, or sees another branch', async () => {
    const { employee_id } = await anEmployee({ branch_office: 'Norte' })
    const { email, url } = await linkOf(clerk, employee_id)
    const { token, user } = (await accept({ token: tokenOf(url), password: KNOWN_TO_CLERK })).body
      .data
    expect(await userOf(user.id)).toMatchObject({
      has_password: true,
      password_through: { full_name: 'Rita Torres Rivas' },
    })
    const own = { current_password: KNOWN_TO_CLERK, password: 'otra clave larga' }
    expect((await post('/auth/password', own, { token })).status).toBe(200)
    expect(await change(user.id, { scope_branches: ['Norte'] })).toEqual([200, false])
    expect(await change(user.id, { scope_branches: ['Norte', 'Sur'] })).toEqual([200, true])
    expect(await signIn(email, 'otra clave larga')).toBe(401)
  })

  it('keeps it with less power, and with another name', async () => {
    const { id, email } = await aUserThrough(clerkId)
    expect(await change(id, { first_name: 'Luisa' })).toEqual([200, false])
    expect(await change(id, { scope_branches: ['Sur'] })).toEqual([200, false])
    expect(await change(id, { active: 0 })).toEqual([200, false])
    expect(await change(id, { active: 1 })).toEqual([200, false])
    expect(await signIn(email, PASSWORD)).toBe(200)
  })

  it('loses it if the power came while the user was inactive', async () => {
    const { id } = await aUserThrough(clerkId)
    await change(id, { active: 0 })
    expect(await change(id, { role: 'admin' })).toEqual([200, true])
    await change(id, { active: 1 })
    expect(await hasPassword(id)).toBe(false)
  })

  it('keeps it if the clerk is an administrator of all branches by then', async () => {
    const { id } = await aUserThrough(clerkId)
    await env.DB.prepare(
      "UPDATE users SET role = 'admin', scope_branches = NULL WHERE role = 'rh'",
    ).run()
    expect(await change(id, { role: 'admin' })).toEqual([200, false])
    expect(await hasPassword(id)).toBe(true)
  })
})

it('keeps a password that an administrator, a command or an import has given', async () => {
  const record = { email: 'luis@empresa.mx', ...USER_NAMES, role: 'employee' }
  const { user, invitation } = (await admin('POST', USERS_PATH, record)).body.data
  await accept({ token: tokenOf(invitation.url), password: KNOWN_TO_CLERK })
  expect(await userOf(user.id)).toMatchObject({ password_through: { id: adminId } })
  for (const { id } of [user, await aUser()]) {
    expect(await change(id, { role: 'nomina' })).toEqual([200, false])
    expect(await hasPassword(id)).toBe(true)
  }
})

describe('a link to an employee', () => {
  it('clears any password, since the user then signs as that person', async () => {
    const { employee_id } = await anEmployee()
    const user = await aUser()
    expect(await change(user.id, { employee_id })).toEqual([200, true])
    expect(await hasPassword(user.id)).toBe(false)
    expect(await change(user.id, { employee_id: null })).toEqual([200, false])
  })

  it('never takes the password of the last administrator', async () => {
    const { employee_id } = await anEmployee()
    const db = withoutCaller(env.DB)
    const now = new Date()
    const record = { ...(await getUser(db, adminId, now)), employee_id }
    await expect(
      updateUser(db, adminId, record, { userId: null, settings, now }),
    ).rejects.toMatchObject({ code: 'LAST_ADMINISTRATOR' })
  })
})

describe('a change while the link of a clerk is used', () => {
  /** Promotes a user with a database in which `act` happens between the read and the write. */
  const promoteWhile = async (id: number, act: () => Promise<unknown>) => {
    const db = withoutCaller(env.DB)
    const now = new Date()
    const record = { ...(await getUser(db, id, now)), role: 'admin' }
    let batches = 0
    const acting = {
      ...db,
      batchOfAllBranches: async (statements: Statements) => {
        if (++batches === 2) await act()
        return db.batchOfAllBranches(statements)
      },
    } as typeof db
    return updateUser(acting, id, record, { userId: adminId, settings, now })
  }

  it('is refused, and clears the password when it is sent again', async () => {
    const { employee_id } = await anEmployee({ branch_office: 'Norte' })
    const { url } = await linkOf(clerk, employee_id)
    const { id } = (await admin('GET', `${USERS_PATH}?q=${employee_id}`)).body.data.users[0]
    const use = () => accept({ token: tokenOf(url), password: KNOWN_TO_CLERK })

    await expect(promoteWhile(id, use)).rejects.toMatchObject({ code: 'USER_MOVED' })
    expect(await change(id, { role: 'admin' })).toEqual([200, true])
    expect(await hasPassword(id)).toBe(false)
  })

  it('is refused if a trusted password is replaced by one that is not', async () => {
    const { id, employee_id } = await aUserThrough(adminId)
    const { url } = await linkOf(clerk, employee_id)
    const use = () => accept({ token: tokenOf(url), password: KNOWN_TO_CLERK })
    await expect(promoteWhile(id, use)).rejects.toMatchObject({ code: 'USER_MOVED' })
  })
})

describe('an import', () => {
  const row = {
    ...USER_NAMES,
    active: 1,
    external: 0,
    type_user: 'interno',
    status_user: 'activo',
    password: 'la clave del archivo',
  }
  const importing = (user: object, resetPasswords = false) =>
    importInto(env.DB, { users: [{ ...row, ...user }] }, { settings, resetPasswords })

  it('clears the password of a clerk if it gives more power, and says so', async () => {
    const { id, email, token, employee_id } = await aUserThrough(clerkId)
    expect(await importing({ email, employee_id, role: 'employee' })).toMatchObject({
      warnings: [],
    })
    expect(await hasPassword(id)).toBe(true)
    expect(await importing({ email, employee_id, role: 'admin' })).toMatchObject({
      warnings: [expect.stringContaining('loses the stored password')],
    })
    expect(await hasPassword(id)).toBe(false)
    expect((await get('/auth/me', { token })).status).toBe(401)
  })

  it.each(['contador', 'nomina'])(
    'clears the password of a clerk with the role %s, which the settings may name later',
    async (role) => {
      const { id, email, employee_id } = await aUserThrough(clerkId)
      const none = { ...settings, PAYROLL_ROLES: [] }
      const users = [{ ...row, email, employee_id, role }]
      await importInto(env.DB, { users }, { settings: none })
      expect(await hasPassword(id)).toBe(false)
    },
  )

  it.each(['as the file has them', 'in reverse'])(
    'clears what the link of a demoted administrator set, with a warning: %s',
    async (order) => {
      const author = await anAdmin({ email: 'x@empresa.mx', email_key: 'x@empresa.mx' })
      const through = { role: 'employee', password_through: author.id }
      const ids: number[] = []
      for (const email of ['y@empresa.mx', 'z@empresa.mx']) {
        ids.push((await aUser({ email, ...through })).id)
      }
      const of = (name: string, role: string) => ({
        ...{ ...row, email: `${name}@empresa.mx` },
        ...{ employee_id: null, role },
      })
      const users = [of('x', 'employee'), of('y', 'admin'), of('z', 'nomina')]
      const content = { users: order === 'in reverse' ? users.toReversed() : users }
      const lost = expect.stringContaining('loses the stored password')
      expect(await importInto(env.DB, content, { settings })).toMatchObject({
        warnings: [lost, lost],
      })
      for (const id of ids) expect(await hasPassword(id)).toBe(false)
    },
  )

  it.each(['as the file has them', 'in reverse'])(
    'takes a new administrator before the last one loses the password by a new employee: %s',
    async (order) => {
      const { email } = await userOf(adminId)
      const { employee_id } = await anEmployee()
      const users = [
        { ...row, email, employee_id, role: 'admin' },
        { ...row, email: 'nueva@empresa.mx', employee_id: null, role: 'admin' },
      ]
      const content = { users: order === 'in reverse' ? users.toReversed() : users }
      expect(await importInto(env.DB, content, { settings })).toHaveProperty(
        'imported.users.created',
        1,
      )
      expect(await signIn('nueva@empresa.mx', 'la clave del archivo')).toBe(200)
      expect(await importInto(env.DB, content, { settings })).toHaveProperty(
        'imported.users.kept',
        2,
      )
    },
  )

  it('never takes the last administrator away, though another one goes while it runs', async () => {
    const other = await anAdmin({ email: 'otra@empresa.mx', email_key: 'otra@empresa.mx' })
    const deactivate = () =>
      env.DB.prepare('UPDATE users SET active = 0 WHERE id = ?').bind(adminId).run()
    const user = { ...row, email: other.email, employee_id: null, role: 'employee' }
    const onProgress = () => void deactivate()
    await expect(
      importInto(env.DB, { users: [user] }, { settings, onProgress }),
    ).rejects.toMatchObject({ code: 'LAST_ADMINISTRATOR' })
  })

  it("sets the file's password instead with --reset-passwords, which is then trusted", async () => {
    const { id, email, employee_id } = await aUserThrough(clerkId)
    await importing({ email, employee_id, role: 'admin' }, true)
    expect(await signIn(email, 'la clave del archivo')).toBe(200)
    expect(await userOf(id)).toMatchObject({ has_password: true, password_through: null })
  })

  it('clears a password with a new link to an employee, but not of the last administrator', async () => {
    const { employee_id } = await anEmployee()
    const known = await aUser()
    await importing({ email: known.email, employee_id, role: 'employee' })
    expect(await hasPassword(known.id)).toBe(false)
    const other = await anEmployee()
    const { email } = await userOf(adminId)
    const result = await importing({ email, employee_id: other.employee_id, role: 'admin' })
    expect(result).toMatchObject({ errors: [expect.stringContaining('nobody who is active')] })
  })
})

describe('a link', () => {
  const useOf = async (url: string) => {
    const body = { token: tokenOf(url), password: KNOWN_TO_CLERK }
    const checked = await post('/auth/invitation/check', body, { env: ROLE_SETTINGS })
    const used = await post('/auth/invitation', body, { env: ROLE_SETTINGS })
    expect(checked.status).toBe(used.status)
    return used.status
  }

  it.each([
    ['is deactivated', 'active = 0'],
    ['has another role', "role = 'nomina'"],
    ['sees other branches only', `scope_branches = '["Sur"]'`],
  ])('ends when the clerk who made it %s', async (_, set) => {
    const { employee_id } = await anEmployee({ branch_office: 'Norte' })
    const { url } = await linkOf(clerk, employee_id)
    await env.DB.prepare(`UPDATE users SET ${set} WHERE role = 'rh'`).run()
    expect(await useOf(url)).toBe(410)
    await env.DB.prepare(
      `UPDATE users SET role = 'rh', active = 1, scope_branches = '["Norte"]'
       WHERE first_name = 'Rita'`,
    ).run()
    expect(await useOf(url)).toBe(200)
  })

  it('of a clerk ends when the person moves to a branch that the clerk does not see', async () => {
    const { employee_id } = await anEmployee({ branch_office: 'Norte' })
    const { url } = await linkOf(clerk, employee_id)
    await env.DB.prepare("UPDATE employees SET branch_office = 'Sur' WHERE employee_id = ?")
      .bind(employee_id)
      .run()
    expect(await useOf(url)).toBe(410)
  })

  it.each(['active = 0', "role = 'employee'", `scope_branches = '["Norte"]'`])(
    'to an administrator ends when its author does not administer everything: %s',
    async (set) => {
      const [author, other] = [await anAdmin(), await anAdmin()]
      const { body } = await as(author.token)('POST', `${USERS_PATH}/${other.id}/invitation`)
      await env.DB.prepare(`UPDATE users SET ${set} WHERE id = ?`).bind(author.id).run()
      expect(await useOf(body.data.url)).toBe(410)
    },
  )
})

it('loses its password on activation if its author could not give it any more', async () => {
  const author = await anAdmin()
  const user = await aUser({ role: 'nomina', password_through: author.id })
  await change(user.id, { active: 0 })
  await env.DB.prepare('UPDATE users SET active = 0 WHERE id = ?').bind(author.id).run()
  expect(await change(user.id, { active: 1 })).toEqual([200, true])
})

it('a password that an operator sets is trusted', async () => {
  const { id } = await aUserThrough(clerkId)
  await setUserPassword(withoutCaller(env.DB), id, 'la puso quien opera', {
    userId: null,
    now: new Date(),
    oldHash: null,
  })
  expect(await change(id, { role: 'admin' })).toEqual([200, false])
  expect(await hasPassword(id)).toBe(true)
})

it('records of users show nothing of passwords but through whose link they were set', async () => {
  const { id } = await aUserThrough(clerkId)
  expect(Object.keys(await userOf(id)).sort()).toEqual(
    [
      ...Object.keys({ ...USER_NAMES, ...USER_ACCESS }),
      ...['id', 'email', 'role', 'active', 'has_password', 'password_through'],
      ...['invitation_expires_at', 'version'],
    ].sort(),
  )
})
