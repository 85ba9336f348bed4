import { isAwake } from '../db/client.ts'
import { success } from '../http/answer/envelope.ts'
import { refuse } from '../http/answer/refusals.ts'
import { createApp } from '../http/context.ts'

/** For whoever watches the service; outside /api, since no client calls it. */
export const health = createApp().get('/health', async (c) =>
  (await isAwake(c.var.db))
    ? c.json(success('El servicio funciona.', null), 200)
    : refuse(c, 'DATABASE_DOWN'),
)
