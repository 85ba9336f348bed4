import type { QueryFigures } from '../test/support/record-queries.ts'
import type { Endpoint } from './endpoints.ts'

/** The ratio of two measurements of the same thing, which should be 1. It shows the noise. */
export interface Control {
  control: number
  /** The number of measurements. */
  tries: number
}

/** Milliseconds per request. Each service's time includes that of the driver. */
export interface Comparison extends Control {
  ours: number
  baseline: number
  driver: number
  ratio: number
  queries: Record<'ours' | 'baseline', QueryFigures>
}

export interface Steady {
  endpoint: string
  compared: NonNullable<Endpoint['compared']>
  onD1: Comparison
  /** Measured with a stubbed D1. */
  ownWork: Comparison
}

export interface Growth extends Control {
  endpoint: string
  /** The largest allowed ratio of the time at the largest size to that at the smallest size. */
  limit: number
  ms: number[]
  grownBy: number
}

/** The milliseconds to download a file, and their ratio to those of the export. */
export interface FileTime {
  endpoint: string
  ms: number
  ofExport: number
}

export interface Report {
  /** The day of the run. */
  date: string
  machine: { cpu: string; cores: number; node: string; miniflare: string }
  seconds: number
  sizes: number[]
  steady: Steady[]
  growth: Growth[]
  /** The export of the logs, then the hours of the same logs. */
  files: FileTime[]
}

/** The hours may take at most this many times as long as the export of the same logs. */
const HOURS_MAX = 2

/** If a control differs from 1 by more than this, the machine was too noisy to compare. */
const NOISE_MAX = 0.03

export const isNoisy = (control: number): boolean => !(Math.abs(control - 1) <= NOISE_MAX)

export const asRatio = (value: number): string => value.toFixed(2)
const asMicros = (ms: number): string => (ms * 1000).toFixed(0)

const table = (head: string, rows: string[][]): string => {
  const columns = head.split(' | ')
  const all = [columns, columns.map((_, i) => (i === 0 ? '---' : '---:')), ...rows]
  return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const ratiosOf = ({ ratio: value, control }: Comparison, goal: number): string[] => [
  asRatio(value),
  `≤ ${asRatio(goal)}`,
  asRatio(control),
]

/** Formats the figures as Markdown, by the names of the markers in docs/performance.md. */
export const sectionsOf = (report: Report): Record<string, string> => {
  const { date, machine, seconds, sizes, steady, growth, files } = report
  const rows = sizes.map((size) => `${size} rows, µs`).join(' | ')
  return {
    machine: `**Measured** on ${date} in ${seconds} s: ${machine.cpu}, ${machine.cores} cores,
Node ${machine.node}, Miniflare ${machine.miniflare}. Microseconds per request.`,
    'on D1': table(
      'on the simulated D1 | ours µs | baseline µs | ours/baseline | goal | A/A',
      steady.map(({ endpoint, compared: { goal }, onD1 }) => {
        const { ours, baseline } = onD1
        return [endpoint, asMicros(ours), asMicros(baseline), ...ratiosOf(onD1, goal)]
      }),
    ),
    'own work': table(
      'our own work (D1 stubbed) | ours µs | baseline µs | driver µs | ours/baseline | goal | A/A',
      steady.map(({ endpoint, compared: { ownGoal }, ownWork }) => {
        const { ours, baseline, driver } = ownWork
        return [endpoint, ...[ours, baseline, driver].map(asMicros), ...ratiosOf(ownWork, ownGoal)]
      }),
    ),
    queries: table(
      'D1 queries (ours / baseline) | calls | depth | rows read | rows written',
      steady.map(({ endpoint, onD1: { queries } }) => {
        const names = ['calls', 'depth', 'rowsRead', 'rowsWritten'] as const
        return [endpoint, ...names.map((n) => `${queries.ours[n]} / ${queries.baseline[n]}`)]
      }),
    ),
    growth: table(
      `growth | ${rows} | largest/smallest | at most | A/A`,
      growth.map(({ endpoint, limit, ms, grownBy, control }) => {
        return [endpoint, ...ms.map(asMicros), ...[grownBy, limit, control].map(asRatio)]
      }),
    ),
    files: table(
      'file of 92,000 logs | ms | of the export | at most',
      files.map(({ endpoint, ms, ofExport }, i) => {
        return [endpoint, ms.toFixed(0), asRatio(ofExport), i === 0 ? '' : asRatio(HOURS_MAX)]
      }),
    ),
  }
}

/** Replaces the text between the markers of each section, and returns the document. */
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

const noisy = (name: string, { control, tries }: Control): string =>
  `${name}: too noisy to compare: the control is ${asRatio(control)} after ${tries} tries`

const missed = (figure: string, goal: number): string =>
  `${figure} misses the goal of ${asRatio(goal)}`

/** Lists the figures that exceed their gate or are too noisy. NaN counts as exceeding. */
export const failuresOf = ({ steady, growth, files }: Report): string[] => [
  ...files.flatMap(({ endpoint, ofExport }) =>
    ofExport <= HOURS_MAX
      ? []
      : `${endpoint}: ${asRatio(ofExport)} of the export, over ${asRatio(HOURS_MAX)}`,
  ),
  ...steady.flatMap(({ endpoint, compared: { gate }, onD1 }) => {
    if (isNoisy(onD1.control)) return noisy(endpoint, onD1)
    if (onD1.ratio <= gate) return []
    return `${endpoint}: ${asRatio(onD1.ratio)} of the baseline, over the gate of ${asRatio(gate)}`
  }),
  ...growth.flatMap((one) => {
    const { endpoint, limit, grownBy, control } = one
    if (isNoisy(control)) return noisy(`${endpoint}, growth`, one)
    if (grownBy <= limit) return []
    return `${endpoint}: ${asRatio(grownBy)} times as slow at a million rows as at a hundred`
  }),
]

/** Lists figures that pass their gate but miss their goal, and noisy figures without a gate. */
export const remarksOf = ({ steady }: Report): string[] =>
  steady.flatMap(({ endpoint, compared: { goal, gate, ownGoal }, onD1, ownWork }) => [
    ...(onD1.ratio > goal && onD1.ratio <= gate
      ? [missed(`${endpoint}: ${asRatio(onD1.ratio)} of the baseline`, goal)]
      : []),
    ...(ownWork.ratio > ownGoal
      ? [missed(`${endpoint}, our own work: ${asRatio(ownWork.ratio)}`, ownGoal)]
      : []),
    ...(isNoisy(ownWork.control) ? [noisy(`${endpoint}, our own work`, ownWork)] : []),
  ])
