import type { QueryFigures } from '../test/support/record-queries.ts'

/** Milliseconds per request, and ratios; the control compares two copies of the baseline. */
export interface Comparison {
  ours: number
  baseline: number
  ratio: number
  control: number
  tries: number
}

/** Of the milliseconds of our own work, those that the driver takes for any service. */
export interface OwnWork extends Comparison {
  driver: number
}

export interface Steady {
  endpoint: string
  goal: number
  gate: number
  ownGoal: number
  onD1: Comparison
  ownWork: OwnWork
  queries: Record<'ours' | 'baseline', QueryFigures>
}

export interface Growth {
  endpoint: string
  limit: number
  sizes: number[]
  ms: number[]
  /** Compares two databases of the smallest size. */
  control: number
  tries: number
}

/** Milliseconds of a whole file. */
export interface FileTime {
  endpoint: string
  ms: number
}

export interface Report {
  /** The day of the run. */
  date: string
  machine: { cpu: string; cores: number; node: string; miniflare: string }
  seconds: number
  steady: Steady[]
  growth: Growth[]
  /** The export and the hours of the same logs. */
  files: FileTime[]
}

/** When two copies of one bundle, or of one database, differ by more, the machine was too noisy to compare. */
const NOISE_MAX = 0.03

export const isNoisy = ({ control }: { control: number }): boolean =>
  !(Math.abs(control - 1) <= NOISE_MAX)

export const ratio = (value: number): string => value.toFixed(2)
const micros = (ms: number): string => (ms * 1000).toFixed(0)

const table = (head: string[], rows: string[][]): string => {
  const all = [head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...rows]
  return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const machineOf = ({ date, machine, seconds }: Report): string => {
  const { cpu, cores, node, miniflare } = machine
  return `**Measured** on ${date} in ${seconds} s: ${cpu}, ${cores} cores,
Node ${node}, Miniflare ${miniflare}. Microseconds per request.`
}

/** The figures of a run in Markdown, by the name of their markers in docs/performance.md. */
export const sectionsOf = (report: Report): Record<string, string> => {
  const { steady, growth, files } = report
  return {
    machine: machineOf(report),
    'on D1': table(
      ['on the simulated D1', 'ours µs', 'baseline µs', 'ours/baseline', 'goal', 'A/A'],
      steady.map(({ endpoint, goal, onD1 }) => [
        endpoint,
        micros(onD1.ours),
        micros(onD1.baseline),
        ratio(onD1.ratio),
        `≤ ${ratio(goal)}`,
        ratio(onD1.control),
      ]),
    ),
    'own work': table(
      [
        'our own work (D1 stubbed)',
        'ours µs',
        'baseline µs',
        'driver µs',
        'ours/baseline',
        'goal',
        'A/A',
      ],
      steady.map(({ endpoint, ownGoal, ownWork }) => [
        endpoint,
        micros(ownWork.ours),
        micros(ownWork.baseline),
        micros(ownWork.driver),
        ratio(ownWork.ratio),
        `≤ ${ratio(ownGoal)}`,
        ratio(ownWork.control),
      ]),
    ),
    queries: table(
      ['D1 queries (ours / baseline)', 'calls', 'depth', 'rows read', 'rows written'],
      steady.map(({ endpoint, queries: { ours, baseline } }) => [
        endpoint,
        `${ours.calls} / ${baseline.calls}`,
        `${ours.depth} / ${baseline.depth}`,
        `${ours.rowsRead} / ${baseline.rowsRead}`,
        `${ours.rowsWritten} / ${baseline.rowsWritten}`,
      ]),
    ),
    growth: table(
      [
        'growth',
        ...(growth[0]?.sizes.map((n) => `${n} rows, µs`) ?? []),
        'largest/smallest',
        'at most',
        'A/A',
      ],
      growth.map(({ endpoint, limit, ms, control }) => [
        endpoint,
        ...ms.map(micros),
        ratio(grownBy(ms)),
        ratio(limit),
        ratio(control),
      ]),
    ),
    files: table(
      ['file of 92,000 logs', 'ms', 'of the export', 'at most'],
      files.map(({ endpoint, ms }, i) => [
        endpoint,
        ms.toFixed(0),
        ratio(ofExport(files, ms)),
        i === 0 ? '' : ratio(HOURS_MAX),
      ]),
    ),
  }
}

/** A document with the text between the markers of each section replaced. */
export const withSections = (document: string, sections: Record<string, string>): string => {
  let text = document
  for (const [name, section] of Object.entries(sections)) {
    const [open, close] = [`<!-- bench: ${name} -->`, `<!-- /bench: ${name} -->`]
    const [start, end] = [text.indexOf(open), text.indexOf(close)]
    if (start < 0 || end < start) throw new Error(`The document has no ${open} … ${close}.`)
    text = `${text.slice(0, start + open.length)}\n\n${section}\n\n${text.slice(end)}`
  }
  return text
}

/** How much longer than the export of the same logs the hours may take. */
const HOURS_MAX = 2

const ofExport = (files: FileTime[], ms: number): number => ms / (files[0]?.ms ?? Number.NaN)

const grownBy = (ms: number[]): number => (ms.at(-1) ?? Number.NaN) / (ms[0] ?? Number.NaN)

const noisy = (what: string, { control, tries }: { control: number; tries: number }): string =>
  `${what}: too noisy to compare: the control is ${ratio(control)} after ${tries} tries`

/** Figures over their gate, or too noisy to compare; a NaN counts as over. */
export const failuresOf = ({ steady, growth, files }: Report): string[] => [
  ...files.flatMap(({ endpoint, ms }) =>
    ofExport(files, ms) <= HOURS_MAX
      ? []
      : [`${endpoint}: ${ratio(ofExport(files, ms))} of the export, over ${ratio(HOURS_MAX)}`],
  ),
  ...steady.flatMap(({ endpoint, gate, onD1 }) => {
    if (isNoisy(onD1)) return [noisy(endpoint, onD1)]
    if (onD1.ratio <= gate) return []
    return [`${endpoint}: ${ratio(onD1.ratio)} of the baseline, over the gate of ${ratio(gate)}`]
  }),
  ...growth.flatMap((one) => {
    const { endpoint, limit, ms } = one
    if (isNoisy(one)) return [noisy(`${endpoint}, growth`, one)]
    if (grownBy(ms) <= limit) return []
    return [`${endpoint}: ${ratio(grownBy(ms))} times as slow at a million rows as at a hundred`]
  }),
]

/** Figures that pass their gate but miss their goal, and noisy ones without a gate. */
export const remarksOf = ({ steady }: Report): string[] =>
  steady.flatMap(({ endpoint, goal, gate, ownGoal, onD1, ownWork }) => [
    ...(onD1.ratio > goal && onD1.ratio <= gate
      ? [`${endpoint}: ${ratio(onD1.ratio)} of the baseline misses the goal of ${ratio(goal)}`]
      : []),
    ...(ownWork.ratio > ownGoal
      ? [`${endpoint}, our own work: ${ratio(ownWork.ratio)} misses the goal of ${ratio(ownGoal)}`]
      : []),
    ...(isNoisy(ownWork) ? [noisy(`${endpoint}, our own work`, ownWork)] : []),
  ])
