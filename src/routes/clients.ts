import * as z from 'zod/mini'
import { activeClient, configEntry, enabledModules } from '../domain/clients.ts'
import { createApp } from '../http/context.ts'
import { bareFailure, success } from '../http/envelope.ts'
import { throttleCode } from '../http/rate-limit.ts'
import { validate, validatePath } from '../http/validate.ts'
import { requiredText, text } from '../schemas/fields.ts'

export const EntryCode = z.object({ code: requiredText('El código') })
export const ConfigName = z.object({
  config: text('El nombre de la configuración').check(z.meta({ example: 'logo' })),
})

export const clients = createApp()
  .get('/modules_enabled', async (c) => {
    const modules = await enabledModules(c.var.replica)
    return c.json(success('Módulos habilitados.', modules), 200)
  })
  .post('/validate-code', throttleCode, validate(EntryCode, { shape: bareFailure }), async (c) => {
    const { code } = c.req.valid('json')
    const client = await activeClient(c.var.replica, code)
    return c.json(success('El código es válido.', client), 200)
  })
  .get('/config/:config', validatePath(ConfigName), async (c) => {
    const { config } = c.req.valid('param')
    const entry = await configEntry(c.var.db, config)
    return c.json(success('Configuración encontrada.', entry), 200)
  })
