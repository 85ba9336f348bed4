import { blamesComments, changeStatuses, type StatusChange } from '../db/log-status.ts'
import { Refused } from './errors.ts'
import type { Door } from './session.ts'

type Outcome = Awaited<ReturnType<typeof changeStatuses>>
type Changed = Outcome['changed'][number]

/**
 * Changes the status of logs, each with its comment and its audit row: all or nothing. Returns the
 * stored values in the order asked. A failure says whether a comment or a status was at fault.
 */
export const changeLogStatuses = async (
  door: Door,
  change: StatusChange,
  fieldOf = (place: number) => `log_ids.${place}`,
): Promise<[Changed, ...Changed[]]> => {
  const { before, changed } = await changeStatuses(door, change).catch((cause: unknown) => {
    if (cause instanceof Refused) throw cause
    throw new Refused(blamesComments(cause) ? 'COMMENT_NOT_SAVED' : 'STATUS_NOT_SAVED', { cause })
  })
  if (changed.length === 0) throw reasonAgainst(change, before, fieldOf)
  const places = new Map(change.logIds.map((id, place) => [id, place]))
  changed.sort((a, b) => (places.get(a.log_id) ?? 0) - (places.get(b.log_id) ?? 0))
  return changed as [Changed, ...Changed[]]
}

/** The contract's change, of one log. */
export const changeLogStatus = async (
  door: Door,
  { logId, ...change }: Omit<StatusChange, 'logIds'> & { logId: number },
) => {
  const [changed] = await changeLogStatuses(door, { ...change, logIds: [logId] }, () => 'log_id')
  return changed
}

/** Why nothing was written for a caller whom the door let in, in the order of checks: 403, 422, 409. */
const reasonAgainst = (
  { logIds, forbidOwn, expected }: StatusChange,
  before: Outcome['before'],
  fieldOf: (place: number) => string,
): Refused => {
  if (forbidOwn && before.some((log) => log.own)) return new Refused('OWN_LOG')

  const known = new Map(before.map((log) => [log.id, log]))
  const fields = logIds.flatMap((id, place) => (known.has(id) ? [] : [fieldOf(place)]))
  if (fields.length > 0) return new Refused('LOG_NOT_FOUND', { fields })
  const asked = logIds.flatMap((id) => known.get(id) ?? [])
  const moved = asked.find((log) => expected !== undefined && log.status !== expected)
  return moved ? new Refused('STATUS_MOVED', { log: moved }) : new Refused('STATUS_NOT_SAVED')
}
