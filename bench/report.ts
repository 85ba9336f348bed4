import type { Http } from './http.ts'
import type { Seen } from './watch.ts'

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
  asked: Record<'ours' | 'floor', Omit<Seen, 'results'>>
}

export interface Growth {
  endpoint: string
  limit: number
  sizes: number[]
  ms: number[]
}

export interface Report {
  machine: { node: string; cpu: string; cores: number }
  seconds: number
  steady: Steady[]
  growth: Growth[]
  http: Http[]
}

/** Two copies of one bundle that differ by more say that the machine was too noisy to tell. */
const NOISE_MAX = 0.05

export const isNoisy = ({ control }: Comparison): boolean => Math.abs(control - 1) > NOISE_MAX

export const ratio = (value: number): string => value.toFixed(2)
const micros = (ms: number): string => (ms * 1000).toFixed(0)
const orDash = (text: string): string => text.replace('NaN', '–')

/** A table in Markdown, as docs/performance.md has it. */
const table = (head: string[], rows: string[][]): void => {
  const all = [head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...rows]
  console.log(`\n${all.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`)
}

export const print = ({ machine, seconds, steady, growth, http }: Report): void => {
  console.log(`${machine.cpu}, ${machine.cores} cores, Node ${machine.node}; ${seconds} s`)
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
    ['growth', ...(first?.sizes.map((size) => `${size} rows, µs`) ?? []), 'largest/smallest'],
    growth.map(({ endpoint, ms }) => [endpoint, ...ms.map(micros), ratio(grownBy(ms))]),
  )
  table(
    ['over HTTP', 'ours req/s', 'floor req/s', 'ours CPU ms', 'floor CPU ms', 'A/A req/s'],
    http.map(({ endpoint, ours, floor, control }) => [
      endpoint,
      ours.requestsPerSecond.toFixed(0),
      floor.requestsPerSecond.toFixed(0),
      orDash(ratio(ours.cpuPerRequest)),
      orDash(ratio(floor.cpuPerRequest)),
      ratio(control),
    ]),
  )
  console.log()
}

const grownBy = (ms: number[]): number => (ms.at(-1) ?? Number.NaN) / (ms[0] ?? Number.NaN)

/** What is slower than its gate, and what was measured too noisily to tell. */
export const verdict = ({ steady, growth }: Report): string[] => [
  ...steady.flatMap(({ endpoint, gate, onD1 }) => {
    if (isNoisy(onD1)) {
      return [`${endpoint}: too noisy to tell, the control is ${ratio(onD1.control)}`]
    }
    return onD1.ratio > gate
      ? [`${endpoint}: ${ratio(onD1.ratio)} of the floor, over the gate of ${ratio(gate)}`]
      : []
  }),
  ...growth.flatMap(({ endpoint, limit, ms }) =>
    grownBy(ms) > limit
      ? [`${endpoint}: ${ratio(grownBy(ms))} times as slow at a million rows as at a hundred`]
      : [],
  ),
]
