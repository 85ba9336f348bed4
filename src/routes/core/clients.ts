import { findActiveClient, getConfigEntry, listEnabledModules } from '../../domain/core/clients.ts'
import { createApp } from '../../http/core/context.ts'
import { bareFailure, success } from '../../http/core/envelope.ts'
import { limitCode } from '../../http/core/rate-limit.ts'
import { validate, validatePath } from '../../http/core/validate.ts'
import { ConfigPath, EntryCodeBody } from '../../schemas/core/clients.ts'

export const clients = createApp()
  .get('/modules_enabled', async (c) => {
    const modules = await listEnabledModules(c.get('replica'))
    return c.json(success('Módulos habilitados.', modules), 200)
  })
  .post('/validate-code', limitCode, validate(EntryCodeBody, { shape: bareFailure }), async (c) => {
    const { code } = c.req.valid('json')
    const client = await findActiveClient(c.get('replica'), code)
    return c.json(success('El código es válido.', client), 200)
  })
  .get('/config/:config', validatePath(ConfigPath), async (c) => {
    const { config } = c.req.valid('param')
    const entry = await getConfigEntry(c.get('db'), config)
    return c.json(success('Configuración encontrada.', entry), 200)
  })
