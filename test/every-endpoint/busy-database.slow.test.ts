import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectFailure } from '../support/api.ts'
import { REQUESTS, seedEndpoints, send } from '../support/endpoints.ts'
import { allRows } from '../support/factories.ts'

// The waits between the attempts take up to a second. Here, their timers fire at once.
beforeEach(() => {
  const { setTimeout: original } = globalThis
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void) =>
    original(run, 0)) as typeof setTimeout)
})
afterEach(() => {
  vi.restoreAllMocks()
})

const MESSAGE = 'El servicio está ocupado. Inténtalo de nuevo en unos segundos.'
const LOCKED = 'D1_ERROR: database is locked: SQLITE_BUSY'
const LOST = 'Network connection lost.'
const OVERLOADED = 'D1_ERROR: D1 DB is overloaded. Requests queued for too long.'

/** A database whose first calls fail. `calls()` returns the number of all calls. */
const failingDatabase = (times: number, message: string) => {
  let calls = 0
  const unlessBusy = <Out>(run: () => Promise<Out>): Promise<Out> =>
    calls++ < times ? Promise.reject(new Error(message)) : run()
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement =>
    Object.assign(Object.create(statement), {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      raw: () => unlessBusy(() => statement.raw()),
      all: () => unlessBusy(() => statement.all()),
      original: statement,
    })
  const session = {
    prepare: (text: string) => wrap(env.DB.prepare(text)),
    batch: (statements: (D1PreparedStatement & { original: D1PreparedStatement })[]) =>
      unlessBusy(() => env.DB.batch(statements.map(({ original }) => original))),
  }
  const DB = { ...session, withSession: () => session } as unknown as D1Database
  return { DB, calls: () => calls }
}

const QUERYING = REQUESTS.filter(({ request }) => request.roundTrips > 0)

describe.each(QUERYING)('$name', ({ endpoint, request }) => {
  it('succeeds if the database was locked for a moment', async () => {
    const { token } = await seedEndpoints()
    const { DB } = failingDatabase(3, LOCKED)
    expect((await send(endpoint, request, { token, env: { DB } })).status).toBe(request.status)
  })

  it.each([
    ['stays locked', LOCKED, 6],
    ['is overloaded', OVERLOADED, 1],
    ['loses its connection', LOST, 1],
  ])('is a 503 that changes nothing if the database %s', async (_, message, calls) => {
    const { token } = await seedEndpoints()
    const before = await allRows()
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const database = failingDatabase(Number.POSITIVE_INFINITY, message)

    const res = await send(endpoint, request, { token, env: { DB: database.DB } })

    expectFailure(res, 503, MESSAGE)
    expect(res.headers.get('Retry-After')).toBe('1')
    expect(database.calls()).toBe(calls)
    const [line] = logged.mock.calls.flat()
    expect(JSON.parse(line).error.message).toBe(message)
    expect(await allRows()).toEqual(before)
  })
})
