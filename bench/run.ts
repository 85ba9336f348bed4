/** `npm run bench [-- --json FILE]`: how fast the service is beside one written by hand. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import type { Miniflare } from 'miniflare'
import miniflare from 'miniflare/package.json' with { type: 'json' }
import { populate } from '../test/support/populate.ts'
import type { Asked } from '../test/support/record-queries.ts'
import type { Contestant, Timing, Work } from './driver.ts'
import { ENDPOINTS, type Endpoint, SMALLEST } from './endpoints.ts'
import { measureHttp } from './http.ts'
import {
  type Comparison,
  faultsOf,
  type Growth,
  isNoisy,
  print,
  type Report,
  ratio,
  remarksOf,
  type Steady,
} from './report.ts'
import { bundleAll, databaseOf, startTogether } from './workers.ts'

const RIVALS: Contestant[] = ['ours', 'floor', 'floor again']

/** How many logs, clients and users each world has. */
const WORLDS = { DB: SMALLEST, MIDDLE: 10_000, LARGE: 1_000_000 }

const TRIES = 4

const REAL = { count: 8, rounds: 250, stubbed: false }
const STUBBED = { count: 300, rounds: 40, stubbed: true }
const GROWING = { count: 8, rounds: 110, stubbed: false }
const WARMING = { count: 8, rounds: 25, stubbed: false }

const tell = (text: string) => console.error(text)

const order = async <Answer>(service: Miniflare, path: string, work: Work): Promise<Answer> => {
  const init = { method: 'POST', body: JSON.stringify(work) }
  const response = await service.dispatchFetch(`http://driver${path}`, init)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Answer
}

const timeOf = (timings: Timing[], contestant: Contestant): number =>
  timings.find((timing) => timing.contestant === contestant)?.ms ?? Number.NaN

/** The same blocks on all rivals, again while the two copies of the floor differ too much. */
const compare = async (service: Miniflare, work: Work): Promise<Comparison> => {
  for (let tries = 1; ; tries++) {
    const timings = await order<Timing[]>(service, '/measure', work)
    const [ours, floor, again] = [
      timeOf(timings, 'ours'),
      timeOf(timings, 'floor'),
      timeOf(timings, 'floor again'),
    ]
    const result = { ours, floor, ratio: ours / floor, control: again / floor, tries }
    if (!isNoisy(result) || tries === TRIES) return result
    tell(`  noisy: one copy of the floor took ${ratio(result.control)} of the other; once more`)
  }
}

const measureSteady = async (service: Miniflare, endpoint: Endpoint): Promise<Steady> => {
  tell(`${endpoint.name}: beside the floor`)
  const work = { endpoint: endpoint.name, contestants: RIVALS, databases: ['DB'] }
  const counted = await order<Record<Contestant, Asked>>(service, '/count', { ...work, ...REAL })
  return {
    endpoint: endpoint.name,
    goal: endpoint.goal,
    gate: endpoint.gate,
    onD1: await compare(service, { ...work, ...REAL }),
    ownWork: await compare(service, { ...work, ...STUBBED }),
    asked: { ours: counted.ours, floor: counted.floor },
  }
}

const measureGrowth = async (service: Miniflare, endpoint: Endpoint): Promise<Growth> => {
  tell(`${endpoint.name}: at ${Object.values(WORLDS).join(', ')} rows`)
  const databases = Object.keys(WORLDS)
  const work = { endpoint: endpoint.name, contestants: ['ours' as const], databases }
  const timings = await order<Timing[]>(service, '/measure', { ...work, ...GROWING })
  const ms = databases.map((name) => timings.find((t) => t.database === name)?.ms ?? Number.NaN)
  return { endpoint: endpoint.name, limit: endpoint.growth, sizes: Object.values(WORLDS), ms }
}

/** Whoever came first would be measured on code that is not compiled yet. */
const warmUp = async (service: Miniflare): Promise<void> => {
  tell('Warming up')
  for (const { name, floor } of ENDPOINTS) {
    const contestants = floor ? RIVALS : RIVALS.slice(0, 1)
    const databases = Object.keys(WORLDS)
    await order(service, '/measure', { endpoint: name, contestants, databases, ...WARMING })
  }
}

const run = async ({ json }: { json?: string }): Promise<void> => {
  const start = performance.now()
  // A file that cannot be written is told now, not after minutes.
  if (json) writeFileSync(json, '')
  const folder = mkdtempSync(join(tmpdir(), 'checada-bench-'))
  const bundles = bundleAll(folder)
  rmSync(folder, { recursive: true })

  const service = startTogether(bundles, Object.keys(WORLDS))
  tell(`Filling worlds of ${Object.values(WORLDS).join(', ')} logs, clients and users`)
  for (const [name, size] of Object.entries(WORLDS)) {
    await populate(await databaseOf(service, name), 0, size)
  }
  await warmUp(service)
  const steady: Steady[] = []
  const growth: Growth[] = []
  for (const endpoint of ENDPOINTS.filter((one) => one.floor)) {
    steady.push(await measureSteady(service, endpoint))
  }
  for (const endpoint of ENDPOINTS) growth.push(await measureGrowth(service, endpoint))
  await service.dispose()

  tell('Over HTTP')
  const http = await measureHttp(bundles)
  const cores = cpus()
  const machine = {
    cpu: cores[0]?.model ?? '',
    cores: cores.length,
    node: process.version,
    miniflare: miniflare.version,
  }
  const seconds = Math.round((performance.now() - start) / 1000)
  const report: Report = { machine, seconds, steady, growth, http }
  print(report)
  if (json) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`)
  for (const remark of remarksOf(report)) tell(remark)
  const faults = faultsOf(report)
  for (const fault of faults) tell(fault)
  if (faults.length > 0) process.exitCode = 1
}

await new Command('npm run bench --')
  .description('How fast the service is beside one written by hand, on the simulated D1.')
  .option('--json <file>', 'write every figure to a file')
  .action(run)
  .parseAsync()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  })
