/**
 * `npm run bench`: compares the service with a baseline, and with itself on a larger database. With
 * `--write`, writes the figures to docs/performance.md unless a figure fails.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { Command } from 'commander'
import type { Miniflare } from 'miniflare'
import miniflare from 'miniflare/package.json' with { type: 'json' }
import type { D1 } from '../src/core/db/query.ts'
import { populate, populatePeople, SMALLEST_SIZE } from '../test/support/populate.ts'
import type { Candidate, FirstWork, Timing, Work } from './driver.ts'
import { ENDPOINTS, FIRST, MORE, type Requests } from './endpoints.ts'
import {
  asRatio,
  type Comparison,
  failuresOf,
  isNoisy,
  sectionsOf,
  withSections,
} from './report.ts'
import { addClock, openMigratedDatabase, startAllCandidates } from './workers.ts'

const CANDIDATES: readonly Candidate[] = ['ours', 'baseline', 'baseline again']

const DOCUMENT_FILE = 'docs/performance.md'

/** The database for the warm-up and for comparisons with the baseline. */
const COMPARED_DATABASE = 'DB'

/**
 * The number of logs, clients and users in each database for measuring growth. SMALL and
 * SMALL_AGAIN are equal, so that the difference of their times shows the noise.
 */
const SIZES = { LARGE: 1_000_000, SMALL: SMALLEST_SIZE, SMALL_AGAIN: SMALLEST_SIZE }

/** The number of people in each database for hours and closings. */
const PEOPLE = { PEOPLE: 1_000, FEW_PEOPLE: 100, FEW_PEOPLE_AGAIN: 100 }

const TRIES_MAX = 4

const REAL = { count: 8, rounds: 250, stubbed: false }
const STUBBED = { count: 300, rounds: 40, stubbed: true }
const GROWING = { count: 8, rounds: 110, stubbed: false }
const MORE_BLOCKS = { count: 1, rounds: 24, stubbed: false }
const WARMING = { count: 8, rounds: 25, stubbed: false }

/** The number of new isolates of each candidate. */
const FIRST_ROUNDS = 25

const log = (text: string) => console.error(text)

const send = async (service: Miniflare, work: Work | FirstWork): Promise<Timing[]> => {
  const init = { method: 'POST', body: JSON.stringify(work) }
  const response = await service.dispatchFetch('http://driver', init)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Timing[]
}

/** Measures each candidate on each database. Returns the timings by database, then by candidate. */
const measure = async (
  service: Miniflare,
  { name, weight = 1 }: Requests,
  blocks: typeof REAL,
  candidates: readonly Candidate[],
  databases = [COMPARED_DATABASE],
): Promise<Timing[]> => {
  const count = Math.max(1, Math.round(blocks.count / weight))
  return send(service, { endpoint: name, candidates, databases, ...blocks, count })
}

const comparisonOf = (timings: Timing[]): Comparison => {
  const [compared, base, again] = timings as [Timing, Timing, Timing]
  return {
    ms: compared.ms,
    base: base.ms,
    ratio: compared.ms / base.ms,
    control: again.ms / base.ms,
    queries: compared.queries,
    baseQueries: base.queries,
  }
}

/** Compares the first requests of new isolates. */
const compareFirst = async (service: Miniflare) => {
  const figures = []
  for (const { name, isCompared, limit } of FIRST) {
    log(`${name}: the first request of a new isolate`)
    const comparison = comparisonOf(await send(service, { first: name, rounds: FIRST_ROUNDS }))
    const basis = isCompared ? 'baseline' : 'its modules_enabled'
    figures.push({ endpoint: name, basis, limit, ...comparison })
  }
  return figures
}

/**
 * Compares the first timing with the second one. The third timing repeats the second one, and shows
 * the noise. If there is too much noise, it measures again, up to `TRIES_MAX` times in all.
 */
const compare = async (...work: Parameters<typeof measure>): Promise<Comparison> => {
  for (let tries = 1; ; tries++) {
    const result = comparisonOf(await measure(...work))
    if (!isNoisy(result) || tries === TRIES_MAX) return result
    log(`  noisy: of two alike, one took ${asRatio(result.control)} of the other; once more`)
  }
}

const measureAll = async (service: Miniflare) => {
  log('Warming up')
  // Without a warm-up, the first candidate would be measured before its code is compiled.
  for (const endpoint of ENDPOINTS) {
    await measure(service, endpoint, WARMING, endpoint.compared ? CANDIDATES : ['ours'])
  }
  const first = await compareFirst(service)
  const steady = []
  for (const endpoint of ENDPOINTS) {
    const { name, compared } = endpoint
    if (!compared) continue
    log(`${name}: compared with the baseline`)
    const onD1 = await compare(service, endpoint, REAL, CANDIDATES)
    const ownWork = await compare(service, endpoint, STUBBED, CANDIDATES)
    const limits = { limit: compared.time, ownWorkLimit: compared.ownWork }
    steady.push({ endpoint: name, ...limits, ...onD1, ownWork })
  }
  const growth = []
  for (const endpoint of ENDPOINTS) {
    const { name, growth: limit } = endpoint
    log(`${name}: at ${Object.values(SIZES).join(', ')} rows`)
    const compared = await compare(service, endpoint, GROWING, ['ours'], Object.keys(SIZES))
    growth.push({ endpoint: name, limit, ...compared })
  }
  const more = []
  for (const endpoint of MORE) {
    const { name, basis, limit } = endpoint
    log(`${name}: compared with the ${basis}`)
    const figures =
      basis === 'baseline'
        ? await compare(service, endpoint, MORE_BLOCKS, CANDIDATES)
        : await compare(service, endpoint, MORE_BLOCKS, ['ours'], Object.keys(PEOPLE))
    more.push({ endpoint: name, basis, limit, ...figures })
  }
  return { first, steady, growth, more }
}

/** Fails if the baseline breaks the contract, since the comparison would not be fair then. */
const testBaseline = (): void => {
  log('Testing the baseline')
  const args = ['run', '--project', 'baseline', '--silent']
  const { status, stdout, stderr } = spawnSync('vitest', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The baseline breaks the contract:\n${stdout}${stderr}`)
}

const machineOf = (seconds: number): string => {
  const cores = cpus()
  const day = new Date().toISOString().slice(0, 10)
  return `**Measured** on ${day} in ${seconds.toFixed(0)} s: ${cores[0]?.model}, ${cores.length} cores,
Node ${process.version}, Miniflare ${miniflare.version}. Microseconds per request.`
}

const { write } = new Command('bench')
  .description('compare the service with a baseline, and with itself on a larger database')
  .option('--write', `write the figures to ${DOCUMENT_FILE}, unless one fails`)
  .parse()
  .opts<{ write?: true }>()

const start = performance.now()
testBaseline()
const service = await startAllCandidates([
  COMPARED_DATABASE,
  ...Object.keys({ ...SIZES, ...PEOPLE }),
])
log(`Filling databases of ${Object.values(SIZES).join(', ')} logs, clients and users`)
for (const [name, size] of Object.entries({ [COMPARED_DATABASE]: SMALLEST_SIZE, ...SIZES })) {
  await populate(await openMigratedDatabase(service, name), 0, size)
}
await addClock((await service.getD1Database(COMPARED_DATABASE)) as unknown as D1)
for (const [name, people] of Object.entries(PEOPLE)) {
  await populatePeople(await openMigratedDatabase(service, name), people)
}
const report = await measureAll(service)
await service.dispose()

const machine = machineOf((performance.now() - start) / 1000)
const sections = { machine, ...sectionsOf(report) }
console.log(Object.values(sections).join('\n\n'))
const failures = failuresOf(report)
for (const line of failures) log(line)
if (failures.length > 0) process.exitCode = 1
else if (write) {
  writeFileSync(DOCUMENT_FILE, withSections(readFileSync(DOCUMENT_FILE, 'utf8'), sections))
}
