/**
 * Runs inside workerd, beside the bundles that it measures: one isolate, one database, one clock.
 * It calls each bundle's `fetch` in blocks and returns how long a request takes, in milliseconds.
 */

import { type QueryFigures, recordQueries, replay } from '../test/support/record-queries.ts'
import baseline from './baseline.bundle.js'
import baselineAgain from './baseline-again.bundle.js'
import { ENDPOINTS, type Endpoint, FILES, requestOf } from './endpoints.ts'
import ours from './ours.bundle.js'

/** What is left when a service does nothing: making requests and reading responses. */
const nothing = { fetch: async () => new Response('{}') }

const CANDIDATES = { ours, baseline, 'baseline again': baselineAgain, nothing }
export type Candidate = keyof typeof CANDIDATES

export interface Work {
  endpoint: string
  candidates: Candidate[]
  /** Bindings of D1 databases: each candidate runs on each of them. */
  databases: string[]
  /** Requests per block. */
  count: number
  rounds: number
  /** Whether D1 is replaced by a replay of its results. */
  stubbed: boolean
}

/** A request of a candidate on a database: the lower quartile of its blocks. */
export interface Timing {
  candidate: Candidate
  database: string
  ms: number
}

interface DriverEnv extends Env {
  CLOCK: Fetcher
  TOKENS: Record<'admin' | 'employee', string>
}

const endpointOf = (name: string): Endpoint => {
  const endpoint = [...ENDPOINTS, ...FILES].find((one) => one.name === name)
  if (!endpoint) throw new Error(`There is no endpoint ${name}.`)
  return endpoint
}

/** Node's clock: workerd's own advances only on I/O, in whole milliseconds. */
const clock = async (env: DriverEnv) => Number(await (await env.CLOCK.fetch('http://clock')).text())

/** The number of requests sent, so that no block repeats a request of the one before. */
let sent = 0

const send = async (
  candidate: Candidate,
  endpoint: Endpoint,
  env: DriverEnv,
  ctx: ExecutionContext,
): Promise<void> => {
  const { path, ...init } = requestOf(endpoint, env.TOKENS, sent++)
  const request = new Request(`http://localhost${path}`, init)
  const response = await CANDIDATES[candidate].fetch(request, env, ctx)
  const text = await response.text()
  if (response.status !== 200) {
    throw new Error(`${candidate}: ${endpoint.name} returned ${response.status}: ${text}`)
  }
}

/** The fastest block varies by luck, and the median by what else the machine does. */
const lowerQuartile = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 4)] ?? Number.NaN

/**
 * Each takes every place of a round equally often: in a fixed order, SQLite's checkpoints, which come
 * every few writes, would always delay the same one.
 */
const inTurn = <Item>(items: readonly Item[], round: number): Item[] => {
  const first = round % items.length
  const rotated = [...items.slice(first), ...items.slice(0, first)]
  return Math.floor(round / items.length) % 2 === 0 ? rotated : rotated.reverse()
}

const onDatabase = (env: DriverEnv, DB: D1Database): DriverEnv => ({ ...env, DB })

const measure = async (work: Work, env: DriverEnv, ctx: ExecutionContext): Promise<Timing[]> => {
  const endpoint = endpointOf(work.endpoint)
  const runners = []
  for (const database of work.databases) {
    const db = (env as unknown as Record<string, D1Database>)[database] as D1Database
    for (const candidate of work.candidates) {
      const { DB, recording } = recordQueries(db)
      await send(candidate, endpoint, onDatabase(env, DB), ctx)
      // One environment object for all of its requests, as a deployment has.
      const own = onDatabase(env, work.stubbed ? replay(recording) : db)
      runners.push({ candidate, database, own, times: [] as number[] })
    }
  }
  for (let round = 0; round < work.rounds; round++) {
    for (const { candidate, own, times } of inTurn(runners, round)) {
      const start = await clock(env)
      for (let i = 0; i < work.count; i++) await send(candidate, endpoint, own, ctx)
      times.push(((await clock(env)) - start) / work.count)
    }
  }
  return runners.map(({ candidate, database, times }) => ({
    candidate,
    database,
    ms: lowerQuartile(times),
  }))
}

/** The D1 queries of one request of each candidate, in figures. */
const count = async (work: Work, env: DriverEnv, ctx: ExecutionContext) => {
  const figures: Partial<Record<Candidate, QueryFigures>> = {}
  for (const candidate of work.candidates) {
    const { DB, recording } = recordQueries(env.DB)
    await send(candidate, endpointOf(work.endpoint), onDatabase(env, DB), ctx)
    const { results: _, ...rest } = recording
    figures[candidate] = rest
  }
  return figures
}

// The request log is not measured.
console.log = () => {}

export default {
  fetch: async (request, env, ctx) => {
    const work: Work = await request.json()
    const run = new URL(request.url).pathname === '/count' ? count : measure
    return Response.json(await run(work, env, ctx))
  },
} satisfies ExportedHandler<DriverEnv>
