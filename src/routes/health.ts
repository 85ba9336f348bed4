import { ping } from '../db/d1.ts'
import { createApp } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { errorResponse } from '../http/errors.ts'

/** For monitoring; outside /api, since no client calls it. */
export const health = createApp().get('/health', async (c) =>
  (await ping(c.var.db))
    ? c.json(success('El servicio funciona.', null), 200)
    : errorResponse(c, 'DATABASE_DOWN'),
)
