import { expect, it } from 'vitest'
import { revoked_tokens } from '../../src/core/tables/users.ts'
import { LOG_STATUSES } from '../../src/core/values/log-values.ts'
import { get, isValid, post } from '../support/api.ts'
import {
  aLog,
  allComments,
  allDecisions,
  allLogs,
  anAdmin,
  aUser,
  db,
  PASSWORD,
  tokenFor,
} from '../support/factories.ts'

const pick = <T>(list: readonly T[], i: number): T => list[i % list.length] as T

it('keeps audit chains and comments complete under 300 concurrent changes', async () => {
  const admins = [await anAdmin(), await anAdmin(), await anAdmin()]
  const targets = [await aLog(), await aLog(), await aLog(), await aLog()]

  const changes = Array.from({ length: 300 }, (_, i) => ({
    log_id: pick(targets, i).id,
    status: pick(LOG_STATUSES, i * 7 + (i >> 2)),
  }))

  const responses = await Promise.all(
    changes.map((change, i) => {
      const body = { ...change, ...(i % 2 === 0 && { comment: `cambio ${i}` }) }
      return post('/v2/incidents/change_log_status', body, { token: pick(admins, i).token })
    }),
  )

  expect(responses.map((res) => res.body.data)).toEqual(changes)
  const entries = await allDecisions()
  expect(entries).toHaveLength(300)
  for (const { id, status } of await allLogs()) {
    let current: string = 'pending'
    for (const entry of entries.filter((row) => row.log_id === id)) {
      expect(entry.from_status).toBe(current)
      current = entry.to_status
    }
    expect(status).toBe(current)
  }
  const written = await allComments()
  expect(new Set(written.map(({ comment }) => comment)).size).toBe(150)
  const commentIds = entries.flatMap(({ comment_id }) => comment_id ?? [])
  expect(commentIds).toEqual(written.map(({ id }) => id))
})

it('ends every token that signed out, while others of the same user stay valid', async () => {
  const user = await aUser()
  const tokens = await Promise.all(Array.from({ length: 120 }, () => tokenFor(user)))
  const [leaving, staying] = [tokens.slice(0, 60), tokens.slice(60)]

  await Promise.all([
    ...[...leaving, ...leaving].map((token) => post('/auth/logout', undefined, { token })),
    ...staying.map((token) => get('/auth/me', { token })),
  ])

  expect(await Promise.all(leaving.map(isValid))).toEqual(Array(60).fill(false))
  expect(await Promise.all(staying.map(isValid))).toEqual(Array(60).fill(true))
})

it('ends all tokens and leaves no revoked ids when logout_all meets logout', async () => {
  const user = await aUser()
  const tokens = await Promise.all(Array.from({ length: 80 }, () => tokenFor(user)))

  await Promise.all(
    tokens.map((token, i) =>
      post(i % 5 === 0 ? '/auth/logout_all' : '/auth/logout', undefined, { token }),
    ),
  )

  expect(await Promise.all(tokens.map(isValid))).toEqual(Array(80).fill(false))
  expect(await db.select().from(revoked_tokens)).toEqual([])
})

it('accepts one of many concurrent password changes, and only its token stays valid', async () => {
  const user = await aUser()
  const tokens = await Promise.all(Array.from({ length: 4 }, () => tokenFor(user)))

  const responses = await Promise.all(
    tokens.map((token, i) => {
      const body = { current_password: PASSWORD, password: `clave nueva ${i}` }
      return post('/auth/password', body, { token })
    }),
  )

  const won = responses.flatMap((res, i) => (res.status === 200 ? [i] : []))
  expect(won).toHaveLength(1)
  const rejected = responses.filter((res) => res.status !== 200)
  expect(rejected.every((res) => [401, 422].includes(res.status))).toBe(true)
  expect(await Promise.all(tokens.map(isValid))).toEqual(Array(4).fill(false))
  expect(await isValid(responses[won[0] ?? 0]?.body.data.token)).toBe(true)
  const login = await post('/auth/login', { email: user.email, password: `clave nueva ${won[0]}` })
  expect(login.status).toBe(200)
})
