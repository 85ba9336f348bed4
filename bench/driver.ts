/**
 * Runs inside workerd, beside the bundles that it measures: one isolate, one database, one clock.
 * It calls each one's `fetch` in blocks and tells how long a request took, in milliseconds.
 */

import { type Asked, replay, watch } from '../test/support/record-queries.ts'
import { ENDPOINTS, type Endpoint, requestOf } from './endpoints.ts'
import floor from './floor.bundle.js'
import floorAgain from './floor-again.bundle.js'
import ours from './ours.bundle.js'

const CONTESTANTS = { ours, floor, 'floor again': floorAgain }
export type Contestant = keyof typeof CONTESTANTS

export interface Work {
  endpoint: string
  contestants: Contestant[]
  /** Bindings of D1 databases: each contestant meets each of them. */
  databases: string[]
  /** Requests a block. */
  count: number
  rounds: number
  /** Whether D1 answers at once, what it answered before. */
  stubbed: boolean
}

/** The fastest block of a contestant on a database. */
export interface Timing {
  contestant: Contestant
  database: string
  ms: number
}

interface DriverEnv extends Env {
  CLOCK: Fetcher
  TOKENS: Record<'admin' | 'employee', string>
}

const endpointOf = (name: string): Endpoint => {
  const endpoint = ENDPOINTS.find((one) => one.name === name)
  if (!endpoint) throw new Error(`There is no endpoint ${name}.`)
  return endpoint
}

/** Workerd's own clock stands still between I/O and counts whole milliseconds: Node's is asked. */
const clock = async (env: DriverEnv) => Number(await (await env.CLOCK.fetch('http://clock')).text())

/** Asks once more, from where the last block ended, so that a block repeats none of its requests. */
let asked = 0

const ask = async (
  contestant: Contestant,
  endpoint: Endpoint,
  env: DriverEnv,
  ctx: ExecutionContext,
): Promise<void> => {
  const { path, ...init } = requestOf(endpoint, env.TOKENS, asked++)
  const request = new Request(`http://localhost${path}`, init)
  const response = await CONTESTANTS[contestant].fetch(request, env, ctx)
  const text = await response.text()
  if (response.status !== 200) {
    throw new Error(`${contestant}: ${endpoint.name} answered ${response.status}: ${text}`)
  }
}

const onDatabase = (env: DriverEnv, DB: D1Database): DriverEnv => ({ ...env, DB })

const measure = async (work: Work, env: DriverEnv, ctx: ExecutionContext): Promise<Timing[]> => {
  const endpoint = endpointOf(work.endpoint)
  const runners = []
  for (const database of work.databases) {
    const db = (env as unknown as Record<string, D1Database>)[database] as D1Database
    for (const contestant of work.contestants) {
      const { DB, seen } = watch(db)
      await ask(contestant, endpoint, onDatabase(env, DB), ctx)
      // One environment object for all of its requests, as a deployment has.
      const own = onDatabase(env, work.stubbed ? replay(seen) : db)
      runners.push({ contestant, database, own, ms: Number.POSITIVE_INFINITY })
    }
  }
  for (let round = 0; round < work.rounds; round++) {
    for (const runner of round % 2 === 0 ? runners : runners.toReversed()) {
      const start = await clock(env)
      for (let i = 0; i < work.count; i++) await ask(runner.contestant, endpoint, runner.own, ctx)
      runner.ms = Math.min(runner.ms, ((await clock(env)) - start) / work.count)
    }
  }
  return runners.map(({ contestant, database, ms }) => ({ contestant, database, ms }))
}

/** What one request of a contestant asks of D1. */
const count = async (work: Work, env: DriverEnv, ctx: ExecutionContext) => {
  const counted: Partial<Record<Contestant, Asked>> = {}
  for (const contestant of work.contestants) {
    const { DB, seen } = watch(env.DB)
    await ask(contestant, endpointOf(work.endpoint), onDatabase(env, DB), ctx)
    const { results: _, ...figures } = seen
    counted[contestant] = figures
  }
  return counted
}

// A line a request is no figure of this bench: where it goes is.
console.log = () => {}

export default {
  fetch: async (request, env, ctx) => {
    const work: Work = await request.json()
    const answer = new URL(request.url).pathname === '/count' ? count : measure
    return Response.json(await answer(work, env, ctx))
  },
} satisfies ExportedHandler<DriverEnv>
