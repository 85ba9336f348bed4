import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { type Endpoint, requestOf } from './endpoints.ts'
import { TOKENS } from './service.ts'

/** A small load over HTTP: a fixed count of requests on a few connections that are kept alive. */

const CONNECTIONS = 4

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
export const children = (): number[] => {
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

/** Sends `count` requests to one service, and tells how fast they were answered. */
export const load = async (
  { origin, pid }: { origin: string; pid: number },
  endpoint: Endpoint,
  count: number,
): Promise<Load> => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  let next = 0
  const connection = async () => {
    while (next < count) await ask(origin, agent, endpoint, next++)
  }
  const [start, cpu] = [performance.now(), cpuOf(pid)]
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  const seconds = (performance.now() - start) / 1000
  agent.destroy()
  return { requestsPerSecond: count / seconds, cpuPerRequest: (cpuOf(pid) - cpu) / count }
}
