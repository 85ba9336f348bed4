import { toBase64 } from '../core/bytes.ts'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { boundsOf, longestPeriodMs, type Period } from '../core/period.ts'
import type { TimeZone } from '../core/time-zone.ts'
import { hashesInOrder, SEALED_LINE_FIELDS } from '../payroll/closing-lines.ts'
import { readAgreementTexts } from './evidence.queries.ts'
import { endLine, eventLine, jsonLine, originOf, sealLine, textLines } from './evidence-file.ts'
import { LEAF_VERSION } from './leaf.ts'
import {
  type EvidenceSubject,
  listSealEnds,
  readClosingEvents,
  readEventsOfLog,
  readEventsWithoutLog,
  readOwnLines,
  readPerson,
  readPersonEvents,
  readRange,
  type SealEnd,
} from './person-evidence.queries.ts'
import { proofText } from './proof.ts'
import { createSealReader, type LoadedSeal } from './seal-reader.ts'
import type { StoredEvent } from './sealed-events.queries.ts'
import { SealedTree } from './sealed-tree.ts'

const PERIOD_MAX_DAYS = 366
const EVENTS_PER_PAGE = 2_000

/** Texts that sort before and after every stored moment. */
const ANY_TIME = { from: '', before: ':' }

interface Query {
  employee_id: string
  log_id: number | null
  /** The period of `recorded_at`. `from` is included, `before` is not. */
  from: string
  before: string
  /** Whether the person is the caller. If so, the scope does not apply. */
  isOwn: boolean
  until: number
}

interface PersonOptions extends Period {
  /**
   * Whether the evidence of another person has comments. The caller's own evidence always has
   * comments.
   */
  comments: boolean
  adminRoles: readonly string[]
  now: Date
}

/**
 * Returns the period of the file. By default it is the last 366 days for a person, and all time for
 * a log. A requested period has 366 days at most.
 */
const periodOf = (
  { log_id }: EvidenceSubject,
  { from, to, now }: PersonOptions,
  zone: TimeZone,
) => {
  if (log_id !== null && !from && !to) return ANY_TIME
  const days = PERIOD_MAX_DAYS
  const bounds = { zone, now, days, defaultMs: longestPeriodMs(days) }
  const { start, end } = boundsOf({ from, to }, bounds)
  return { from: start.toISOString(), before: end.toISOString() }
}

/**
 * Reads the events of the requested log, or of the logs of a period. For a period, it also reads
 * the events of the person's other logs that lie between the first and the last of these events. So
 * `previous` shows that no event is missing.
 */
const readEventsOfLogs = async (db: AuthorizedDb, query: Query): Promise<StoredEvent[]> => {
  const { employee_id, isOwn } = query
  if (query.log_id !== null) return readEventsOfLog(db, query, isOwn)
  const { first, last } = await readRange(db, query, isOwn)
  if (first === null || last === null) return []
  const events: StoredEvent[] = []
  for (let after = first - 1; ; after = events.at(-1)?.id ?? after) {
    const page = { employee_id, after, until: last, limit: EVENTS_PER_PAGE }
    const pageEvents = await readPersonEvents(db, page, isOwn)
    events.push(...pageEvents)
    if (pageEvents.length < EVENTS_PER_PAGE) return events
  }
}

/** Reads the events of closings that have a line of the person for a day of the period. */
const readClosings = async (
  db: AuthorizedDb,
  { from, before, ...query }: Query,
  zone: TimeZone,
): Promise<StoredEvent[]> => {
  if (query.log_id !== null) return []
  const dayOf = (moment: number) => zone.localTime(new Date(moment)).slice(0, 10)
  const days = { fromDay: dayOf(Date.parse(from)), toDay: dayOf(Date.parse(before) - 1) }
  return readClosingEvents(db, { ...query, ...days })
}

/**
 * Returns the person's lines in a closing, and the hashes that prove that the lines were sealed.
 * Empty for other events.
 */
const ownLines = async (
  db: AuthorizedDb,
  { event, closing_id }: StoredEvent,
  employee_id: string,
) => {
  if (event !== 'closed' || closing_id === null) return {}
  const { hashByEmployee, lines } = await readOwnLines(db, { closing_id, employee_id })
  const sealed = lines.map((line) => JSON.parse(JSON.stringify(line, SEALED_LINE_FIELDS)))
  return { hashes: hashesInOrder(hashByEmployee), lines: sealed }
}

/** The index of an event's leaf. It can be computed because event ids are consecutive. */
const indexIn = ({ stored }: LoadedSeal, { id }: StoredEvent): number =>
  stored.size - 1 - (stored.last_event_id - id)

/** Groups events by the size of their seal's tree. */
const groupBySeal = (sealEnds: readonly SealEnd[], events: readonly StoredEvent[]) => {
  let next = 0
  return Map.groupBy(events, ({ id }) => {
    while ((sealEnds[next]?.last_event_id ?? id) < id) next++
    return sealEnds[next]?.size ?? 0
  })
}

/**
 * Writes the events of one log, or the events of a person and of the closings that paid the person.
 * Each sealed event has a proof that leads to its seal's checkpoint. Each seal has a proof that it
 * continues the seal before it in the file. The last seal is the newest, so one kept checkpoint can
 * verify the whole file. The end of the events and of the seals is read once, so later events are
 * left out.
 */
export const personEvidence = async (
  db: AuthorizedDb,
  subject: EvidenceSubject,
  options: PersonOptions,
) => {
  const { person, end } = await readPerson(db, subject, options.adminRoles)
  const { employee_id, isOwn, branch_office } = person
  const zone = db.zones().zoneAt(branch_office, options.now)
  const period = periodOf(subject, options, zone)
  const query = { ...period, employee_id, log_id: subject.log_id, isOwn, until: end.last_id }
  const eventsOfLogs = await readEventsOfLogs(db, query)
  const eventsOfClosings = await readClosings(db, query, zone)
  const others =
    subject.log_id === null ? await readEventsWithoutLog(db, employee_id, end.last_id) : []
  const events = [...eventsOfLogs, ...eventsOfClosings, ...others].toSorted((a, b) => a.id - b.id)
  const sealed = events.filter(({ id }) => id <= end.sealed_id)
  const withComments = isOwn || options.comments
  const agreed = others.flatMap(({ event, details }) =>
    event === 'agreed' && details !== null ? [JSON.parse(details).agreement as string] : [],
  )
  const texts = agreed.length > 0 ? await readAgreementTexts(db, agreed) : []

  const chunks = async function* () {
    const about = { employee_id, log_id: subject.log_id, ...period }
    const exported_at = options.now.toISOString()
    const sealEnds = await listSealEnds(db, sealed[0]?.id ?? end.sealed_id, end.sealed_id)
    const newest = sealEnds.at(-1)
    const until = newest ? { seal: newest.id, size: newest.size, at: newest.created_at } : null
    const groups = groupBySeal(sealEnds, sealed)
    const shown = new Set([...groups.keys(), ...(newest ? [newest.size] : [])])
    const needed = [...shown]
    const signed = sealEnds.filter(({ size }) => shown.has(size))
    const keys = [...new Set(signed.map(({ verifier_key }) => verifier_key))]
    yield jsonLine({
      evidence: LEAF_VERSION,
      origin: originOf(keys),
      keys,
      exported_at,
      about,
      until,
    }) + textLines(texts)
    const sizes = sealEnds.map(({ size }) => size)
    const sealAt = createSealReader(db, sizes, needed)
    const tree = new SealedTree(sealAt)
    let previous: number | undefined
    for (const size of needed) {
      const seal = await sealAt(size)
      const lines: string[] = []
      for (const event of groups.get(size) ?? []) {
        const index = indexIn(seal, event)
        const path = await tree.inclusion(index, size)
        const proof = proofText(index, path, seal.stored.checkpoint)
        const paid = await ownLines(db, event, employee_id)
        lines.push(eventLine(event, withComments, { ...paid, proof }))
      }
      const proof = previous === undefined ? [] : await tree.consistency(previous, size)
      lines.push(
        sealLine(seal.stored, { count: seal.leaves.length, consistency: proof.map(toBase64) }),
      )
      yield lines.join('')
      previous = size
    }
    for (const event of events.slice(sealed.length)) {
      const paid = await ownLines(db, event, employee_id)
      yield eventLine(event, withComments, paid)
    }
    yield endLine(events.length, needed.length)
  }
  return chunks()
}
