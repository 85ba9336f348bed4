import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { call } from '../support/api.ts'
import { aClient, aConfigEntry, aModule } from '../support/factories.ts'
import { recordQueries, replay } from '../support/record-queries.ts'

it.each([
  ['GET', '/v2/clients/modules_enabled', undefined, 'd1;desc="APAC replica"'],
  ['POST', '/v2/clients/validate-code', { code: 'NORTE-01' }, 'd1;desc="APAC replica"'],
  ['POST', '/v2/clients/validate-code', { code: 'unknown' }, 'd1;desc="APAC replica"'],
  ['GET', '/v2/clients/config/logo', undefined, 'd1;desc="APAC primary"'],
])('%s %s %j names the database that answered: %s', async (method, path, body, timing) => {
  await aModule()
  await aClient({ code: 'NORTE-01' })
  await aConfigEntry({ key: 'logo' })
  const { recording, DB } = recordQueries(env.DB)
  const send = (database: D1Database) =>
    call(method, path, {
      body,
      headers: { Origin: 'https://app.mx' },
      env: { ALLOWED_ORIGINS: '*', DB: database },
    })

  const local = await send(DB)
  // Only a deployed database reports its region.
  const served = { served_by_region: 'APAC', served_by_primary: recording.places[0] === 'primary' }
  for (const { meta } of recording.results.values()) Object.assign(meta, served)
  const deployed = await send(replay(recording))

  expect(local.headers.has('Server-Timing')).toBe(false)
  expect([deployed.status, deployed.text]).toEqual([local.status, local.text])
  expect(deployed.headers.get('Server-Timing')).toBe(timing)
  expect(deployed.headers.get('Access-Control-Expose-Headers')).toContain('Server-Timing')
})
