import { readSize } from '../../db/core/d1.ts'
import { createApp } from '../../http/core/context.ts'
import { success } from '../../http/core/envelope.ts'
import { errorResponse } from '../../http/core/errors.ts'

/** For monitoring; outside /api, since no client calls it. */
export const health = createApp().get('/health', async (c) => {
  const database_bytes = await readSize(c.var.db)
  if (database_bytes === undefined) return errorResponse(c, 'DATABASE_DOWN')
  const limit_bytes = c.var.settings.DB_LIMIT_MB * 1_000_000
  return c.json(success('El servicio funciona.', { database_bytes, limit_bytes }), 200)
})
