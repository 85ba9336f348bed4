import { createApp, replicaOf } from '../core/http/context.ts'
import { bareFailure, success } from '../core/http/envelope.ts'
import { limitEntryCode } from '../core/http/rate-limit.ts'
import { validate, validatePath } from '../core/http/validate.ts'
import { ConfigPath, EntryCodeBody } from './clients.schemas.ts'
import { findActiveClient, getConfigEntry, listEnabledModules } from './clients.ts'

export const clients = createApp()
  .get('/modules_enabled', async (c) => {
    const modules = await listEnabledModules(replicaOf(c))
    return c.json(success('Módulos habilitados.', modules), 200)
  })
  .post(
    '/validate-code',
    limitEntryCode,
    validate(EntryCodeBody, { shape: bareFailure }),
    async (c) => {
      const { code } = c.req.valid('json')
      const client = await findActiveClient(replicaOf(c), code)
      return c.json(success('El código es válido.', client), 200)
    },
  )
  .get('/config/:config', validatePath(ConfigPath), async (c) => {
    const { config } = c.req.valid('param')
    // A changed entry must be seen at once, so the primary is read.
    const entry = await getConfigEntry(c.get('db'), config)
    return c.json(success('Configuración encontrada.', entry), 200)
  })
