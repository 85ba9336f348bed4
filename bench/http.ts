import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { populate } from '../test/support/populate.ts'
import { ENDPOINTS, type Endpoint, requestOf, SMALLEST } from './endpoints.ts'
import { type Bundles, databaseOf, startAlone, TOKENS } from './workers.ts'

/** A small load over HTTP: a fixed count of requests on a few connections that are kept alive. */

const CONNECTIONS = 4
const ROUNDS = 7
const COUNT = 160

/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10

const ask = (origin: string, agent: Agent, endpoint: Endpoint, i: number): Promise<void> => {
  const { path, method, headers, body } = requestOf(endpoint, TOKENS, i)
  return new Promise((resolve, reject) => {
    const asking = request(`${origin}${path}`, { method, headers, agent }, (response) => {
      response.resume()
      response.on('end', () =>
        response.statusCode === 200
          ? resolve()
          : reject(new Error(`${endpoint.name} answered ${response.statusCode} over HTTP.`)),
      )
    })
    asking.on('error', reject)
    asking.end(body)
  })
}

/** A process as Linux tells of it, from its state on (proc(5)); nothing elsewhere, or once it is gone. */
const statOf = (pid: number | string): string[] => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  } catch {
    return []
  }
}

/** The processes that this one started, by their ids; none where there is no `/proc`. */
const children = (): number[] => {
  const names = existsSync('/proc') ? readdirSync('/proc') : []
  const pids = names.filter((name) => /^\d+$/.test(name))
  return pids.filter((pid) => statOf(pid)[1] === String(process.pid)).map(Number)
}

/** The CPU time that a process has used, in milliseconds; NaN where nothing tells it. */
const cpuOf = (pid: number): number => {
  const stat = statOf(pid)
  return (Number(stat[11]) + Number(stat[12])) * TICK_MS
}

export interface Load {
  requestsPerSecond: number
  /** Of the whole local runtime, its simulated database included, in milliseconds. */
  cpuPerRequest: number
}

export interface Http {
  endpoint: string
  ours: Load
  floor: Load
  /** The floor's copy, for control. */
  again: Load
}

interface Runner {
  origin: string
  pid: number
}

const load = async ({ origin, pid }: Runner, endpoint: Endpoint): Promise<Load> => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  let next = 0
  const connection = async () => {
    while (next < COUNT) await ask(origin, agent, endpoint, next++)
  }
  const [start, cpu] = [performance.now(), cpuOf(pid)]
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  const seconds = (performance.now() - start) / 1000
  agent.destroy()
  return { requestsPerSecond: COUNT / seconds, cpuPerRequest: (cpuOf(pid) - cpu) / COUNT }
}

const startForLoad = async (script: string) => {
  const before = new Set(children())
  const service = startAlone(script)
  const { origin } = await service.ready
  const [pid = Number.NaN] = children().filter((child) => !before.has(child))
  await populate(await databaseOf(service, 'DB'), 0, SMALLEST)
  return { service, origin, pid }
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Each service in turns, a service a process: the medians of the rounds. */
const compare = async (runners: Runner[], endpoint: Endpoint): Promise<Load[]> => {
  const turns = runners.map((runner) => ({ runner, rounds: [] as Load[] }))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { runner, rounds } of round % 2 === 0 ? turns : turns.toReversed()) {
      const figures = await load(runner, endpoint)
      // The first round warms up.
      if (round > 0) rounds.push(figures)
    }
  }
  return turns.map(({ rounds }) => ({
    requestsPerSecond: median(rounds.map((figures) => figures.requestsPerSecond)),
    cpuPerRequest: median(rounds.map((figures) => figures.cpuPerRequest)),
  }))
}

/** Every endpoint that the floor has too, over HTTP. */
export const measureHttp = async (bundles: Bundles): Promise<Http[]> => {
  const runners = []
  for (const script of [bundles.ours, bundles.floor, bundles.floor]) {
    runners.push(await startForLoad(script))
  }
  const results: Http[] = []
  for (const endpoint of ENDPOINTS.filter((one) => one.floor)) {
    const [ours, floor, again] = (await compare(runners, endpoint)) as [Load, Load, Load]
    results.push({ endpoint: endpoint.name, ours, floor, again })
  }
  for (const { service } of runners) await service.dispose()
  return results
}
