import type { Context } from 'hono'
import { createApp, type UserEnv } from '../core/http/context.ts'
import { isDatabaseFull, requireDatabaseRoom } from '../core/http/database-room.ts'
import { success } from '../core/http/envelope.ts'
import { limitPeople } from '../core/http/rate-limit.ts'
import { issueToken } from '../core/http/token.ts'
import { validate, validatePath, validateQuery } from '../core/http/validate.ts'
import { pageByName } from '../core/values/query-fields.schemas.ts'
import { may, refuseMachines } from '../session/callers.http.ts'
import { powerfulRolesOf } from '../session/can.ts'
import { inviteEmployees } from './employee-invitations.ts'
import { inviteUser, prepareMachineToken, revokeUser } from './user-access.ts'
import { listUserRecords } from './users.queries.ts'
import { CreateUserBody, InvitationsBody, UserBody, UserPath, UsersQuery } from './users.schemas.ts'
import { createUser, getUser, updateUser } from './users.ts'

const LIMIT = 100

const writerOf = (c: Context<UserEnv>) => {
  const { claims, settings, now } = c.var
  return { userId: claims.userId, settings, now, origin: new URL(c.req.url).origin }
}

/**
 * A machine gets no role of administrators, but ADMIN_ROLES may come to name a role that a machine
 * has.
 */
const requireUserWriter = [may('keep_users'), refuseMachines, limitPeople] as const

/** Administrators cannot set passwords. They give links with which users set their passwords. */
export const userRecords = createApp()
  .get('/users', may('keep_users'), validateQuery(UsersQuery), async (c) => {
    const { limit = LIMIT, cursor, ...filter } = c.req.valid('query')
    const { authorizedDb: db, now } = c.var
    const position = { limit: limit + 1, now, ...(cursor && { after: cursor }) }
    const rows = await listUserRecords(db, filter, position)
    const { page: users, next_cursor } = pageByName(rows, limit, ({ id }) => id)
    return c.json(success('Usuarios.', { users, next_cursor }), 200)
  })
  .post(
    '/users',
    ...requireUserWriter,
    requireDatabaseRoom,
    validate(CreateUserBody),
    async (c) => {
      const user = { ...c.req.valid('json'), active: 1 }
      const created = await createUser(c.var.authorizedDb, user, writerOf(c))
      return c.json(success('El usuario se creó.', created), 200)
    },
  )
  .get('/users/:id', may('keep_users'), validatePath(UserPath), async (c) => {
    const user = await getUser(c.var.authorizedDb, c.req.valid('param').id, c.var.now)
    return c.json(success('Usuario.', { user }), 200)
  })
  .put(
    '/users/:id',
    ...requireUserWriter,
    validatePath(UserPath),
    validate(UserBody),
    async (c) => {
      const { expected_version: version, ...record } = c.req.valid('json')
      const { id } = c.req.valid('param')
      const db = c.var.authorizedDb
      const saved = await updateUser(db, id, { ...record, version }, writerOf(c))
      return c.json(success('El usuario se guardó.', saved), 200)
    },
  )
  .post('/users/:id/revoke', ...requireUserWriter, validatePath(UserPath), async (c) => {
    await revokeUser(c.var.authorizedDb, c.req.valid('param').id, writerOf(c))
    return c.json(success('Se cerraron todas las sesiones del usuario.', null), 200)
  })
  .post('/users/:id/invitation', ...requireUserWriter, validatePath(UserPath), async (c) => {
    const link = await inviteUser(c.var.authorizedDb, c.req.valid('param').id, writerOf(c))
    return c.json(success('El enlace se muestra solo esta vez.', link), 200)
  })
  .post('/users/:id/token', ...requireUserWriter, validatePath(UserPath), async (c) => {
    const { id } = c.req.valid('param')
    const { authorizedDb, settings, now } = c.var
    const tokenVersion = await prepareMachineToken(authorizedDb, id, writerOf(c))
    const token = await issueToken({ id, tokenVersion }, settings, now, { machine: true })
    const data = { token, token_type: 'Bearer' }
    return c.json(success('El token se muestra solo esta vez.', data), 200)
  })
  // With links, a machine could take over accounts.
  .post(
    '/invitations',
    may('keep_people'),
    refuseMachines,
    limitPeople,
    validate(InvitationsBody),
    async (c) => {
      const { authorizedDb, settings, now } = c.var
      const invitations = await inviteEmployees(authorizedDb, c.req.valid('json').employee_ids, {
        powerfulRoles: powerfulRolesOf(settings),
        origin: new URL(c.req.url).origin,
        now,
        isFull: isDatabaseFull(c),
      })
      return c.json(success('Los enlaces se muestran solo esta vez.', { invitations }), 200)
    },
  )
