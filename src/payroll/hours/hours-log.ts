import type { LogStatus } from '../../core/values/log-values.ts'
import type { PairedLog, Shift } from './pairing.ts'

/** A department and a branch. A log has the place that the employee had when the log arrived. */
export interface Place {
  department: string
  branch_office: string
}

export interface HoursLog extends PairedLog, Place {
  status: LogStatus
  /** UTC with milliseconds. */
  recorded_at: string
  /** The local time in the log's branch: `2026-11-02 08:00:00`. */
  local: string
  isManual: boolean
  isRequest: boolean
  /** Whether a clock sent it from another address while it also called from its own. */
  isOtherNetwork: boolean
  /** What the person wrote to ask for the log. Null for other logs, or if the text was erased. */
  request_comment: string | null
  /** Whether the log arrived after its day was closed. Only the notice `extemporanea` uses this. */
  isLate: boolean
}

/** The local day of a log. */
export const dayOf = ({ local }: HoursLog): string => local.slice(0, 10)

/** A shift belongs to the day of its entrada, or if it has none, of its salida. */
export const dayOfShift = ({ entrada, salida, logs: [first] }: Shift<HoursLog>): string => {
  const log = entrada ?? salida ?? first
  return log ? dayOf(log) : ''
}

export const isRejected = ({ status }: HoursLog): boolean => status === 'rejected'
export const isNotRejected = (log: HoursLog): boolean => !isRejected(log)
