import type { Span } from '../../sdk/api-types.ts'

/** A local time as milliseconds, to compare it with other local times. */
export const momentOf = (local: string): number => Date.parse(`${local}Z`)

/** A change of the clock has whole quarters of an hour. */
const QUARTER_S = 15 * 60

/**
 * By how many seconds the hours of a day differ from what its times show, because the clock or the
 * branch's zone was changed. 0 for other days, while a punch of the day is pending, and without spans.
 */
export const clockChangeSeconds = (
  spans: readonly Span[],
  worked_seconds: number | null,
): number => {
  const isKnown = spans.length > 0 && spans.every(({ pending }) => !pending)
  if (worked_seconds === null || !isKnown) return 0
  const onClock = spans.reduce(
    (sum, { from, to }) => (from && to ? sum + (momentOf(to) - momentOf(from)) / 1000 : sum),
    0,
  )
  const seconds = worked_seconds - onClock
  return seconds % QUARTER_S === 0 ? seconds : 0
}
