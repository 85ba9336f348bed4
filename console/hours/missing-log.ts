import type { HoursDay, LogKind } from '../../sdk/api-types.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

type Day = Pick<HoursDay, 'spans' | 'exceptions' | 'notices' | 'working_since'>

/** An entrada or a salida that is missing beside a punch of the day. */
export interface MissingEnd {
  kind: Exclude<LogKind, 'checada'>
  /** The local time of that punch: `2026-11-02T08:58:12`. */
  beside: string
  /** The local day that the form proposes until the hour is typed. */
  day: string
}

const dayOfTime = (local: string): string => local.slice(0, 10)

const eveOf = (day: string): string => new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10)

const dayAfter = (day: string): string =>
  new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)

const entradaBefore = (beside: string, day = dayOfTime(beside)): MissingEnd => ({
  kind: 'entrada',
  beside,
  day,
})

const salidaAfter = (beside: string, day = dayOfTime(beside)): MissingEnd => ({
  kind: 'salida',
  beside,
  day,
})

/**
 * What may be missing on a day, one for each punch that lacks its other end. If the clock gives no
 * kinds, a single punch may lack either end. Of an inverted day, the entrada of its first punch is
 * missing, on the eve.
 */
export const missingEnds = (row: Day): MissingEnd[] => {
  const isDeduced = row.notices.includes('tipo_deducido')
  const isLong = isDeduced && row.exceptions.includes('jornada_larga')
  const newest = row.spans.at(-1)
  const ends = row.spans.flatMap((span): MissingEnd[] => {
    const { from, to, shift_day } = span
    // The person is at work: the salida is not missing.
    if (span === newest && row.working_since !== null && to === null) return []
    if (from && to) return isLong ? [salidaAfter(from), entradaBefore(to)] : []
    if (from) {
      const salida = salidaAfter(from, shift_day ?? undefined)
      return isDeduced ? [salida, entradaBefore(from)] : [salida]
    }
    return to ? [entradaBefore(to, shift_day ?? undefined)] : []
  })
  const first = row.spans[0]?.from
  if (!row.exceptions.includes('posible_desfase') || !first) return ends
  const eve = entradaBefore(first, eveOf(dayOfTime(first)))
  return [eve, ...ends.filter((end) => end.kind !== 'entrada' || end.beside !== first)]
}

/**
 * A salida so soon after its entrada is of the next day, because a shift may have 24 hours.
 */
const SOON_MS = 30 * MINUTE_MS

const momentOf = (local: string): number => Date.parse(`${local}Z`)

/**
 * The day of a missing end whose hour is typed: a salida is after its entrada, an entrada before its
 * salida, and at most some 24 hours away.
 * @param time `17:05`
 */
export const dayOfEnd = ({ kind, beside, day }: MissingEnd, time: string): string => {
  if (!time) return day
  const same = dayOfTime(beside)
  const at = momentOf(`${same}T${time}`)
  if (kind === 'salida') return at < momentOf(beside) + SOON_MS ? dayAfter(same) : same
  return at >= momentOf(beside) ? eveOf(same) : same
}

/**
 * Whether the missing end and its punch would be further apart than everybody's longest shift. The
 * hour was then probably mistyped: 08:00 in place of 18:00 would be on the next day.
 */
export const isTooLong = (
  { beside }: MissingEnd,
  { day, time, max_shift_hours }: { day: string; time: string; max_shift_hours: number },
): boolean =>
  Math.abs(momentOf(`${day}T${time}`) - momentOf(beside)) > max_shift_hours * 60 * MINUTE_MS
