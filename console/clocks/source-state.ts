import type { LogSource } from '../../sdk/api-types.ts'
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
