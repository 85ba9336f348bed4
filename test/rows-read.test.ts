import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { call } from './support/api.ts'
import { PASSWORD, PASSWORD_HASH, tokenFor } from './support/factories.ts'
import { POPULATED_USERS, populate } from './support/populate.ts'
import { recordQueries } from './support/record-queries.ts'

const LOGIN = { email: 'u1@empresa.mx', password: PASSWORD }

/**
 * Every endpoint whose answer has a fixed size, asked of the n-th world. Each world changes logs that
 * had no change yet, and that no list here shows.
 */
const requests = (n: number): [method: string, path: string, body?: unknown, user?: number][] => {
  const log_id = 61 + 9 * n
  const log_ids = [log_id + 2, log_id + 4, log_id + 6]
  const change = { status: 'rejected', comment: 'visto' }
  return [
    ['GET', '/v2/clients/modules_enabled'],
    ['POST', '/v2/clients/validate-code', { code: 'C-7' }],
    ['POST', '/v2/clients/validate-code', { code: 'nadie' }],
    ['GET', '/v2/clients/config/logo'],
    ['POST', '/auth/login', LOGIN],
    ['POST', '/auth/login', { ...LOGIN, email: 'nadie@empresa.mx' }],
    ['GET', '/auth/me'],
    ['POST', '/v2/incidents/change_log_status', { log_id, ...change }],
    ['POST', '/v2/incidents/change_log_status', { log_id: 9_999_999, ...change }],
    ['POST', '/v2/incidents/change_logs_status', { log_ids, ...change }],
    ['GET', '/v2/incidents/logs?limit=10'],
    ['GET', '/v2/incidents/logs?limit=10&order=newest'],
    ['GET', '/v2/incidents/logs?limit=10&status=pending&kind=entrada'],
    ['GET', '/v2/incidents/logs/100'],
    ['POST', '/auth/logout', undefined, 10 + n],
    ['POST', '/auth/logout_all', undefined, 20 + n],
    ['POST', '/auth/password', { current_password: PASSWORD, password: 'otra clave' }, 30 + n],
  ]
}

it('reads as many rows among a million as among a hundred', async () => {
  const tokenOf = (id: number) => tokenFor({ id, token_version: 0 })
  const admin = await tokenOf(POPULATED_USERS.admin)
  const read: Record<string, [status: number, rows: number]>[] = []
  let filled = 0
  for (const size of [100, 10_000, 1_000_000]) {
    await populate(env.DB, filled, size)
    filled = size
    await env.DB.prepare('UPDATE users SET password_hash = ? WHERE id < 40')
      .bind(PASSWORD_HASH)
      .run()
    if (read.length === 0) {
      // The very first change meets empty tables.
      const body = { log_id: 59, status: 'rejected', comment: 'visto' }
      await call('POST', '/v2/incidents/change_log_status', { token: admin, body })
    }
    const rows: Record<string, [number, number]> = {}
    for (const [i, [method, path, body, user]] of requests(read.length).entries()) {
      const { recording, DB } = recordQueries(env.DB)
      const token = user === undefined ? admin : await tokenOf(user)
      const { status } = await call(method, path, { token, body, env: { DB } })
      rows[`${i} ${method} ${path}`] = [status, recording.rowsRead]
    }
    read.push(rows)
  }

  const [smallest, middle, largest] = read
  expect(Object.values(smallest ?? {}).map(([status]) => status)).toEqual([
    200, 200, 404, 200, 200, 401, 200, 200, 422, 200, 200, 200, 200, 200, 200, 200, 200,
  ])
  expect(middle).toEqual(smallest)
  expect(largest).toEqual(smallest)
}, 180_000)
