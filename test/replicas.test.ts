import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { call } from './support/api.ts'
import { aClient, aConfigEntry, aLog, aModule, anAdmin, PASSWORD } from './support/factories.ts'
import { recordQueries } from './support/record-queries.ts'

const CHANGE = { log_id: 1, status: 'approved', comment: 'visto' }

it.each([
  ['GET', '/v2/clients/modules_enabled', undefined, 'first-unconstrained'],
  ['POST', '/v2/clients/validate-code', { code: 'NORTE-01' }, 'first-unconstrained'],
  ['GET', '/v2/clients/config/logo', undefined, 'primary'],
  ['POST', '/auth/login', { email: 'ana@empresa.mx', password: PASSWORD }, 'primary'],
  ['GET', '/auth/me', undefined, 'primary'],
  ['POST', '/v2/incidents/change_log_status', CHANGE, 'primary'],
  ['GET', '/v2/incidents/logs', undefined, 'primary'],
])('%s %s asks where its answer must come from', async (method, path, body, place) => {
  const { token } = await anAdmin({ email: 'ana@empresa.mx' })
  await aLog({ id: 1 })
  await aModule()
  await aClient({ code: 'NORTE-01' })
  await aConfigEntry({ key: 'logo' })
  const { recording, DB } = recordQueries(env.DB)

  const res = await call(method, path, { token, body, env: { DB } })

  expect(res.status).toBe(200)
  expect(recording.places).toEqual([place])
})
