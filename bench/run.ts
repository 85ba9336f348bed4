/** `npm run bench [-- --json FILE] [--write]`: compares the service with a baseline. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { Command } from 'commander'
import type { Miniflare } from 'miniflare'
import miniflare from 'miniflare/package.json' with { type: 'json' }
import { populate, populateMonth, SMALLEST } from '../test/support/populate.ts'
import type { Candidate, Timing, Work } from './driver.ts'
import { ENDPOINTS, type Endpoint, FILES } from './endpoints.ts'
import {
  asRatio,
  type Comparison,
  failuresOf,
  type Growth,
  isNoisy,
  type Report,
  remarksOf,
  sectionsOf,
  withSections,
} from './report.ts'
import { databaseOf, startTogether } from './workers.ts'

const CANDIDATES: readonly Candidate[] = ['ours', 'baseline', 'baseline again']

/** The document that shows the figures. */
const DOCUMENT_FILE = 'docs/performance.md'

/** The database for the warm-up and for comparisons with the baseline. */
const COMPARED_DATABASE = 'DB'

/**
 * The number of logs, clients and users in each database for measuring growth. The first two
 * databases are equal, so that their difference shows the noise.
 */
const SIZES = { SMALL: SMALLEST, SMALL_AGAIN: SMALLEST, MIDDLE: 10_000, LARGE: 1_000_000 }

/** The database for the downloads: 1,000 people, with four logs per working day for a month. */
const MONTH = { name: 'MONTH', people: 1_000 }

const TRIES_MAX = 4

const REAL = { count: 8, rounds: 250, stubbed: false }
const STUBBED = { count: 300, rounds: 40, stubbed: true }
const GROWING = { count: 8, rounds: 110, stubbed: false }
const WHOLE_FILES = { count: 1, rounds: 5, stubbed: false }
const WARMING = { count: 8, rounds: 25, stubbed: false }

const log = (text: string) => console.error(text)

/** Times each candidate on each database, in this order. Blocks of heavy requests are shorter. */
const measure = async (
  service: Miniflare,
  { name, weight = 1 }: Endpoint,
  blocks: typeof REAL,
  candidates: readonly Candidate[],
  databases = [COMPARED_DATABASE],
): Promise<Timing[]> => {
  const count = Math.max(1, Math.round(blocks.count / weight))
  const work: Work = { endpoint: name, candidates, databases, ...blocks, count }
  const init = { method: 'POST', body: JSON.stringify(work) }
  const response = await service.dispatchFetch('http://driver', init)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Timing[]
}

/** Measures again while the control is too noisy. */
const repeatWhileNoisy = async <Result extends { control: number }>(
  measureOnce: () => Promise<Result>,
): Promise<Result & { tries: number }> => {
  for (let tries = 1; ; tries++) {
    const result = await measureOnce()
    if (!isNoisy(result.control) || tries === TRIES_MAX) return { ...result, tries }
    log(`  noisy: of two alike, one took ${asRatio(result.control)} of the other; once more`)
  }
}

const compare = (
  service: Miniflare,
  endpoint: Endpoint,
  blocks: typeof REAL,
): Promise<Comparison> =>
  repeatWhileNoisy(async () => {
    const candidates = [...CANDIDATES, 'nothing'] as const
    const timings = await measure(service, endpoint, blocks, candidates)
    const [ours, baseline, again, driver] = timings as [Timing, Timing, Timing, Timing]
    return {
      ours: ours.ms,
      baseline: baseline.ms,
      driver: driver.ms,
      ratio: ours.ms / baseline.ms,
      control: again.ms / baseline.ms,
      queries: { ours: ours.queries, baseline: baseline.queries },
    }
  })

const measureGrowth = async (service: Miniflare, endpoint: Endpoint): Promise<Growth> => {
  log(`${endpoint.name}: at ${Object.values(SIZES).join(', ')} rows`)
  const { name, growth: limit } = endpoint
  const measured = await repeatWhileNoisy(async () => {
    const timings = await measure(service, endpoint, GROWING, ['ours'], Object.keys(SIZES))
    const [first = Number.NaN, again = Number.NaN, ...rest] = timings.map(({ ms }) => ms)
    return { ms: [first, ...rest], control: again / first }
  })
  const { ms } = measured
  return { endpoint: name, limit, grownBy: (ms.at(-1) ?? Number.NaN) / (ms[0] ?? 0), ...measured }
}

const measureAll = async (
  service: Miniflare,
): Promise<Pick<Report, 'steady' | 'growth' | 'files'>> => {
  log('Warming up')
  // Without a warm-up, the first candidate would be measured before its code is compiled.
  for (const endpoint of ENDPOINTS) {
    await measure(service, endpoint, WARMING, endpoint.compared ? CANDIDATES : ['ours'])
  }
  const report: Pick<Report, 'steady' | 'growth' | 'files'> = { steady: [], growth: [], files: [] }
  for (const endpoint of ENDPOINTS) {
    const { name, compared } = endpoint
    if (!compared) continue
    log(`${name}: compared with the baseline`)
    const onD1 = await compare(service, endpoint, REAL)
    const ownWork = await compare(service, endpoint, STUBBED)
    report.steady.push({ endpoint: name, compared, onD1, ownWork })
  }
  for (const endpoint of ENDPOINTS) report.growth.push(await measureGrowth(service, endpoint))
  for (const file of FILES) {
    log(`${file.name}: ${MONTH.people} people`)
    const [{ ms = Number.NaN } = {}] = await measure(
      service,
      file,
      WHOLE_FILES,
      ['ours'],
      [MONTH.name],
    )
    report.files.push({ endpoint: file.name, ms, ofExport: ms / (report.files[0]?.ms ?? ms) })
  }
  return report
}

/** Fails if the baseline breaks the contract, since the comparison would not be fair then. */
const testBaseline = (): void => {
  log('Testing the baseline')
  const args = ['run', '--project', 'baseline', '--silent']
  const { status, stdout, stderr } = spawnSync('vitest', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The baseline breaks the contract:\n${stdout}${stderr}`)
}

const run = async ({ json, write }: { json?: string; write?: true }): Promise<void> => {
  const start = performance.now()
  // Written first, so that a wrong path fails now and not after minutes.
  if (json) writeFileSync(json, '')
  testBaseline()
  const service = await startTogether([COMPARED_DATABASE, ...Object.keys(SIZES), MONTH.name])
  log(`Filling databases of ${Object.values(SIZES).join(', ')} logs, clients and users`)
  for (const [name, size] of Object.entries({ [COMPARED_DATABASE]: SMALLEST, ...SIZES })) {
    await populate(await databaseOf(service, name), 0, size)
  }
  await populateMonth(await databaseOf(service, MONTH.name), MONTH.people)
  const measured = await measureAll(service)
  await service.dispose()

  const cores = cpus()
  const report: Report = {
    date: new Date().toISOString().slice(0, 10),
    machine: {
      cpu: cores[0]?.model ?? '',
      cores: cores.length,
      node: process.version,
      miniflare: miniflare.version,
    },
    seconds: Math.round((performance.now() - start) / 1000),
    sizes: Object.values(SIZES).slice(1),
    ...measured,
  }
  const sections = sectionsOf(report)
  console.log(Object.values(sections).join('\n\n'))
  if (json) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`)
  const failures = failuresOf(report)
  if (write && failures.length === 0) {
    writeFileSync(DOCUMENT_FILE, withSections(readFileSync(DOCUMENT_FILE, 'utf8'), sections))
  }
  for (const line of [...remarksOf(report), ...failures]) log(line)
  if (failures.length > 0) process.exitCode = 1
}

await new Command('npm run bench --')
  .description(
    'Compare the speed of the service with a hand-written baseline, on the simulated D1.',
  )
  .option('--json <file>', 'write every figure to a file')
  .option('--write', `replace the figures of ${DOCUMENT_FILE}`)
  .action(run)
  .parseAsync()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  })
