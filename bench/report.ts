import type { QueryFigures } from '../test/support/record-queries.ts'

/** Two measurements, in milliseconds per request. Both include the time of the driver itself. */
export interface Comparison {
  ms: number
  base: number
  ratio: number
  /** The ratio of a second measurement of the base to the first one. Without noise, it is 1. */
  control: number
  queries: QueryFigures
  baseQueries: QueryFigures
}

interface Figure extends Comparison {
  endpoint: string
  limit: number
}

export interface Report {
  /** The service compared with the baseline. `ownWork` is the same comparison with a stubbed D1. */
  steady: (Figure & { ownWork: Comparison; ownWorkLimit: number })[]
  /** The service with a million rows compared with the service with a hundred rows. */
  growth: Figure[]
  /** The first requests of new isolates. */
  first: (Figure & { basis: string })[]
  /** Other figures. `basis` is what the service is compared with. */
  more: (Figure & { basis: string })[]
}

/** If a control differs from 1 by more than this, the measurement was too noisy. */
const NOISE_MAX = 0.03

export const isNoisy = ({ control }: Comparison): boolean => !(Math.abs(control - 1) <= NOISE_MAX)

export const asRatio = (value: number): string => value.toFixed(2)
const asMicros = (ms: number): string => (ms * 1000).toFixed(0)

const table = (head: string, rows: string[][]): string => {
  const columns = head.split(' | ')
  const all = [columns, columns.map((_, i) => (i === 0 ? '---' : '---:')), ...rows]
  return all.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Returns the figures as Markdown tables, by the name of the marker in docs/performance.md. */
export const sectionsOf = ({ first, steady, growth, more }: Report): Record<string, string> => ({
  baseline: table(
    'on the simulated D1 | ours µs | baseline µs | ratio | at most | A/A | own work | at most',
    steady.map(({ endpoint, limit, ms, base, ratio, control, ownWork, ownWorkLimit }) => [
      endpoint,
      ...[ms, base].map(asMicros),
      ...[ratio, limit, control, ownWork.ratio, ownWorkLimit].map(asRatio),
    ]),
  ),
  more: table(
    'more | ms | compared with | ms | ratio | at most | A/A',
    more.map(({ endpoint, basis, limit, ms, base, ratio, control }) => [
      endpoint,
      ms.toFixed(1),
      basis,
      base.toFixed(1),
      ...[ratio, limit, control].map(asRatio),
    ]),
  ),
  first: table(
    'first request | ms | compared with | ms | ratio | at most | A/A',
    first.map(({ endpoint, basis, limit, ms, base, ratio, control }) => [
      endpoint,
      ms.toFixed(1),
      basis,
      base.toFixed(1),
      ...[ratio, limit, control].map(asRatio),
    ]),
  ),
  queries: table(
    'D1 queries (ours / baseline) | round trips | rows read | rows written',
    steady.map(({ endpoint, queries, baseQueries }) => {
      const names = ['calls', 'rowsRead', 'rowsWritten'] as const
      return [endpoint, ...names.map((n) => `${queries[n]} / ${baseQueries[n]}`)]
    }),
  ),
  growth: table(
    'growth | 100 rows, µs | a million, µs | ratio | at most | A/A',
    growth.map(({ endpoint, limit, ms, base, ratio, control }) => [
      endpoint,
      ...[base, ms].map(asMicros),
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
export const failuresOf = ({ first, steady, growth, more }: Report): string[] => {
  const grown = growth.map((figure) => ({ ...figure, endpoint: `${figure.endpoint}, growth` }))
  const ownWork = steady.map(({ endpoint, ownWork, ownWorkLimit: limit }) => {
    return { ...ownWork, limit, endpoint: `${endpoint}, own work` }
  })
  const firsts = first.map((figure) => ({ ...figure, endpoint: `${figure.endpoint}, first` }))
  return [...firsts, ...steady, ...ownWork, ...grown, ...more].flatMap((figure) => {
    const { endpoint, ratio, limit, control } = figure
    // New isolates differ by more than NOISE_MAX, and their limits are wide.
    if (!firsts.includes(figure as (typeof firsts)[number]) && isNoisy(figure))
      return `${endpoint}: too noisy, the control is ${asRatio(control)}`
    return ratio <= limit ? [] : `${endpoint}: a ratio of ${asRatio(ratio)}, over ${asRatio(limit)}`
  })
}
