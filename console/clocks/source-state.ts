import type { Clock, LogSource } from '../../sdk/api-types.ts'
import type { Look } from '../ui/status.tsx'
import { elapsed, HOUR_MS } from '../ui/time.ts'

/** A clock is silent if its last news (`lastNewsOf`) is older than this. */
const SILENT_MS = 24 * HOUR_MS

/** A clock that connects by itself is heard of whenever it calls, even if it may have more to send. */
const lastNewsOf = ({ source, complete_until, last_seen_at }: LogSource): string =>
  source.startsWith('clock ') ? last_seen_at : (complete_until ?? last_seen_at)

export const isSilent = (source: LogSource): boolean =>
  Date.now() - Date.parse(lastNewsOf(source)) > SILENT_MS

export const lookOf = (source: LogSource): Look => {
  if (!isSilent(source)) return ['approved', 'check', 'Al día']
  const since = elapsed(lastNewsOf(source), new Date().toISOString())
  return ['pending', 'alert', `Sin noticias desde hace ${since}`]
}

/** The source of a clock that connects by itself. */
export const sourceOf = (clock: Clock): LogSource => ({
  source: `clock ${clock.serial.toLowerCase()}`,
  label: clock.label,
  complete_until: clock.complete_until,
  complete_until_local_at: clock.complete_until_local_at,
  last_seen_at: clock.last_seen_at ?? new Date().toISOString(),
  last_seen_local_at: clock.last_seen_local_at ?? '',
  problem_count: 0,
  problems: [],
})

/** From this error on, a clock does not count as up to date. */
const WRONG_MIN_S = 5 * 60

export const hasWrongTime = ({ seconds_off }: Clock): boolean =>
  Math.abs(seconds_off ?? 0) >= WRONG_MIN_S

/** Whether a clock still sends what it has kept since its first day. */
export const isReceiving = (clock: Clock): boolean => clock.receiving && !isSilent(sourceOf(clock))

/** Whether a clock calls, but may have more to send, such as one whose time is not measured yet. */
const mayLackSome = (clock: Clock): boolean =>
  !isSilent(sourceOf(clock)) && Date.now() - Date.parse(clock.complete_until ?? '1970') > SILENT_MS

/** The state of a clock, if it is another one than that of its source. */
export const clockLook = (clock: Clock): Look | undefined => {
  if (clock.last_seen_at === null) return ['pending', 'dot', 'Todavía no ha llamado']
  if (hasWrongTime(clock)) return ['pending', 'alert', 'No está en hora']
  if (isReceiving(clock)) return ['pending', 'dot', 'Recibiendo lo que tiene']
  return mayLackSome(clock) ? ['pending', 'dot', 'No se sabe si envió todo'] : undefined
}
