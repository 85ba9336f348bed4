import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { DomainError } from '../../core/errors.ts'
import { canonicalJson } from '../../core/values/canonical-json.ts'
import { DAY_MS, type TimeZone } from '../../core/values/time-zone.ts'
import { hashOfIds } from '../seal/leaf.ts'
import { type FileEvent, readFileEvents } from './file-events.queries.ts'
import { recordShown } from './shown.queries.ts'

/** The events of a file may change while it is made. It is then made again, this many times. */
const ATTEMPTS = 4

/** What a file is about. `people` are ids of employees in ascending order. */
export interface FileRequest {
  people: readonly string[]
  log_id: number | null
  /** The period of `recorded_at`. `from` is included, `before` is not. */
  from: string
  before: string
  zone: TimeZone
  /** Whether the only person is the caller. If so, the scope does not apply. */
  isOwn: boolean
}

/** Reads the events of the file, and the ids of the closings whose lines the file has. */
const readContents = (db: AuthorizedDb, request: FileRequest) => {
  const { people, log_id, from, before, zone, isOwn } = request
  const dayOf = (moment: number) => zone.localTime(new Date(moment)).slice(0, 10)
  // A file of one log has no closings, so its period may be all time.
  const days =
    log_id === null
      ? { fromDay: dayOf(Date.parse(from)), toDay: dayOf(Date.parse(before) - 1) }
      : { fromDay: '', toDay: '' }
  return readFileEvents(
    db,
    { people: JSON.stringify(people), log_id, from, before, ...days },
    isOwn,
  )
}

/** The details of each person's event `shown`. Events of closings and sources are of nobody. */
const shownDetails = ({ people, log_id, from, before }: FileRequest, events: FileEvent[]) => {
  const ofPeople = Map.groupBy(events, ({ employee_id }) => employee_id)
  const ofNobody = ofPeople.get(null) ?? []
  return people.map((employee_id) => {
    const own = [...(ofPeople.get(employee_id) ?? []), ...ofNobody]
    const ids = own.map(({ id }) => id).toSorted((a, b) => a - b)
    return canonicalJson({
      employee_id,
      people: hashOfIds(people),
      log_id,
      from,
      before,
      events: ids.length,
      ids: hashOfIds(ids),
    })
  })
}

/**
 * Records that the caller gets this file, and seals that. It is recorded first: a file that somebody
 * has is always in the evidence.
 * @returns the ids of the file's events, ascending, and of the closings whose lines it has
 */
export const recordFile = async (
  db: AuthorizedDb,
  request: FileRequest,
  { now, seal }: { now: Date; seal: () => Promise<unknown> },
) => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { events, paidIds, last_id } = await readContents(db, request)
    const shown = await recordShown(db, {
      people: JSON.stringify(request.people),
      details: JSON.stringify(shownDetails(request, events)),
      last_id,
      at: now.toISOString(),
      since: new Date(now.getTime() - DAY_MS).toISOString(),
    })
    if (shown === undefined) continue
    await seal()
    const ids = [...events.map(({ id }) => id), ...shown].toSorted((a, b) => a - b)
    return { ids, paidIds }
  }
  throw new DomainError('DATABASE_BUSY')
}
