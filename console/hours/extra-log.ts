import type { HoursDay, LogKind } from '../../sdk/api-types.ts'

type Day = Pick<HoursDay, 'day' | 'spans' | 'exceptions' | 'notices' | 'extra_log_ids'>

/** A punch of the day as its row names it. */
export interface NamedPunch {
  log_id: number
  /** `checada` if the clock gave no kinds. */
  kind: LogKind
  /** The local time: `2026-11-02T08:07:00`. */
  at: string
}

/** The punches of a day that begin or end a span, in order. */
const punchesOf = ({ spans, notices }: Day): NamedPunch[] => {
  const isDeduced = notices.includes('tipo_deducido')
  const named = (log_id: number | null, at: string | null, kind: LogKind): NamedPunch[] =>
    log_id === null || at === null ? [] : [{ log_id, at, kind: isDeduced ? 'checada' : kind }]
  return spans.flatMap(({ from, to, from_log_id, to_log_id }) => [
    ...named(from_log_id, from, 'entrada'),
    ...named(to_log_id, to, 'salida'),
  ])
}

const HOUR_MS = 3_600_000

/**
 * The second of the first two punches of a day on which each punch was made twice. The service marks
 * such a day as inverted: its pairs are short, and its work counts as a pause. Rejecting one leaves
 * a day with one punch too many.
 */
const madeTwice = (row: Day): NamedPunch | undefined => {
  const isShort = ({ from, to }: Day['spans'][number]) =>
    from !== null && to !== null && Date.parse(`${to}Z`) - Date.parse(`${from}Z`) <= HOUR_MS
  const isTwice = row.spans.length > 1 && row.spans.every(isShort)
  return isTwice && row.exceptions.includes('posible_desfase') ? punchesOf(row)[1] : undefined
}

/**
 * The later of the punches of which one is too many. `punch` is undefined if the punch is of another
 * day, whose times the row does not have. Undefined if the service names none.
 */
export const extraLog = (
  row: Day,
): { log_id: number; punch: NamedPunch | undefined } | undefined => {
  const punches = punchesOf(row)
  const own = punches.findLast(({ log_id }) => row.extra_log_ids.includes(log_id)) ?? madeTwice(row)
  const log_id = own?.log_id ?? row.extra_log_ids.at(-1)
  return log_id === undefined ? undefined : { log_id, punch: own }
}

/**
 * Whether the row's first act is to reject the punch. With kinds, an entrada without salida after a
 * break rather lacks the salida.
 */
export const isExtraFirst = ({ exceptions, notices }: Day): boolean =>
  notices.includes('tipo_deducido') ||
  exceptions.includes('entrada_repetida') ||
  exceptions.includes('sin_entrada')

/**
 * The punch of a day with two entradas, or two salidas, that would make it one shift if it had the
 * other kind: the person pressed the wrong key. Undefined if the day has another form.
 */
export const wrongKey = (row: Day): NamedPunch | undefined => {
  const [first, second, ...others] = row.spans
  if (row.notices.includes('tipo_deducido') || !first || !second || others.length > 0) return
  const punches = punchesOf(row)
  if (punches.length !== 2) return
  if (first.to === null && second.to === null) return punches[1]
  if (first.from === null && second.from === null) return punches[0]
}
