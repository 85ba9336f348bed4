/**
 * Runs inside workerd, beside the bundles that it measures: one isolate, one database, one clock.
 * It calls each bundle's `fetch` in blocks and returns how long a request takes, in milliseconds.
 */

import { type QueryFigures, recordQueries, replay } from '../test/support/record-queries.ts'
import baseline from './baseline.bundle.js'
import baselineAgain from './baseline-again.bundle.js'
import { ENDPOINTS, FILES, requestOf } from './endpoints.ts'
import ours from './ours.bundle.js'

/** What is left when a service does nothing: making requests and reading responses. */
const nothing = { fetch: async () => new Response('{}') }

const CANDIDATES = { ours, baseline, 'baseline again': baselineAgain, nothing }
export type Candidate = keyof typeof CANDIDATES

export interface Work {
  endpoint: string
  candidates: readonly Candidate[]
  /** Bindings of D1 databases: each candidate runs on each of them. */
  databases: string[]
  /** Requests per block. */
  count: number
  rounds: number
  /** Whether D1 is replaced by a replay of its results. */
  stubbed: boolean
}

/** A request of a candidate on a database: the lower quartile of its blocks, and its queries. */
export interface Timing {
  ms: number
  queries: QueryFigures
}

interface DriverEnv extends Env {
  CLOCK: Fetcher
  TOKENS: Record<'admin' | 'employee', string>
}

/** Node's clock: workerd's own advances only on I/O, in whole milliseconds. */
const clock = async (env: DriverEnv) => Number(await (await env.CLOCK.fetch('http://clock')).text())

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

/** The number of requests sent, so that no block repeats a request of the one before. */
let sent = 0

const measure = async (work: Work, env: DriverEnv, ctx: ExecutionContext): Promise<Timing[]> => {
  const endpoint = [...ENDPOINTS, ...FILES].find(({ name }) => name === work.endpoint)
  if (!endpoint) throw new Error(`There is no endpoint ${work.endpoint}.`)
  const send = async (candidate: Candidate, own: DriverEnv): Promise<void> => {
    const request = requestOf(endpoint, env.TOKENS, sent++)
    const response = await CANDIDATES[candidate].fetch(request, own, ctx)
    const text = await response.text()
    if (response.status === 200) return
    throw new Error(`${candidate}: ${endpoint.name} returned ${response.status}: ${text}`)
  }
  const runners = []
  for (const database of work.databases) {
    const db = (env as unknown as Record<string, D1Database>)[database] as D1Database
    for (const candidate of work.candidates) {
      const { DB, recording } = recordQueries(db)
      await send(candidate, { ...env, DB })
      // One environment object for all of its requests, as a deployment has.
      const own = { ...env, DB: work.stubbed ? replay(recording) : db }
      runners.push({ candidate, own, recording, times: [] as number[] })
    }
  }
  for (let round = 0; round < work.rounds; round++) {
    for (const { candidate, own, times } of inTurn(runners, round)) {
      const start = await clock(env)
      for (let i = 0; i < work.count; i++) await send(candidate, own)
      times.push(((await clock(env)) - start) / work.count)
    }
  }
  return runners.map(({ recording: { results: _, ...queries }, times }) => {
    return { ms: lowerQuartile(times), queries }
  })
}

// The request log is not measured.
console.log = () => {}

export default {
  fetch: async (request, env, ctx) => Response.json(await measure(await request.json(), env, ctx)),
} satisfies ExportedHandler<DriverEnv>
