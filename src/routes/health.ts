import { isAwake } from '../db/d1.ts'
import { createApp } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { refuse } from '../http/errors.ts'

/** For whoever watches the service; outside /api, since no client calls it. */
export const health = createApp().get('/health', async (c) =>
  (await isAwake(c.var.db))
    ? c.json(success('El servicio funciona.', null), 200)
    : refuse(c, 'DATABASE_DOWN'),
)
