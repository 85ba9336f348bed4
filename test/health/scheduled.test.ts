import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { runScheduled } from '../../src/scheduled.ts'
import { post } from '../support/api.ts'
import { aLog, aUser, hideTable, PASSWORD } from '../support/factories.ts'
import { useLoggedLines } from '../support/logged-lines.ts'

const lines = useLoggedLines()

/** Signs out of a token that ends after half an hour, and returns when it has ended. */
const signOut = async () => {
  const { email } = await aUser()
  const settings = { env: { TOKEN_TTL_MINUTES: '30' } }
  const { body } = await post('/auth/login', { email, password: PASSWORD }, settings)
  await post('/auth/logout', undefined, { token: body.data.token, ...settings })
  return Date.now() + 31 * 60_000
}

const hourly = async (at: number, settings: object = {}) => {
  lines.length = 0
  await runScheduled({ ...env, ...settings }, '7 * * * *', () => new Date(at))
  return lines.map((line) => JSON.parse(line))
}

const duration_ms = expect.any(Number)

it('the hourly cron writes a line for each of its works', async () => {
  const ended = await signOut()
  await aLog()
  expect(await hourly(ended)).toEqual(
    expect.arrayContaining([
      { scheduled: 'seal', duration_ms, sealed: 1, complete: true },
      { scheduled: 'prune_tokens', duration_ms, deleted: 1 },
      { scheduled: 'prune_phones', duration_ms, deleted: 0 },
    ]),
  )
})

it('a work that fails says so, and ends no other', async () => {
  const ended = await signOut()
  await aLog()
  await hideTable('revoked_tokens')
  const error = expect.objectContaining({ message: expect.any(String) })
  expect(await hourly(ended)).toEqual(
    expect.arrayContaining([
      { scheduled: 'seal', duration_ms, sealed: 1, complete: true },
      { scheduled: 'prune_tokens', duration_ms, error },
      { scheduled: 'prune_phones', duration_ms, deleted: 0 },
    ]),
  )
})

it('with a wrong setting, what does not need it is done', async () => {
  const ended = await signOut()
  const done = await hourly(ended, { TOKEN_TTL_MINUTES: 'x' })
  expect(done).toContainEqual({ scheduled: 'prune_tokens', duration_ms, deleted: 1 })
  expect(done.filter(({ error }) => error).map(({ scheduled }) => scheduled)).toContain('seal')
})
