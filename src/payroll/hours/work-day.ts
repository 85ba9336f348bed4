import type { Hold } from './holds.ts'
import type { Place } from './hours-log.ts'
import type { DayException, DayNotice } from './marks.ts'
import type { Span } from './spans.ts'

/** The hours of one employee on one local day. */
export interface WorkDay extends Place {
  /** The local day. A shift belongs to the day of its entrada, or if it has none, of its salida. */
  day: string
  /** The local time of the first entrada that counts. Null if there is none. */
  first_in: string | null
  /** The local time of the last salida that counts. Null if there is none. */
  last_out: string | null
  /** How many pairs count. */
  pairs: number
  /** Null, and not 0, if no pair counts. */
  worked_seconds: number | null
  /** The pending logs that can still change the day's hours. Null if there are none. */
  hold: Hold | null
  /** For example `08:00–13:00 (14:00–17:00)`. A pair in parentheses has a pending log. */
  detail: string
  /**
   * The pairs of the logs that are not rejected, and the entradas and salidas that lack one. They
   * are the same whether pending logs count or not.
   */
  spans: Span[]
  /**
   * The logs of which one is probably too many: left out alone, each makes the day whole. They may
   * be of an earlier day, which also spoils this one.
   */
  extra_log_ids: number[]
  exceptions: DayException[]
  notices: DayNotice[]
  /**
   * Whether rest is probably counted as work: a pair of a day with `posible_desfase` is longer than
   * any shift of a rotation.
   */
  counts_rest: boolean
  /** The logs of the day that are not rejected. */
  log_ids: number[]
  rejected_ids: number[]
  /** The moment of the last salida of the counted pairs (UTC). Null if no pair counts. */
  ends_at: string | null
  /**
   * The local time of the entrada if the person is at work now: it is the newest shift, has no
   * salida yet, and is not longer than the longest shift.
   */
  working_since: string | null
}

export const emptyDay = (day: string, { department, branch_office }: Place): WorkDay => ({
  day,
  department,
  branch_office,
  first_in: null,
  last_out: null,
  pairs: 0,
  worked_seconds: null,
  hold: null,
  detail: '',
  spans: [],
  extra_log_ids: [],
  exceptions: [],
  notices: [],
  counts_rest: false,
  log_ids: [],
  rejected_ids: [],
  ends_at: null,
  working_since: null,
})

/** Whether shifts or rejected logs belong to the day. */
export const hasLogs = ({ log_ids, rejected_ids }: WorkDay): boolean =>
  log_ids.length + rejected_ids.length > 0

/** Whether somebody added a log of the day by hand or asked for one. */
export const hasAddedLog = ({ notices }: Pick<WorkDay, 'notices'>): boolean =>
  notices.includes('manual') || notices.includes('solicitada')

/** The notices of days that somebody should look at even if they have no exception. */
const DOUBTFUL: readonly DayNotice[] = ['fuera_de_relacion', 'otra_red']

/**
 * Whether somebody should look at the day. The person may not even work here on the day, or somebody
 * else may have sent a log in the clock's name.
 */
export const isToLookAt = ({ exceptions, notices }: Pick<WorkDay, 'exceptions' | 'notices'>) =>
  exceptions.length > 0 || notices.some((notice) => DOUBTFUL.includes(notice))
