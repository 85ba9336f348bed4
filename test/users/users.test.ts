import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { withoutCaller } from '../../src/core/db/batch-db.ts'
import type { Statements } from '../../src/core/db/query.ts'
import { readSettings } from '../../src/core/http/settings.ts'
import { setUserPassword } from '../../src/session/new-password.ts'
import { hashPassword } from '../../src/session/passwords.ts'
import { createUserWithPassword, getUser, updateUser } from '../../src/users/users.ts'
import { expectRejectedFields, get, post } from '../support/api.ts'
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

const NEW = { email: 'luis@empresa.mx', ...USER_NAMES, role: 'nomina' }
const NEW_PASSWORD = 'una clave más larga'

let ana: Awaited<ReturnType<typeof anAdmin>>
let admin: Caller

beforeEach(async () => {
  stopClock('2026-11-16T18:00:00.000Z')
  ana = await anAdmin()
  admin = as(ana.token)
})

const invite = async (user: object = NEW) => {
  const { status, body } = await admin('POST', USERS_PATH, user)
  expect(status, JSON.stringify(body)).toBe(200)
  const { user: created, invitation } = body.data
  return { user: created, link: invitation && tokenOf(invitation.url) }
}

const put = (id: number, body: object, caller = admin) => caller('PUT', `${USERS_PATH}/${id}`, body)
const accept = (token: string, password = NEW_PASSWORD) =>
  post('/auth/invitation', { token, password }, { env: ROLE_SETTINGS })
const check = (token: string) => post('/auth/invitation/check', { token }, { env: ROLE_SETTINGS })

const changesOfUser = (id: number) => changesOf(admin, 'user', id)

describe('POST /v2/people/users', () => {
  it('adds a user without a password, and a link with which the person sets one', async () => {
    const { status, body } = await admin('POST', USERS_PATH, NEW)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      user: {
        id: expect.any(Number),
        email: 'luis@empresa.mx',
        ...USER_NAMES,
        role: 'nomina',
        active: 1,
        ...USER_ACCESS,
        has_password: false,
        password_through: null,
        invitation_expires_at: '2026-11-19T18:00:00.000Z',
        version: 1,
      },
      invitation: {
        url: expect.stringMatching(/^http[^#]+\/revision\/#\/invitacion\/[\w-]{43}$/),
        expires_at: '2026-11-19T18:00:00.000Z',
      },
    })
    const token = tokenOf(body.data.invitation.url)
    expect((await check(token)).body.data).toEqual({
      full_name: 'Luis Mendoza Peña',
      email: 'luis@empresa.mx',
      expires_at: '2026-11-19T18:00:00.000Z',
    })
    const accepted = await accept(token)
    expect(accepted.body.data).toMatchObject({
      user: { email: 'luis@empresa.mx', role: 'nomina', active: 1 },
      token_type: 'Bearer',
    })
    expect((await get('/auth/me', { token: accepted.body.data.token })).status).toBe(200)
    const login = { email: 'luis@empresa.mx', password: NEW_PASSWORD }
    expect((await post('/auth/login', login)).status).toBe(200)
    expect((await check(token)).status).toBe(410)
    expect((await accept(token)).status).toBe(410)
  })

  it('stores neither the token nor the link, and records both events', async () => {
    const { user, link } = await invite()
    const { results } = await env.DB.prepare('SELECT * FROM invitations').all()
    expect(JSON.stringify(results)).not.toContain(link)
    await accept(link)
    const changes = await changesOfUser(user.id)
    expect(changes.map((one) => one.changes.at(-1))).toEqual([
      { field: 'invitation', before: null, after: '2026-11-19T18:00:00.000Z' },
      { field: 'password_set', before: null, after: '2026-11-16T18:00:00.000Z' },
    ])
    expect(changes[0]?.user?.id).toBe(ana.id)
    expect(changes[1]?.user?.id).toBe(user.id)
    expect(JSON.stringify(changes)).not.toContain(link)
  })

  it('rejects a role that no setting names, a taken address and an unknown employee', async () => {
    const rejection = async (user: object) => {
      const { status, body } = await admin('POST', USERS_PATH, { ...NEW, ...user })
      return [status, Object.keys(body.errors ?? {})]
    }
    expect(await rejection({ role: 'jefe' })).toEqual([422, ['role']])
    expect(await rejection({ email: ana.email.toUpperCase() })).toEqual([409, ['email']])
    expect(await rejection({ employee_id: 'E-nadie' })).toEqual([422, ['employee_id']])
    expect(await rejection({ scope_branches: [] })).toEqual([422, ['scope_branches']])
    expect(await rejection({ sources: ['app:1'] })).toEqual([422, ['sources']])
    expect(await rejection({ password: 'una clave' })).toEqual([422, ['password']])
    expect(await rejection({ token_version: 7 })).toEqual([422, ['token_version']])
    const { employee_id } = await anEmployee()
    await aUser({ employee_id })
    expect(await rejection({ employee_id })).toEqual([409, ['employee_id']])
  })

  it('shows no changes of users to a clerk, who sees those of employees', async () => {
    const clerk = as((await aUser({ role: 'rh' })).token)
    expect((await clerk('GET', '/v2/people/changes?subject=user')).status).toBe(403)
  })
})

describe('an invitation', () => {
  it('can be used once by four concurrent requests', async () => {
    const { user, link } = await invite()
    const answers = await Promise.all(Array.from({ length: 4 }, () => accept(link)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410])
    expect(await changesOfUser(user.id)).toHaveLength(2)
  })

  it('ends with a newer one, after 72 hours, with a deactivation and with a revocation', async () => {
    const { user, link } = await invite()
    const newer = async () =>
      tokenOf((await admin('POST', `${USERS_PATH}/${user.id}/invitation`)).body.data.url)
    const second = await newer()
    expect((await check(link)).status).toBe(410)
    expect((await check(second)).status).toBe(200)
    await admin('POST', `${USERS_PATH}/${user.id}/revoke`)
    expect((await check(second)).status).toBe(410)
    const third = await newer()
    const record = { ...USER_NAMES, role: 'nomina', ...USER_ACCESS, expected_version: 1 }
    expect((await put(user.id, { ...record, active: 0 })).status).toBe(200)
    expect((await check(third)).status).toBe(410)
    expect((await accept(third)).status).toBe(410)
    expect((await admin('POST', `${USERS_PATH}/${user.id}/invitation`)).status).toBe(409)
    await put(user.id, { ...record, active: 1, expected_version: 2 })
    expect((await check(third)).status).toBe(410)
    const fourth = await newer()
    stopClock('2026-11-19T18:00:00.000Z')
    expect((await check(fourth)).status).toBe(410)
  })

  it('resets a forgotten password, and ends the older sessions only when it is used', async () => {
    const luis = await aUser({ email: 'luis@empresa.mx' })
    const { body } = await admin('POST', `${USERS_PATH}/${luis.id}/invitation`)
    const login = { email: 'luis@empresa.mx', password: PASSWORD }
    expect((await post('/auth/login', login)).status).toBe(200)
    expect((await get('/auth/me', { token: luis.token })).status).toBe(200)
    expect((await accept(tokenOf(body.data.url))).status).toBe(200)
    expect((await get('/auth/me', { token: luis.token })).status).toBe(401)
    expect((await post('/auth/login', login)).status).toBe(401)
  })

  it('refuses a short or a common password, and can still be used afterwards', async () => {
    const { link } = await invite()
    for (const password of ['corta', 'Password123', 'contraseña1', 'x'.repeat(1025)]) {
      expect((await accept(link, password)).body.errors).toHaveProperty('password')
    }
    expect((await accept(link)).status).toBe(200)
  })
})

describe('PUT /v2/people/users/{id}', () => {
  const record = { ...USER_NAMES, role: 'nomina', active: 1, ...USER_ACCESS, expected_version: 1 }

  it('changes a user, and is a 409 with the current user for the slower of two', async () => {
    const { user } = await invite()
    const changed = await put(user.id, { ...record, scope_branches: ['Sur', 'Norte', 'Sur'] })
    expect(changed.body.data.user).toMatchObject({ scope_branches: ['Norte', 'Sur'], version: 2 })
    const late = await put(user.id, { ...record, role: 'admin' })
    expect(late.status).toBe(409)
    expect(late.body).toMatchObject({ data: null, current: { version: 2, role: 'nomina' } })
    expect((await changesOfUser(user.id)).at(-1)?.changes).toEqual([
      { field: 'scope_branches', before: null, after: ['Norte', 'Sur'] },
    ])
  })

  it('accepts one of ten concurrent changes', async () => {
    const { user } = await invite()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => put(user.id, { ...record, first_name: `Luis ${i}` })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  })

  it('is a 422 for each field that is left out, so that no access widens unnoticed', async () => {
    const { user } = await invite()
    for (const field of Object.keys(record)) {
      const { [field as keyof typeof record]: _, ...rest } = record
      expectRejectedFields(await put(user.id, rest), 422, [field])
    }
    expect(
      (await put(user.id, { ...record, email: 'otra@empresa.mx' })).body.errors,
    ).toHaveProperty('email')
  })

  it('rejects a change of their own role, scope, sources, employee and state', async () => {
    const { employee_id } = await anEmployee()
    const own = { ...record, role: 'admin' }
    for (const change of [
      { role: 'nomina' },
      { scope_branches: ['Norte'] },
      { sources: ['reloj'] },
      { employee_id },
      { active: 0 },
      { machine: true, role: 'reloj' },
    ]) {
      expect((await put(ana.id, { ...own, ...change })).status, JSON.stringify(change)).toBe(403)
    }
    expect((await put(ana.id, own)).status).toBe(200)
    expect((await admin('POST', `${USERS_PATH}/${ana.id}/invitation`)).status).toBe(403)
  })

  it('keeps the last administrator of all branches who has a password', async () => {
    // Ana has no password. Her token was issued by an operator.
    await env.DB.prepare("UPDATE users SET password_hash = '' WHERE id = ?").bind(ana.id).run()
    const last = await anAdmin()
    await anAdmin({ scope_branches: inBranches('Norte') })
    const stays = { ...record, role: 'admin' }
    for (const change of [{ active: 0 }, { role: 'nomina' }, { scope_branches: ['Norte'] }]) {
      expect((await put(last.id, { ...stays, ...change })).status).toBe(409)
    }
    await anAdmin()
    expect((await put(last.id, { ...stays, active: 0 })).status).toBe(200)
  })

  it('ends the tokens if role, employee or state change', async () => {
    for (const change of [{ role: 'rh' }, { active: 0 }]) {
      const user = await aUser({ role: 'nomina' })
      expect((await put(user.id, { ...record, ...change })).status).toBe(200)
      expect((await get('/auth/me', { token: user.token })).status).toBe(401)
    }
  })
})

describe('an operator, who is no user', () => {
  const db = withoutCaller(env.DB)
  const settings = readSettings({ ...ROLE_SETTINGS, TOKEN_SECRET: '-'.repeat(32) })
  const operator = () => ({ userId: null, settings, now: new Date() })
  const change = async (id: number, fields: object) =>
    updateUser(db, id, { ...(await getUser(db, id, new Date())), ...fields }, operator())

  it('follows the rules of the API, and is recorded', async () => {
    await env.DB.prepare("UPDATE users SET password_hash = '' WHERE id = ?").bind(ana.id).run()
    const last = await anAdmin()
    for (const fields of [{ active: 0 }, { role: 'nomina' }, { machine: true, role: 'reloj' }]) {
      await expect(change(last.id, fields)).rejects.toMatchObject({ code: 'LAST_ADMINISTRATOR' })
    }
    await expect(change(last.id, { role: 'jefe' })).rejects.toMatchObject({ code: 'UNKNOWN_ROLE' })
    const machine = await aUser({ role: 'reloj', machine: true, password_hash: '' })
    await expect(change(machine.id, { role: 'admin' })).rejects.toMatchObject({
      code: 'MACHINE_ROLE',
    })
    await change(machine.id, { role: 'rh' })
    expect((await get('/auth/me', { token: machine.token })).status).toBe(401)
    const [recorded] = await changesOfUser(machine.id)
    expect(recorded).toMatchObject({
      user: null,
      changes: [{ field: 'role', before: 'reloj', after: 'rh' }],
    })
  })

  it('deactivates a machine whose role no setting names any more', async () => {
    const machine = await aUser({ role: 'antes', machine: true, password_hash: '' })
    expect((await change(machine.id, { active: 0 })).user.active).toBe(0)
  })

  it('sets a password, which ends tokens and an open link, but sets none for a machine', async () => {
    const { user, link } = await invite()
    const anyHash = { ...operator(), oldHash: null }
    await setUserPassword(db, user.id, NEW_PASSWORD, anyHash)
    expect((await check(link)).status).toBe(410)
    const login = { email: user.email, password: NEW_PASSWORD }
    expect((await post('/auth/login', login)).status).toBe(200)
    expect((await changesOfUser(user.id)).at(-1)).toMatchObject({
      user: null,
      changes: [{ field: 'password_set' }],
    })
    const machine = await aUser({ role: 'reloj', machine: true, password_hash: '' })
    await expect(setUserPassword(db, machine.id, NEW_PASSWORD, anyHash)).rejects.toMatchObject({
      code: 'MACHINE_HAS_NO_PASSWORD',
    })
    expect(await changesOfUser(machine.id)).toEqual([])
  })

  it('keeps the fields of the legacy API that an import sets meanwhile', async () => {
    const { id } = await aUser({ role: 'employee', employee_id: null })
    const user = await getUser(db, id, new Date())
    let batches = 0
    const acting = {
      batchOfAllBranches: async (statements: Statements) => {
        const set = "UPDATE users SET status_user = 'baja', external = 1 WHERE id = ?"
        if (++batches === 2) await env.DB.prepare(set).bind(id).run()
        return db.batchOfAllBranches(statements)
      },
    } as typeof db
    await updateUser(acting, id, { ...user, first_name: 'Otra' }, operator())
    const stored = 'SELECT first_name, status_user, external FROM users WHERE id = ?'
    expect(await env.DB.prepare(stored).bind(id).first()).toEqual({
      ...{ first_name: 'Otra', status_user: 'baja', external: 1 },
    })
  })

  it('adds a user with a password and no link', async () => {
    const created = { ...NEW, ...USER_ACCESS, active: 1 }
    const user = await createUserWithPassword(
      db,
      created,
      await hashPassword(NEW_PASSWORD),
      operator(),
    )
    expect(user.invitation_expires_at).toBeNull()
    const login = { email: user.email, password: NEW_PASSWORD }
    expect((await post('/auth/login', login)).status).toBe(200)
    expect((await changesOfUser(user.id)).at(-1)?.changes.at(-1)?.field).toBe('password_set')
  })
})

it('records the change of a user’s own password, which ends an open link', async () => {
  const luis = await aUser({ email: 'luis@empresa.mx' })
  const { body } = await admin('POST', `${USERS_PATH}/${luis.id}/invitation`)
  const passwords = { current_password: PASSWORD, password: NEW_PASSWORD }
  expect((await post('/auth/password', passwords, { token: luis.token })).status).toBe(200)
  expect((await check(tokenOf(body.data.url))).status).toBe(410)
  expect((await changesOfUser(luis.id)).at(-1)).toMatchObject({
    user: { id: luis.id },
    changes: [{ field: 'password_set' }],
  })
})

describe('a machine', () => {
  const MACHINE = { ...NEW, email: 'reloj@empresa.mx', role: 'reloj', machine: true }

  it('gets a token instead of a link, which ends with its role', async () => {
    const { user, link } = await invite(MACHINE)
    expect(link).toBeNull()
    const { body } = await admin('POST', `${USERS_PATH}/${user.id}/token`)
    expect(body.data).toEqual({ token: expect.any(String), token_type: 'Bearer' })
    const machine = as(body.data.token)
    expect((await machine('GET', '/v2/incidents/sources')).status).toBe(200)
    expect((await changesOfUser(user.id)).at(-1)?.changes[0]?.field).toBe('machine_access')
    const record = { ...USER_NAMES, role: 'rh', active: 1, ...USER_ACCESS, machine: true }
    await put(user.id, { ...record, expected_version: 1 })
    expect((await machine('GET', '/v2/incidents/sources')).status).toBe(401)
    expect((await admin('POST', `${USERS_PATH}/${user.id}/invitation`)).status).toBe(409)
  })

  it('has no employee and no role of people who decide or pay', async () => {
    const { employee_id } = await anEmployee()
    for (const wrong of [{ role: 'admin' }, { role: 'nomina' }, { employee_id }]) {
      expect((await admin('POST', USERS_PATH, { ...MACHINE, ...wrong })).status).toBe(422)
    }
    const { user } = await invite()
    expect((await admin('POST', `${USERS_PATH}/${user.id}/token`)).status).toBe(409)
  })

  it('leaves no token and no password to a user who was one for a moment', async () => {
    const luis = await aUser({ email: 'luis@empresa.mx', role: 'rh', ...USER_NAMES })
    const record = { ...USER_NAMES, role: 'rh', active: 1, ...USER_ACCESS }
    await put(luis.id, { ...record, machine: true, expected_version: 1 })
    const { body } = await admin('POST', `${USERS_PATH}/${luis.id}/token`)
    await put(luis.id, { ...record, expected_version: 2 })
    expect((await get('/auth/me', { token: body.data.token })).status).toBe(401)
    const login = { email: 'luis@empresa.mx', password: PASSWORD }
    expect((await post('/auth/login', login)).status).toBe(401)
    const fields = (await changesOfUser(luis.id)).flatMap(({ changes }) =>
      changes.map(({ field }) => field),
    )
    expect(fields).toEqual(['machine', 'password_cleared', 'machine_access', 'machine'])
  })
})

describe('GET /v2/people/users', () => {
  it('lists users by name, with filters and pages', async () => {
    await aUser({ first_name: 'Álvaro', email: 'alvaro@empresa.mx', role: 'rh' })
    await aUser({ first_name: 'Zoe', last_name: "O'Farrill", email: 'zoe@empresa.mx', active: 0 })
    const emails = async (query: string) => {
      const { body } = await admin('GET', `${USERS_PATH}?${query}`)
      return body.data.users.map(({ email }: { email: string }) => email)
    }
    expect(await emails('')).toEqual(['alvaro@empresa.mx', ana.email, 'zoe@empresa.mx'])
    expect(await emails('q=ALVARO')).toEqual(['alvaro@empresa.mx'])
    expect(await emails('q=o’farrill')).toEqual(['zoe@empresa.mx'])
    expect(await emails('role=rh')).toEqual(['alvaro@empresa.mx'])
    expect(await emails('not_role=rh')).toEqual([ana.email, 'zoe@empresa.mx'])
    expect(await emails('not_role=rh&active=false')).toEqual(['zoe@empresa.mx'])
    expect(await emails('active=false')).toEqual(['zoe@empresa.mx'])
    const first = (await admin('GET', `${USERS_PATH}?limit=2`)).body.data
    expect(await emails(`limit=2&cursor=${first.next_cursor}`)).toEqual(['zoe@empresa.mx'])
  })
})

describe('POST /v2/people/invitations', () => {
  let clerk: Caller

  beforeEach(async () => {
    clerk = as((await aUser({ role: 'rh', scope_branches: inBranches('Norte') })).token)
  })

  it('gives a link to each employee, and a user to those who have none', async () => {
    await anEmployee({ employee_id: 'Á 1/2', branch_office: 'Norte', full_name: 'Eva Ruiz' })
    await anEmployee({ employee_id: 'B-2', branch_office: 'Norte' })
    await aUser({ employee_id: 'B-2', email: 'b2@empresa.mx' })
    await aUser({ email: '%c3%81%201%2f2@sin-correo.invalid' })
    const { status, body } = await clerk('POST', INVITATIONS_PATH, {
      employee_ids: ['Á 1/2', 'B-2'],
    })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.data.invitations).toMatchObject([
      {
        employee_id: 'Á 1/2',
        email: '%c3%81%201%2f2-2@sin-correo.invalid',
        url: expect.stringContaining('/mi/#/invitacion/'),
      },
      { employee_id: 'B-2', email: 'b2@empresa.mx' },
    ])
    const [{ url, email }] = body.data.invitations
    expect((await accept(tokenOf(url))).status).toBe(200)
    const { token } = (await post('/auth/login', { email, password: NEW_PASSWORD })).body.data
    const me = (await get('/auth/me', { token })).body.data
    expect(me.user).toMatchObject({ role: 'employee', first_name: 'Eva Ruiz' })
    expect(me.employee.employee_id).toBe('Á 1/2')
  })

  it('gives an address that leads to nobody else, although their numbers are alike', async () => {
    await anEmployee({ employee_id: 'E-001', branch_office: 'Norte' })
    await aUser({ employee_id: 'E-001', email: 'ana@empresa.mx' })
    await anEmployee({ employee_id: 'E 001', branch_office: 'Norte', full_name: 'Eva Ruiz' })
    const { body } = await clerk('POST', INVITATIONS_PATH, { employee_ids: ['E 001'] })
    const [{ url, email }] = body.data.invitations
    expect((await accept(tokenOf(url))).status).toBe(200)
    const signedIn = await post('/auth/login', { email, password: NEW_PASSWORD })
    expect([email, signedIn.body.data?.user.first_name]).toEqual([
      'e%20001@sin-correo.invalid',
      'Eva Ruiz',
    ])
  })

  it('names the people who may get no link, and then makes no link at all', async () => {
    await anEmployee({ employee_id: 'N-1', branch_office: 'Norte' })
    await anEmployee({ employee_id: 'N-2', branch_office: 'Norte', full_name: 'Eva Ruiz' })
    await anEmployee({ employee_id: 'N-3', branch_office: 'Norte' })
    await anEmployee({ employee_id: 'S-1', branch_office: 'Sur' })
    await aUser({ employee_id: 'N-2', role: 'admin' })
    await aUser({ employee_id: 'N-3', active: 0 })
    const employee_ids = ['N-1', 'N-2', 'N-3', 'S-1', 'nadie', 'N-1']
    const { status, body } = await clerk('POST', INVITATIONS_PATH, { employee_ids })
    const positions = [1, 2, 3, 4, 5].map((position) => `employee_ids.${position}`)
    expect([status, Object.keys(body.errors)]).toEqual([422, positions])
    expect(body.errors['employee_ids.1'][0]).toContain('Eva Ruiz (N-2)')
    expect(body.errors['employee_ids.3']).toEqual(body.errors['employee_ids.4'])
    const { results } = await env.DB.prepare('SELECT * FROM invitations').all()
    expect(results).toEqual([])
  })

  it('makes one user for an employee who is invited many times at once', async () => {
    await anEmployee({ employee_id: 'N-1', branch_office: 'Norte' })
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => clerk('POST', INVITATIONS_PATH, { employee_ids: ['N-1'] })),
    )
    const links = answers.filter(({ status }) => status === 200)
    expect(links.length).toBeGreaterThan(0)
    const valid = await Promise.all(
      links.map(({ body }) => check(tokenOf(body.data.invitations[0].url))),
    )
    expect(valid.filter(({ status }) => status === 200)).toHaveLength(1)
    const { results } = await env.DB.prepare('SELECT id FROM users WHERE employee_id = ?')
      .bind('N-1')
      .all()
    expect(results).toHaveLength(1)
  })
})
