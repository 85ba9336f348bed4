/**
 * Measures the bundles inside workerd, where they share one isolate, the databases and one clock.
 * Calls each bundle's `fetch` in blocks of requests. Returns a timing per database and bundle.
 */

import { type QueryFigures, recordQueries, replay } from '../test/support/record-queries.ts'
import baseline from './baseline.bundle.js'
import baselineAgain from './baseline-again.bundle.js'
import { ENDPOINTS, FIRST, type First, MORE, requestOf } from './endpoints.ts'
import ours from './ours.bundle.js'

const CANDIDATES = { ours, baseline, 'baseline again': baselineAgain }
export type Candidate = keyof typeof CANDIDATES

export interface Work {
  endpoint: string
  candidates: readonly Candidate[]
  /** The bindings of D1 databases. Each candidate is measured on each database. */
  databases: string[]
  /** The number of requests per block. */
  count: number
  rounds: number
  /** Whether recorded results replace D1. */
  stubbed: boolean
}

/**
 * `ms` is the lower quartile of the times per request. `queries` are the queries of one request.
 */
export interface Timing {
  ms: number
  queries: QueryFigures
}

interface DriverEnv extends Env {
  CLOCK: Fetcher
  CPU: Fetcher
  TOKENS: Record<'admin' | 'employee', string>
  TOKEN_SECRET: string
  LOADER: WorkerLoader
  /** The files of each candidate by name, the main one first, and the one of `replay`. */
  CODE: Record<'ours' | 'baseline' | 'replay', Record<string, string>>
}

/** What is measured in new isolates. */
export interface FirstWork {
  first: string
  rounds: number
}

/** Reads Node's clock. The clock of workerd advances only on I/O, by whole milliseconds. */
const clock = async ({ CLOCK }: { CLOCK: Fetcher }) =>
  Number(await (await CLOCK.fetch('http://clock')).text())

/** The fastest block depends on chance. The median depends on what else the computer does. */
const lowerQuartile = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 4)] ?? Number.NaN

/**
 * Changes the order from round to round, so that each item has each place equally often. SQLite
 * copies its write-ahead log after every few writes. In a fixed order, the copying would always
 * delay the same item.
 */
const rotate = <Item>(items: readonly Item[], round: number): Item[] => {
  const first = round % items.length
  const rotated = [...items.slice(first), ...items.slice(0, first)]
  return Math.floor(round / items.length) % 2 === 0 ? rotated : rotated.reverse()
}

/** The index of the next request. It is never reset, so each block sends different requests. */
let sent = 0

const measure = async (work: Work, env: DriverEnv, ctx: ExecutionContext): Promise<Timing[]> => {
  const endpoint = [...ENDPOINTS, ...MORE].find(({ name }) => name === work.endpoint)
  if (!endpoint) throw new Error(`There is no endpoint ${work.endpoint}.`)
  const fetch = async (candidate: Candidate, own: DriverEnv, request: Request) => {
    const response = await CANDIDATES[candidate].fetch(request, own, ctx)
    const text = await response.text()
    if (response.status === 200) return text
    throw new Error(`${candidate}: ${endpoint.name} returned ${response.status}: ${text}`)
  }
  const send = async (candidate: Candidate, own: DriverEnv): Promise<void> => {
    const text = await fetch(candidate, own, requestOf(endpoint, env.TOKENS, sent++))
    if (!endpoint.undo) return
    const { path, body } = endpoint.undo(JSON.parse(text).data)
    const undoing = { ...endpoint, path, body: () => body }
    await fetch(candidate, own, requestOf(undoing, env.TOKENS, sent++))
  }
  /** The milliseconds per request of a block, or the 95th percentile of requests sent at once. */
  const timeOf = async (candidate: Candidate, own: DriverEnv): Promise<number> => {
    const start = await clock(env)
    if (endpoint.atOnce) {
      const times = Array.from({ length: endpoint.atOnce }, async () => {
        await send(candidate, own)
        return (await clock(env)) - start
      })
      return (await Promise.all(times)).sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
    }
    for (let i = 0; i < work.count; i++) await send(candidate, own)
    return ((await clock(env)) - start) / work.count
  }
  const runners = []
  for (const database of work.databases) {
    const db = (env as unknown as Record<string, D1Database>)[database] as D1Database
    for (const candidate of work.candidates) {
      const { DB, recording } = recordQueries(db)
      await send(candidate, { ...env, DB })
      // As in a deployment, all requests of a candidate get the same environment object.
      const own = { ...env, DB: work.stubbed ? replay(recording) : db }
      runners.push({ candidate, own, recording, times: [] as number[] })
    }
  }
  for (let round = 0; round < work.rounds; round++) {
    for (const { candidate, own, times } of rotate(runners, round)) {
      times.push(await timeOf(candidate, own))
    }
  }
  return runners.map(({ recording: { results: _, ...queries }, times }) => {
    return { ms: lowerQuartile(times), queries }
  })
}

/** The candidates in new isolates. Each has its own recorded results in place of D1. */
const NEW = { ours: 'ours', baseline: 'baseline', 'baseline again': 'baseline' } as const

const mainOf = (main: string) => `import service from './${main}'
import { replay } from './record-queries.ts.js'
const limits = (names) => Object.fromEntries(names.map((name) => [name, { limit: async () => ({ success: true }) }]))
let own
export default { fetch: (request, env, ctx) => {
  own ??= { ...env, ...limits(env.LIMITS), DB: replay({ results: new Map(env.RESULTS) }) }
  return service.fetch(request, own, ctx)
} }
console.log = () => {}`

/** Measures the first requests of new isolates: their code is evaluated, and a request answered. */
const measureFirst = async (work: FirstWork, env: DriverEnv, ctx: ExecutionContext) => {
  const endpoint = FIRST.find(({ name }) => name === work.first) as First
  const LIMITS = Object.keys(env).filter((name) => name.includes('_BY_'))
  const runners = []
  for (const candidate of Object.keys(NEW) as (keyof typeof NEW)[]) {
    const isOurs = candidate === 'ours'
    const own = isOurs || endpoint.isCompared ? endpoint : (FIRST[0] as First)
    const { DB, recording } = recordQueries(env.DB)
    const answer = await CANDIDATES[candidate].fetch(
      requestOf(own, env.TOKENS, sent),
      { ...env, DB },
      ctx,
    )
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${own.name} returned ${answer.status}: ${text}`)
    const code = env.CODE[NEW[candidate]]
    const { TOKEN_SECRET } = env
    const worker = {
      compatibilityDate: '2026-11-01',
      mainModule: 'main.js',
      modules: { 'main.js': mainOf(Object.keys(code)[0] as string), ...env.CODE.replay, ...code },
      env: { TOKEN_SECRET, INTAKE_ROLES: 'admin', LIMITS, RESULTS: [...recording.results] },
    }
    runners.push({ own, worker, recording, times: [] as number[] })
  }
  for (let round = 0; round < work.rounds; round++) {
    for (const { own, worker, times } of rotate(runners, round)) {
      const request = requestOf(own, env.TOKENS, sent)
      const start = await clock({ CLOCK: env.CPU })
      const isolate = env.LOADER.load(worker)
      const response = await isolate.getEntrypoint().fetch(request)
      const text = await response.text()
      times.push((await clock({ CLOCK: env.CPU })) - start)
      if (response.status !== 200)
        throw new Error(`${own.name} returned ${response.status}: ${text}`)
    }
  }
  return runners.map(({ recording: { results: _, ...queries }, times }) => {
    return { ms: lowerQuartile(times), queries }
  })
}

// Writing the request log must not be measured.
console.log = () => {}

export default {
  fetch: async (request, env, ctx) => {
    const work: Work | FirstWork = await request.json()
    const timings = 'first' in work ? measureFirst(work, env, ctx) : measure(work, env, ctx)
    return Response.json(await timings)
  },
} satisfies ExportedHandler<DriverEnv>
