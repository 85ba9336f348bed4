import { HOUR_MS } from '../../core/values/time-zone.ts'
import type { PairedLog, Shift } from './pairing.ts'

/** An entrada and its salida, or one of them alone, in a form that programs read. */
export interface Span {
  /** The local time of the entrada in its branch, without offset: `2026-11-02T08:58:12`. */
  from: string | null
  /** The local time of the salida. */
  to: string | null
  from_log_id: number | null
  to_log_id: number | null
  /** Whether one of the two logs is pending. */
  pending: boolean
  /** The local day on which the missing end probably is. Null if both ends are there. */
  shift_day: string | null
}

interface SpanLog extends PairedLog {
  status: string
  /** `2026-11-02 08:00:00` */
  local: string
}

/** A shift is taken to end at least this much later than it begins: 18:00 begins a night. */
const AFTER_ENTRADA_MS = 6 * HOUR_MS
/** A shift is taken to begin at least this much before it ends: 08:00 ends a night. */
const BEFORE_SALIDA_MS = 9 * HOUR_MS

const localTime = (log: SpanLog | undefined): string | null => log?.local.replace(' ', 'T') ?? null

const dayAfter = ({ local }: SpanLog, ms: number): string =>
  new Date(Date.parse(`${local.slice(0, 10)}T${local.slice(11)}Z`) + ms).toISOString().slice(0, 10)

const dayOfMissingEnd = ({ entrada, salida }: Shift<SpanLog>): string | null => {
  if (entrada && salida) return null
  if (entrada) return dayAfter(entrada, AFTER_ENTRADA_MS)
  return salida ? dayAfter(salida, -BEFORE_SALIDA_MS) : null
}

export const toSpan = (shift: Shift<SpanLog>): Span => {
  const { entrada, salida } = shift
  return {
    from: localTime(entrada),
    to: localTime(salida),
    from_log_id: entrada?.log_id ?? null,
    to_log_id: salida?.log_id ?? null,
    pending: entrada?.status === 'pending' || salida?.status === 'pending',
    shift_day: dayOfMissingEnd(shift),
  }
}
