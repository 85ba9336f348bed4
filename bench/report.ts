import type { Asked } from '../test/support/record-queries.ts'
import type { Http } from './http.ts'

/** Milliseconds a request, and their ratios; the control is the floor beside its own copy. */
export interface Comparison {
  ours: number
  floor: number
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
  asked: Record<'ours' | 'floor', Asked>
}

export interface Growth {
  endpoint: string
  limit: number
  sizes: number[]
  ms: number[]
}

export interface Report {
  machine: { cpu: string; cores: number; node: string; miniflare: string }
  seconds: number
  steady: Steady[]
  growth: Growth[]
  http: Http[]
}

/** Two copies of one bundle that differ by more say that the machine was too noisy to tell. */
const NOISE_MAX = 0.05

export const isNoisy = ({ control }: Comparison): boolean => !(Math.abs(control - 1) <= NOISE_MAX)

export const ratio = (value: number): string => value.toFixed(2)
const micros = (ms: number): string => (ms * 1000).toFixed(0)
const orDash = (text: string): string => text.replace('NaN', '–')

/** A table in Markdown, as docs/performance.md has it. */
const table = (head: string[], rows: string[][]): void => {
  const all = [head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...rows]
  console.log(`\n${all.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`)
}

export const print = ({ machine, seconds, steady, growth, http }: Report): void => {
  const { cpu, cores, node, miniflare } = machine
  console.log(`${cpu}, ${cores} cores, Node ${node}, Miniflare ${miniflare}; ${seconds} s`)
  table(
    ['on the simulated D1', 'ours µs', 'floor µs', 'ours/floor', 'goal', 'A/A'],
    steady.map(({ endpoint, goal, onD1 }) => [
      endpoint,
      micros(onD1.ours),
      micros(onD1.floor),
      ratio(onD1.ratio),
      `≤ ${ratio(goal)}`,
      ratio(onD1.control),
    ]),
  )
  table(
    ['our own work (D1 stubbed)', 'ours µs', 'floor µs', 'ours/floor', 'A/A'],
    steady.map(({ endpoint, ownWork }) => [
      endpoint,
      micros(ownWork.ours),
      micros(ownWork.floor),
      ratio(ownWork.ratio),
      ratio(ownWork.control),
    ]),
  )
  table(
    ['asked of D1 (ours / floor)', 'calls', 'depth', 'rows read', 'rows written'],
    steady.map(({ endpoint, asked: { ours, floor } }) => [
      endpoint,
      `${ours.calls} / ${floor.calls}`,
      `${ours.depth} / ${floor.depth}`,
      `${ours.rowsRead} / ${floor.rowsRead}`,
      `${ours.rowsWritten} / ${floor.rowsWritten}`,
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
    ['over HTTP', 'ours req/s', 'floor req/s', 'A/A', 'ours CPU ms', 'floor CPU ms', 'A/A'],
    http.map(({ endpoint, ours, floor, again }) => [
      endpoint,
      ours.requestsPerSecond.toFixed(0),
      floor.requestsPerSecond.toFixed(0),
      ratio(again.requestsPerSecond / floor.requestsPerSecond),
      orDash(ratio(ours.cpuPerRequest)),
      orDash(ratio(floor.cpuPerRequest)),
      orDash(ratio(again.cpuPerRequest / floor.cpuPerRequest)),
    ]),
  )
  console.log()
}

const grownBy = (ms: number[]): number => (ms.at(-1) ?? Number.NaN) / (ms[0] ?? Number.NaN)

const noisy = (what: string, { control, tries }: Comparison): string =>
  `${what}: too noisy to tell, the control is ${ratio(control)} after ${tries} tries`

/** What is over its gate, or was too noisy to be judged by it. A figure that is none is over it. */
export const faultsOf = ({ steady, growth }: Report): string[] => [
  ...steady.flatMap(({ endpoint, gate, onD1 }) => {
    if (isNoisy(onD1)) return [noisy(endpoint, onD1)]
    if (onD1.ratio <= gate) return []
    return [`${endpoint}: ${ratio(onD1.ratio)} of the floor, over the gate of ${ratio(gate)}`]
  }),
  ...growth.flatMap(({ endpoint, limit, ms }) =>
    grownBy(ms) <= limit
      ? []
      : [`${endpoint}: ${ratio(grownBy(ms))} times as slow at a million rows as at a hundred`],
  ),
]

/** What is within its gate and short of its goal, or bears no gate and was noisy. */
export const remarksOf = ({ steady }: Report): string[] =>
  steady.flatMap(({ endpoint, goal, gate, onD1, ownWork }) => [
    ...(onD1.ratio > goal && onD1.ratio <= gate
      ? [`${endpoint}: ${ratio(onD1.ratio)} of the floor misses the goal of ${ratio(goal)}`]
      : []),
    ...(isNoisy(ownWork) ? [noisy(`${endpoint}, our own work`, ownWork)] : []),
  ])
