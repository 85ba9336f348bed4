import type { Context } from 'hono'
import { createApp, type UserEnv } from '../core/http/context.ts'
import { success } from '../core/http/envelope.ts'
import { limitPush } from '../core/http/rate-limit.ts'
import { validate } from '../core/http/validate.ts'
import { refuseMachines, requireUser } from '../session/callers.http.ts'
import { maySendTo } from './endpoint.ts'
import { deletePhone, savePhone } from './phones.queries.ts'
import { PushBody, PushEndpointBody } from './push.schemas.ts'

const originOf = (c: Context): string => new URL(c.req.url).origin

/** The error if an endpoint is not of a known push service. A missing one is an error of its own. */
const unknownEndpoint = (c: Context<UserEnv>, { endpoint }: Record<string, unknown>) =>
  typeof endpoint === 'string' && endpoint !== '' && !maySendTo(endpoint, originOf(c))
    ? 'UNKNOWN_PUSH_SERVICE'
    : undefined

/** The caller's own phones, which get messages about the caller's own logs and closings. */
export const push = createApp()
  .put(
    '/my_push',
    requireUser,
    refuseMachines,
    validate(PushBody, { rule: unknownEndpoint }),
    limitPush,
    async (c) => {
      const { endpoint, keys } = c.req.valid('json')
      const subscription = { endpoint, ...keys, origin: originOf(c) }
      await savePhone(c.var.authorizedDb, subscription, c.var.now)
      return c.json(success('Los avisos llegan a este teléfono.', null), 200)
    },
  )
  .delete('/my_push', requireUser, validate(PushEndpointBody), limitPush, async (c) => {
    await deletePhone(c.var.authorizedDb, c.req.valid('json').endpoint)
    return c.json(success('Los avisos ya no llegan a este teléfono.', null), 200)
  })
