import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { call } from '../support/api.ts'
import { aClient, aConfigEntry, aModule } from '../support/factories.ts'

/** Adds to results what only a deployed database reports: the region that answered. */
const inRegion = (primary: string, replica: string): D1Database => {
  const at = (region: string, source: Pick<D1Database, 'prepare'>) => {
    const wrap = (statement: D1PreparedStatement): D1PreparedStatement =>
      Object.assign(Object.create(statement), {
        bind: (...values: unknown[]) => wrap(statement.bind(...values)),
        all: async () => {
          const result = await statement.all()
          const served = { served_by_region: region, served_by_primary: source === env.DB }
          return { ...result, meta: { ...result.meta, ...served } }
        },
      })
    return { prepare: (text: string) => wrap(source.prepare(text)) }
  }
  const withSession = (constraint: string) => at(replica, env.DB.withSession(constraint))
  return { ...at(primary, env.DB), withSession } as unknown as D1Database
}

const code = 'NORTE-01'
const REQUESTS = [
  ['GET', '/v2/clients/modules_enabled', undefined, 'd1;desc="APAC replica"', 200],
  ['POST', '/v2/clients/validate-code', { code }, 'd1;desc="APAC replica"', 200],
  ['POST', '/v2/clients/validate-code', { code: 'x' }, 'd1;desc="APAC replica"', 404],
  ['GET', '/v2/clients/config/logo', undefined, 'd1;desc="WNAM primary"', 200],
] as const

it.each(REQUESTS)(
  '%s %s %j names the database that answered: %s',
  async (method, path, ...rest) => {
    const [body, timing, status] = rest
    await aModule()
    await aClient({ code })
    await aConfigEntry({ key: 'logo' })
    const settings = { ALLOWED_ORIGINS: '*' }
    const options = { body, headers: { Origin: 'https://app.mx' } }

    const local = await call(method, path, { ...options, env: settings })
    const DB = inRegion('WNAM', 'APAC')
    const deployed = await call(method, path, { ...options, env: { ...settings, DB } })

    expect(local.headers.has('Server-Timing')).toBe(false)
    expect([deployed.status, deployed.text]).toEqual([status, local.text])
    expect(deployed.headers.get('Server-Timing')).toBe(timing)
    expect(deployed.headers.get('Access-Control-Expose-Headers')).toContain('Server-Timing')
  },
)
