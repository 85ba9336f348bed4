import { toBase64 } from '../core/bytes.ts'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { DomainError } from '../core/errors.ts'
import { boundsOf, longestPeriodMs, type Period } from '../core/period.ts'
import { addDays, DAY_MS, type TimeZone } from '../core/time-zone.ts'
import { SEALED_LINE_FIELDS } from '../payroll/closing-lines.ts'
import { readAgreementTexts, readEnd, readEvents } from './evidence.queries.ts'
import { endLine, eventLine, jsonLine, originOf, sealLine, textLines } from './evidence-file.ts'
import { hashOfIds, LEAF_VERSION } from './leaf.ts'
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
import { recordShown } from './shown.queries.ts'

const PERIOD_MAX_DAYS = 366
const EVENTS_PER_PAGE = 2_000

/** Texts that sort before and after every stored moment. */
const ANY_TIME = { from: '', before: ':' }

/** The events of a file may change while it is made. It is then made again, this many times. */
const ATTEMPTS = 4

const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

/** The nearest moment with a year of four digits, as stored moments and the format have it. */
const storedMoment = (moment: Date): string =>
  new Date(Math.min(Math.max(moment.getTime(), FIRST_MOMENT), LAST_MOMENT)).toISOString()

interface Query {
  employee_id: string
  log_id: number | null
  /** The period of `recorded_at`. `from` is included, `before` is not. */
  from: string
  before: string
  /** Whether the person is the caller. If so, the scope does not apply. */
  isOwn: boolean
}

interface PersonOptions extends Period {
  /**
   * Whether the evidence of another person has comments. The caller's own evidence always has
   * comments.
   */
  comments: boolean
  adminRoles: readonly string[]
  now: Date
  /** Seals the newest events, so that the file has a proof of each. */
  seal: () => Promise<unknown>
}

/**
 * Returns the period of the file. By default it is the last 366 days for a person, until tomorrow,
 * and all time for a log. A requested period has 366 days at most.
 */
const periodOf = (
  { log_id }: EvidenceSubject,
  { from, to, now }: PersonOptions,
  zone: TimeZone,
) => {
  if (log_id !== null && !from && !to) return ANY_TIME
  const days = PERIOD_MAX_DAYS
  const bounds = { zone, now, days, defaultMs: longestPeriodMs(days) }
  const tomorrow = addDays(zone.localTime(now).slice(0, 10), 1)
  const { start, end } = boundsOf({ from, to: to ?? tomorrow }, bounds)
  return { from: storedMoment(start), before: storedMoment(end) }
}

/**
 * Reads the events of the requested log, or of the logs of a period. For a period, it also reads
 * the events of the person's other logs that lie between the first and the last of these events. So
 * `previous` shows that no event is missing.
 */
const readEventsOfLogs = async (
  db: AuthorizedDb,
  query: Query,
  until: number,
): Promise<StoredEvent[]> => {
  const { employee_id, isOwn } = query
  if (query.log_id !== null) return readEventsOfLog(db, { ...query, until })
  const { first, last } = await readRange(db, { ...query, until })
  if (first === null || last === null) return []
  const events: StoredEvent[] = []
  for (let after = first - 1; ; after = events.at(-1)?.id ?? after) {
    const page = { employee_id, after, until: last, limit: EVENTS_PER_PAGE }
    const pageEvents = await readPersonEvents(db, page, isOwn)
    events.push(...pageEvents)
    if (pageEvents.length < EVENTS_PER_PAGE) return events
  }
}

interface FileEvents {
  /** In the order of their ids. */
  events: StoredEvent[]
  /** The ids of the closings that paid the person in the period. The file has their lines. */
  paidIds: readonly number[]
}

/** Reads all events of the file up to the event `until`. */
const readFileEvents = async (
  db: AuthorizedDb,
  query: Query,
  zone: TimeZone,
  until: number,
): Promise<FileEvents> => {
  const { employee_id, from, before } = query
  const events = await readEventsOfLogs(db, query, until)
  if (query.log_id !== null) return { events, paidIds: [] }
  const dayOf = (moment: number) => zone.localTime(new Date(moment)).slice(0, 10)
  const days = { fromDay: dayOf(Date.parse(from)), toDay: dayOf(Date.parse(before) - 1) }
  const closings = await readClosingEvents(db, { employee_id, ...days, until })
  const others = await readEventsWithoutLog(db, employee_id, until)
  const all = [...events, ...closings.events, ...others].toSorted((a, b) => a.id - b.id)
  return { events: all, paidIds: closings.paidIds }
}

/**
 * Records that the caller gets this file, seals it, and reads its events with the event that says
 * so. The event is written first: a file that somebody has is always in the evidence.
 */
const readShownEvents = async (
  db: AuthorizedDb,
  query: Query,
  zone: TimeZone,
  { now, seal }: PersonOptions,
): Promise<FileEvents> => {
  const { employee_id, log_id, from, before } = query
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { last_id } = await readEnd(db)
    const { events, paidIds } = await readFileEvents(db, query, zone, last_id)
    const shown = {
      before,
      employee_id,
      events: events.length,
      from,
      ids: hashOfIds(events.map((event) => event.id)),
      log_id,
    }
    const id = await recordShown(db, {
      employee_id,
      details: JSON.stringify(shown),
      last_id,
      at: now.toISOString(),
      since: new Date(now.getTime() - DAY_MS).toISOString(),
    })
    if (id === undefined) continue
    await seal()
    const last = await readEvents(db, { after: id - 1, until: id, limit: 1 })
    return { events: [...events, ...last], paidIds }
  }
  throw new DomainError('DATABASE_BUSY')
}

/**
 * Returns a function that gives the person's lines in a closing of the period, and the hashes that
 * prove that the lines were sealed. It gives nothing for other events, and if the caller's scope
 * hides a line.
 */
const readLinesOfClosings = async (
  db: AuthorizedDb,
  { employee_id, isOwn }: Query,
  paidIds: readonly number[],
) => {
  const byClosing = await readOwnLines(db, employee_id, paidIds, isOwn)
  return ({ event, closing_id }: StoredEvent) => {
    const own = event === 'closed' ? byClosing.get(closing_id ?? 0) : undefined
    if (!own) return {}
    const lines = own.lines.map((line) => JSON.parse(JSON.stringify(line, SEALED_LINE_FIELDS)))
    return { hashes: own.hashes, lines }
  }
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

/** The seals that prove these events, and the newest seal, by the size of their trees. */
const planSeals = async (db: AuthorizedDb, events: readonly StoredEvent[], sealed_id: number) => {
  const sealEnds = await listSealEnds(db, events[0]?.id ?? sealed_id, sealed_id)
  const newest = sealEnds.at(-1)
  const eventsBySize = groupBySeal(sealEnds, events)
  const sizes = [...new Set([...eventsBySize.keys(), ...(newest ? [newest.size] : [])])]
  const signed = sealEnds.filter(({ size }) => sizes.includes(size))
  return {
    eventsBySize,
    sizes,
    newest,
    keys: [...new Set(signed.map(({ verifier_key }) => verifier_key))],
    sealAt: createSealReader(
      db,
      sealEnds.map(({ size }) => size),
      sizes,
    ),
  }
}

const readTexts = async (db: AuthorizedDb, events: readonly StoredEvent[]) => {
  const agreed = events.flatMap(({ event, details }) =>
    event === 'agreed' && details !== null ? [JSON.parse(details).agreement as string] : [],
  )
  return agreed.length > 0 ? readAgreementTexts(db, agreed) : []
}

/**
 * Writes the events of one log, or of a person and of the closings that paid the person or that the
 * person signed. Each sealed event has a proof that leads to its seal's checkpoint. Each seal has a
 * proof that it continues the seal before it in the file. The last seal is the newest, so one kept
 * checkpoint can verify the whole file.
 */
export const personEvidence = async (
  db: AuthorizedDb,
  subject: EvidenceSubject,
  options: PersonOptions,
) => {
  const person = await readPerson(db, subject, options.adminRoles)
  const { employee_id, isOwn, branch_office } = person
  const zone = db.zones().zoneAt(branch_office, options.now)
  const period = periodOf(subject, options, zone)
  const query = { ...period, employee_id, log_id: subject.log_id, isOwn }
  const { events, paidIds } = await readShownEvents(db, query, zone, options)
  const linesOf = await readLinesOfClosings(db, query, paidIds)
  const { sealed_id } = await readEnd(db)
  const sealed = events.filter(({ id }) => id <= sealed_id)
  const withComments = isOwn || options.comments
  const texts = await readTexts(db, events)
  const plan = await planSeals(db, sealed, sealed_id)
  const { newest, keys, sizes, sealAt } = plan

  const chunks = async function* () {
    yield jsonLine({
      evidence: LEAF_VERSION,
      origin: originOf(keys),
      keys,
      exported_at: options.now.toISOString(),
      about: { employee_id, log_id: subject.log_id, ...period },
      until: newest ? { seal: newest.id, size: newest.size, at: newest.created_at } : null,
    }) + textLines(texts)
    const tree = new SealedTree(sealAt)
    let previous: number | undefined
    for (const size of sizes) {
      const seal = await sealAt(size)
      const lines: string[] = []
      for (const event of plan.eventsBySize.get(size) ?? []) {
        const path = await tree.inclusion(indexIn(seal, event), size)
        const proof = proofText(indexIn(seal, event), path, seal.stored.checkpoint)
        lines.push(eventLine(event, withComments, { ...linesOf(event), proof }))
      }
      const proof = previous === undefined ? [] : await tree.consistency(previous, size)
      lines.push(
        sealLine(seal.stored, { count: seal.leaves.length, consistency: proof.map(toBase64) }),
      )
      yield lines.join('')
      previous = size
    }
    for (const event of events.slice(sealed.length)) {
      yield eventLine(event, withComments, linesOf(event))
    }
    yield endLine(events.length, sizes.length)
  }
  return chunks()
}
