import type { QueryFigures } from '../test/support/record-queries.ts'

/** The ratio of two measurements of the same thing, which should be 1. It shows the noise. */
interface Control {
  control: number
}

/** Milliseconds per request. Each service's time includes that of the driver. */
export interface Comparison extends Control {
  ours: number
  baseline: number
  ratio: number
  queries: Record<'ours' | 'baseline', QueryFigures>
}

interface Steady {
  endpoint: string
  /** The largest allowed ratio on D1. */
  limit: number
  onD1: Comparison
  /** Measured with a stubbed D1. */
  ownWork: Comparison
}

/** Milliseconds per request at the smallest and at the largest size. */
export interface Growth extends Control {
  endpoint: string
  /** The largest allowed ratio. */
  limit: number
  small: number
  large: number
  ratio: number
}

export interface Report {
  steady: Steady[]
  growth: Growth[]
}

/** If a control differs from 1 by more than this, the machine was too noisy to compare. */
const NOISE_MAX = 0.03

export const isNoisy = ({ control }: Control): boolean => !(Math.abs(control - 1) <= NOISE_MAX)

export const asRatio = (value: number): string => value.toFixed(2)
const asMicros = (ms: number): string => (ms * 1000).toFixed(0)

const table = (head: string, rows: string[][]): string => {
  const columns = head.split(' | ')
  const all = [columns, columns.map((_, i) => (i === 0 ? '---' : '---:')), ...rows]
  return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Formats the figures as Markdown, by the names of the markers in docs/performance.md. */
export const sectionsOf = ({ steady, growth }: Report): Record<string, string> => ({
  baseline: table(
    'on the simulated D1 | ours µs | baseline µs | ratio | at most | A/A | own work',
    steady.map(({ endpoint, limit, onD1: { ours, baseline, ratio, control }, ownWork }) => [
      endpoint,
      ...[ours, baseline].map(asMicros),
      ...[ratio, limit, control, ownWork.ratio].map(asRatio),
    ]),
  ),
  queries: table(
    'D1 queries (ours / baseline) | round trips | rows read | rows written',
    steady.map(({ endpoint, onD1: { queries } }) => {
      const names = ['calls', 'rowsRead', 'rowsWritten'] as const
      return [endpoint, ...names.map((n) => `${queries.ours[n]} / ${queries.baseline[n]}`)]
    }),
  ),
  growth: table(
    'growth | 100 rows, µs | a million, µs | ratio | at most | A/A',
    growth.map(({ endpoint, limit, small, large, ratio, control }) => [
      endpoint,
      ...[small, large].map(asMicros),
      ...[ratio, limit, control].map(asRatio),
    ]),
  ),
})

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

/** Lists the figures that exceed their limit or are too noisy. NaN counts as exceeding. */
export const failuresOf = ({ steady, growth }: Report): string[] => {
  const figures = [
    ...steady.map(({ endpoint: name, limit, onD1 }) => ({ name, limit, ...onD1 })),
    ...growth.map((figure) => ({ name: `${figure.endpoint}, growth`, ...figure })),
  ]
  return figures.flatMap(({ name, ratio, limit, control }) => {
    if (isNoisy({ control })) return `${name}: too noisy, the control is ${asRatio(control)}`
    return ratio <= limit ? [] : `${name}: a ratio of ${asRatio(ratio)}, over ${asRatio(limit)}`
  })
}
