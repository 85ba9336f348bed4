import type { QueryFigures } from '../test/support/record-queries.ts'

/** Milliseconds per request, and ratios; the control compares two copies of the baseline. */
export interface Comparison {
  ours: number
  baseline: number
  ratio: number
  control: number
  tries: number
}

export interface Steady {
  endpoint: string
  goal: number
  gate: number
  onD1: Comparison
  ownWork: Comparison
  queries: Record<'ours' | 'baseline', QueryFigures>
}

export interface Growth {
  endpoint: string
  limit: number
  sizes: number[]
  ms: number[]
}

/** Milliseconds of a whole file. */
export interface FileTime {
  endpoint: string
  ms: number
}

export interface Report {
  machine: { cpu: string; cores: number; node: string; miniflare: string }
  seconds: number
  steady: Steady[]
  growth: Growth[]
  /** The export and the hours of the same logs. */
  files: FileTime[]
}

/** When two copies of one bundle differ by more, the machine was too noisy to compare. */
const NOISE_MAX = 0.05

export const isNoisy = ({ control }: Comparison): boolean => !(Math.abs(control - 1) <= NOISE_MAX)

export const ratio = (value: number): string => value.toFixed(2)
const micros = (ms: number): string => (ms * 1000).toFixed(0)

/** A table in Markdown, as docs/performance.md has it. */
const table = (head: string[], rows: string[][]): void => {
  const all = [head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...rows]
  console.log(`\n${all.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`)
}

export const print = ({ machine, seconds, steady, growth, files }: Report): void => {
  const { cpu, cores, node, miniflare } = machine
  console.log(`${cpu}, ${cores} cores, Node ${node}, Miniflare ${miniflare}; ${seconds} s`)
  table(
    ['on the simulated D1', 'ours µs', 'baseline µs', 'ours/baseline', 'goal', 'A/A'],
    steady.map(({ endpoint, goal, onD1 }) => [
      endpoint,
      micros(onD1.ours),
      micros(onD1.baseline),
      ratio(onD1.ratio),
      `≤ ${ratio(goal)}`,
      ratio(onD1.control),
    ]),
  )
  table(
    ['our own work (D1 stubbed)', 'ours µs', 'baseline µs', 'ours/baseline', 'A/A'],
    steady.map(({ endpoint, ownWork }) => [
      endpoint,
      micros(ownWork.ours),
      micros(ownWork.baseline),
      ratio(ownWork.ratio),
      ratio(ownWork.control),
    ]),
  )
  table(
    ['D1 queries (ours / baseline)', 'calls', 'depth', 'rows read', 'rows written'],
    steady.map(({ endpoint, queries: { ours, baseline } }) => [
      endpoint,
      `${ours.calls} / ${baseline.calls}`,
      `${ours.depth} / ${baseline.depth}`,
      `${ours.rowsRead} / ${baseline.rowsRead}`,
      `${ours.rowsWritten} / ${baseline.rowsWritten}`,
    ]),
  )
  const [first] = growth
  table(
    ['growth', ...(first?.sizes.map((n) => `${n} rows, µs`) ?? []), 'largest/smallest', 'at most'],
    growth.map(({ endpoint, limit, ms }) => [
      endpoint,
      ...ms.map(micros),
      ratio(grownBy(ms)),
      ratio(limit),
    ]),
  )
  table(
    ['file of 92,000 logs', 'ms', 'of the export', 'at most'],
    files.map(({ endpoint, ms }, i) => [
      endpoint,
      ms.toFixed(0),
      ratio(ofExport(files, ms)),
      i === 0 ? '' : ratio(HOURS_MAX),
    ]),
  )
  console.log()
}

/** How much longer than the export of the same logs the hours may take. */
const HOURS_MAX = 2

const ofExport = (files: FileTime[], ms: number): number => ms / (files[0]?.ms ?? Number.NaN)

const grownBy = (ms: number[]): number => (ms.at(-1) ?? Number.NaN) / (ms[0] ?? Number.NaN)

const noisy = (what: string, { control, tries }: Comparison): string =>
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
  ...growth.flatMap(({ endpoint, limit, ms }) =>
    grownBy(ms) <= limit
      ? []
      : [`${endpoint}: ${ratio(grownBy(ms))} times as slow at a million rows as at a hundred`],
  ),
]

/** Figures that pass their gate but miss their goal, and noisy ones without a gate. */
export const remarksOf = ({ steady }: Report): string[] =>
  steady.flatMap(({ endpoint, goal, gate, onD1, ownWork }) => [
    ...(onD1.ratio > goal && onD1.ratio <= gate
      ? [`${endpoint}: ${ratio(onD1.ratio)} of the baseline misses the goal of ${ratio(goal)}`]
      : []),
    ...(isNoisy(ownWork) ? [noisy(`${endpoint}, our own work`, ownWork)] : []),
  ])
