/** `npm run bench [-- --json FILE] [--write]`: the service's speed, compared with a hand-written baseline. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import type { Miniflare } from 'miniflare'
import miniflare from 'miniflare/package.json' with { type: 'json' }
import { populate, populateMonth, SMALLEST } from '../test/support/populate.ts'
import type { QueryFigures } from '../test/support/record-queries.ts'
import type { Candidate, Timing, Work } from './driver.ts'
import { ENDPOINTS, type Endpoint, FILES } from './endpoints.ts'
import {
  type FileTime,
  failuresOf,
  type Growth,
  isNoisy,
  type OwnWork,
  type Report,
  ratio,
  remarksOf,
  type Steady,
  sectionsOf,
  withSections,
} from './report.ts'
import { bundleAll, databaseOf, startTogether } from './workers.ts'

const ALL_CANDIDATES: Candidate[] = ['ours', 'baseline', 'baseline again']

/** The document that has the figures of a run. */
const DOCUMENT = 'docs/performance.md'

/** The database of the comparisons with the baseline, and of the warm-up. */
const COMPARED = 'DB'

/**
 * How many logs, clients and users each database has when its growth is measured; the first two are
 * each other's control.
 */
const SIZES = { SMALL: SMALLEST, SMALL_AGAIN: SMALLEST, MIDDLE: 10_000, LARGE: 1_000_000 }

const TRIES = 4

const REAL = { count: 8, rounds: 250, stubbed: false }
const STUBBED = { count: 300, rounds: 40, stubbed: true }
const GROWING = { count: 8, rounds: 110, stubbed: false }
const WHOLE_FILES = { count: 1, rounds: 5, stubbed: false }
const WARMING = { count: 8, rounds: 25, stubbed: false }

const log = (text: string) => console.error(text)

/** Blocks of heavy requests have fewer of them. */
const weighed = <Blocks extends { count: number }>(blocks: Blocks, { weight = 1 }: Endpoint) => ({
  ...blocks,
  count: Math.max(1, Math.round(blocks.count / weight)),
})

const dispatch = async <Result>(service: Miniflare, path: string, work: Work): Promise<Result> => {
  const init = { method: 'POST', body: JSON.stringify(work) }
  const response = await service.dispatchFetch(`http://driver${path}`, init)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Result
}

const timeOf = (timings: Timing[], candidate: Candidate): number =>
  timings.find((timing) => timing.candidate === candidate)?.ms ?? Number.NaN

/** Measures again while the control is too noisy. */
const repeatWhileNoisy = async <Result extends { control: number }>(
  measure: () => Promise<Result>,
): Promise<Result & { tries: number }> => {
  for (let tries = 1; ; tries++) {
    const result = await measure()
    if (!isNoisy(result) || tries === TRIES) return { ...result, tries }
    log(`  noisy: of two alike, one took ${ratio(result.control)} of the other; once more`)
  }
}

/** Runs the same blocks for all candidates. */
const compare = (service: Miniflare, work: Work): Promise<OwnWork> =>
  repeatWhileNoisy(async () => {
    const timings = await dispatch<Timing[]>(service, '/measure', work)
    const [ours, baseline, again, driver] = [
      timeOf(timings, 'ours'),
      timeOf(timings, 'baseline'),
      timeOf(timings, 'baseline again'),
      timeOf(timings, 'nothing'),
    ]
    return { ours, baseline, driver, ratio: ours / baseline, control: again / baseline }
  })

const measureSteady = async (service: Miniflare, endpoint: Endpoint): Promise<Steady> => {
  log(`${endpoint.name}: compared with the baseline`)
  const work = { endpoint: endpoint.name, candidates: ALL_CANDIDATES, databases: [COMPARED] }
  const counted = await dispatch<Record<Candidate, QueryFigures>>(service, '/count', {
    ...work,
    ...REAL,
  })
  return {
    endpoint: endpoint.name,
    goal: endpoint.goal,
    gate: endpoint.gate,
    ownGoal: endpoint.ownGoal,
    onD1: await compare(service, { ...work, ...weighed(REAL, endpoint) }),
    ownWork: await compare(service, {
      ...work,
      candidates: [...ALL_CANDIDATES, 'nothing'],
      ...weighed(STUBBED, endpoint),
    }),
    queries: { ours: counted.ours, baseline: counted.baseline },
  }
}

const measureGrowth = async (service: Miniflare, endpoint: Endpoint): Promise<Growth> => {
  log(`${endpoint.name}: at ${Object.values(SIZES).join(', ')} rows`)
  const databases = Object.keys(SIZES)
  const work = { endpoint: endpoint.name, candidates: ['ours' as const], databases }
  const [smallest, , ...larger] = Object.values(SIZES)
  const measured = await repeatWhileNoisy(async () => {
    const timings = await dispatch<Timing[]>(service, '/measure', {
      ...work,
      ...weighed(GROWING, endpoint),
    })
    const [first = Number.NaN, again = Number.NaN, ...rest] = databases.map(
      (name) => timings.find((timing) => timing.database === name)?.ms ?? Number.NaN,
    )
    return { ms: [first, ...rest], control: again / first }
  })
  const sizes = [smallest as number, ...larger]
  return { endpoint: endpoint.name, limit: endpoint.growth, sizes, ...measured }
}

/** What adds logs is measured last, so that each size is what it says. */
const addsLogs = ({ path }: Endpoint): boolean => path === '/v2/incidents/logs'

const BY_GROWTH = [...ENDPOINTS].sort((a, b) => Number(addsLogs(a)) - Number(addsLogs(b)))

/** The database of the files: 1,000 people with four logs on each working day of a month. */
const MONTH = { name: 'MONTH', people: 1_000 }

const measureFile = async (service: Miniflare, { name }: Endpoint): Promise<FileTime> => {
  log(`${name}: ${MONTH.people} people`)
  const work = { endpoint: name, candidates: ['ours' as const], databases: [MONTH.name] }
  const timings = await dispatch<Timing[]>(service, '/measure', { ...work, ...WHOLE_FILES })
  return { endpoint: name, ms: timeOf(timings, 'ours') }
}

/** Without it, the first candidate would be measured before its code is compiled. */
const warmUp = async (service: Miniflare): Promise<void> => {
  log('Warming up')
  for (const endpoint of ENDPOINTS) {
    const { name, baseline } = endpoint
    const candidates = baseline ? ALL_CANDIDATES : ALL_CANDIDATES.slice(0, 1)
    await dispatch(service, '/measure', {
      endpoint: name,
      candidates,
      databases: [COMPARED],
      ...weighed(WARMING, endpoint),
    })
  }
}

/** The comparison is fair only while the baseline keeps the contract. */
const testBaseline = (): void => {
  log('Testing the baseline')
  const args = ['run', '--project', 'baseline', '--silent']
  const { status, stdout, stderr } = spawnSync('vitest', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The baseline breaks the contract:\n${stdout}${stderr}`)
}

interface Options {
  json?: string
  write?: true
}

const run = async ({ json, write }: Options): Promise<void> => {
  const start = performance.now()
  // Fails now, not after minutes, if the file cannot be written.
  if (json) writeFileSync(json, '')
  testBaseline()
  const folder = mkdtempSync(join(tmpdir(), 'checada-bench-'))
  const bundles = bundleAll(folder)
  rmSync(folder, { recursive: true })

  const service = startTogether(bundles, [COMPARED, ...Object.keys(SIZES), MONTH.name])
  log(`Filling databases of ${Object.values(SIZES).join(', ')} logs, clients and users`)
  for (const [name, size] of Object.entries({ [COMPARED]: SMALLEST, ...SIZES })) {
    await populate(await databaseOf(service, name), 0, size)
  }
  await populateMonth(await databaseOf(service, MONTH.name), MONTH.people)
  await warmUp(service)
  const steady: Steady[] = []
  const growth: Growth[] = []
  for (const endpoint of ENDPOINTS.filter((one) => one.baseline)) {
    steady.push(await measureSteady(service, endpoint))
  }
  for (const endpoint of BY_GROWTH) growth.push(await measureGrowth(service, endpoint))
  const files: FileTime[] = []
  for (const file of FILES) files.push(await measureFile(service, file))
  await service.dispose()

  const cores = cpus()
  const machine = {
    cpu: cores[0]?.model ?? '',
    cores: cores.length,
    node: process.version,
    miniflare: miniflare.version,
  }
  const seconds = Math.round((performance.now() - start) / 1000)
  const date = new Date().toISOString().slice(0, 10)
  const report: Report = { date, machine, seconds, steady, growth, files }
  const sections = sectionsOf(report)
  console.log(Object.values(sections).join('\n\n'))
  if (json) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`)
  for (const remark of remarksOf(report)) log(remark)
  const failures = failuresOf(report)
  if (write && failures.length === 0) {
    writeFileSync(DOCUMENT, withSections(readFileSync(DOCUMENT, 'utf8'), sections))
  }
  for (const failure of failures) log(failure)
  if (failures.length > 0) process.exitCode = 1
}

await new Command('npm run bench --')
  .description(
    'Compare the speed of the service with a hand-written baseline, on the simulated D1.',
  )
  .option('--json <file>', 'write every figure to a file')
  .option('--write', `replace the figures of ${DOCUMENT}`)
  .action(run)
  .parseAsync()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  })
