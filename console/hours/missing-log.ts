import { dataOf } from '../../sdk/api-client.ts'
import type { HoursDay, LogKind, ManualLogBody } from '../../sdk/api-types.ts'
import { forgetQueue } from '../review/queue.state.ts'
import { api } from '../session/api.ts'
import { untilAnswered } from '../session/repeat.ts'
import { signedIn } from '../session/session.ts'
import { MISSING_KINDS } from '../ui/hours-texts.ts'
import { minutesOf } from './repeated-log.ts'

type MissingKind = Exclude<LogKind, 'checada'>

/** The kinds that a missing log may have. Empty if no log is missing, both if kinds are deduced. */
export const missingKinds = ({ exceptions, notices }: HoursDay): MissingKind[] => {
  const kinds = [...new Set(exceptions.flatMap((name) => MISSING_KINDS[name] ?? []))]
  if (!notices.includes('tipo_deducido')) return kinds
  return kinds.length > 0 || exceptions.includes('jornada_larga') ? ['entrada', 'salida'] : []
}

/**
 * If a missing salida is less than this many minutes later than the entrada, it belongs to the next
 * day, because a shift may have 24 hours.
 */
const SOON_MINUTES = 30

/** The times of an entrada without a salida, and of a salida without an entrada, such as `09:05–?`. */
const openTimesOf = (
  detail: string,
): { entrada?: string | undefined; salida?: string | undefined } => {
  const [, entrada, salida] = /(\d\d:\d\d)–\?|\?–(\d\d:\d\d)/.exec(detail) ?? []
  return { entrada, salida }
}

/**
 * Returns 1 if the missing log is on the day after the existing log, -1 if on the day before, and 0
 * if on the same day. A missing salida is on the next day if its time is before the entrada's time
 * plus `SOON_MINUTES`. A missing entrada is on the previous day if its time is after the salida's.
 * If a clock gives no kinds, `detail` shows a single log as an entrada. That log may also be the
 * salida.
 */
export const shiftOf = (detail: string, kind: string, time: string): -1 | 0 | 1 => {
  const { entrada, salida = entrada } = openTimesOf(detail)
  if (!time) return 0
  if (kind === 'entrada') return salida && time > salida ? -1 : 0
  return entrada && minutesOf(time) < minutesOf(entrada) + SOON_MINUTES ? 1 : 0
}

/**
 * Whether the missing log and its partner would be further apart than everybody's longest shift. The
 * hour was then probably mistyped: 08:00 in place of 18:00 would be on the next day.
 */
export const isTooLong = (detail: string, kind: string, time: string): boolean => {
  const { entrada, salida } = openTimesOf(detail)
  const partner = kind === 'entrada' ? salida : entrada
  if (!partner || !time) return false
  const apart = Math.abs(
    minutesOf(time) + shiftOf(detail, kind, time) * 24 * 60 - minutesOf(partner),
  )
  return apart > signedIn().max_shift_hours * 60
}

/** Adds a log. Because of its `client_id`, the same request adds nothing again. */
export const addLog = async (json: ManualLogBody) => {
  const added = await untilAnswered(() => dataOf(api.v2.incidents.manual_logs.$post({ json })))
  forgetQueue()
  return added
}
