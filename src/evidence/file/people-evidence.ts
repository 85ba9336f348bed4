import type { AuthorizedDb } from '../../core/db/authorization.ts'
import { DomainError } from '../../core/errors.ts'
import { toBase64 } from '../../core/values/bytes.ts'
import { boundsOf, longestPeriodMs, type Period } from '../../core/values/period.ts'
import { addDays, DAY_MS, type TimeZone } from '../../core/values/time-zone.ts'
import { SEALED_LINE_FIELDS } from '../../payroll/closings/closing-lines.ts'
import { FILE_VERSION, hashOfIds } from '../seal/leaf.ts'
import { proofText } from '../seal/proof.ts'
import type { StoredEvent } from '../seal/sealed-events.queries.ts'
import { SealedTree } from '../seal/sealed-tree.ts'
import { readAgreementTexts, readEnd } from './evidence.queries.ts'
import { endLine, eventLine, jsonLine, originOf, sealLine, textLines } from './evidence-file.ts'
import {
  type EvidenceSubject,
  type FileEvent,
  listSealEnds,
  readBranchPeople,
  readEventsByIds,
  readFileEvents,
  readOwnLines,
  readPerson,
  type SealEnd,
} from './people-evidence.queries.ts'
import { createSealReader, type LoadedSeal } from './seal-reader.ts'
import { recordShown } from './shown.queries.ts'

const PERSON_MAX_DAYS = 366
const BRANCH_MAX_DAYS = 31

/** The maximum number of people of a file. More people of a branch are in further files. */
const PEOPLE_PER_FILE = 50

/** Texts that sort before and after every stored moment. */
const ANY_TIME = { from: '', before: ':' }

/** The events of a file may change while it is made. It is then made again, this many times. */
const ATTEMPTS = 4

const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

/** The nearest moment with a year of four digits, as stored moments and the format have it. */
const storedMoment = (moment: Date): string =>
  new Date(Math.min(Math.max(moment.getTime(), FIRST_MOMENT), LAST_MOMENT)).toISOString()

interface EvidenceOptions extends Period {
  /**
   * Whether the evidence of other people has the comments of decisions. The caller's own evidence
   * always has them. The words of objections and answers are always there.
   */
  comments: boolean
  adminRoles: readonly string[]
  now: Date
  /** Seals the newest events, so that the file has a proof of each. */
  seal: () => Promise<unknown>
}

/** What a file is about. `people` are ids of employees in ascending order. */
interface FileRequest {
  people: readonly string[]
  log_id: number | null
  /** The period of `recorded_at`. `from` is included, `before` is not. */
  from: string
  before: string
  zone: TimeZone
  /** Whether the only person is the caller. If so, the scope does not apply. */
  isOwn: boolean
}

/**
 * Returns the period of a file: until tomorrow by default, with `days` days by default and at most.
 * @throws DomainError PERIOD_REVERSED, PERIOD_TOO_LONG
 */
const periodOf = ({ from, to }: Period, days: number, zone: TimeZone, now: Date) => {
  const bounds = { zone, now, days, defaultMs: longestPeriodMs(days) }
  const tomorrow = addDays(zone.localTime(now).slice(0, 10), 1)
  const { start, end } = boundsOf({ from, to: to ?? tomorrow }, bounds)
  return { from: storedMoment(start), before: storedMoment(end) }
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
    return JSON.stringify({
      ...{ before, employee_id, events: ids.length, from, ids: hashOfIds(ids), log_id },
      people: hashOfIds(people),
    })
  })
}

/**
 * Records that the caller gets this file, and seals that. It is recorded first: a file that somebody
 * has is always in the evidence.
 * @returns the ids of the file's events, ascending, and of the closings whose lines it has
 */
const recordFile = async (
  db: AuthorizedDb,
  request: FileRequest,
  { now, seal }: EvidenceOptions,
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

/**
 * Returns a function that gives the people's lines in a closing of the period, and the hashes that
 * prove that the lines were sealed. It gives nothing for other events, and no lines of a person if
 * the caller's scope hides one of them.
 */
const readLinesOfClosings = async (
  db: AuthorizedDb,
  { people, isOwn }: FileRequest,
  paidIds: readonly number[],
) => {
  const byClosing = await readOwnLines(db, JSON.stringify(people), paidIds, isOwn)
  return ({ event, closing_id }: StoredEvent) => {
    const own = event === 'closed' ? byClosing.get(closing_id ?? 0) : undefined
    if (!own) return {}
    const byPerson = Map.groupBy(own.lines, ({ employee_id }) => employee_id)
    const inOrder = [...byPerson.keys()].toSorted().flatMap((id) => byPerson.get(id) ?? [])
    const lines = inOrder.map((line) => JSON.parse(JSON.stringify(line, SEALED_LINE_FIELDS)))
    return { hashes: own.hashes, lines }
  }
}

/** The index of an event's leaf. It can be computed because event ids are consecutive. */
const indexIn = ({ stored }: LoadedSeal, { id }: StoredEvent): number =>
  stored.size - 1 - (stored.last_event_id - id)

/** Counts the events of each seal by the size of its tree. `ids` are ascending. */
const countBySeal = (sealEnds: readonly SealEnd[], ids: readonly number[]) => {
  const counts = new Map<number, number>()
  let next = 0
  for (const id of ids) {
    while ((sealEnds[next]?.last_event_id ?? id) < id) next++
    const size = sealEnds[next]?.size ?? 0
    counts.set(size, (counts.get(size) ?? 0) + 1)
  }
  return counts
}

/** The seals that prove these events, and the newest seal, by the size of their trees. */
const planSeals = async (db: AuthorizedDb, ids: readonly number[], sealed_id: number) => {
  const sealEnds = await listSealEnds(db, ids[0] ?? sealed_id, sealed_id)
  const newest = sealEnds.at(-1)
  const counts = countBySeal(sealEnds, ids)
  if (newest && !counts.has(newest.size)) counts.set(newest.size, 0)
  const signed = sealEnds.filter(({ size }) => counts.has(size))
  const sizes = sealEnds.map(({ size }) => size)
  return {
    counts,
    newest,
    keys: [...new Set(signed.map(({ verifier_key }) => verifier_key))],
    sealAt: createSealReader(db, sizes, [...counts.keys()]),
  }
}

/**
 * Writes the events of one log, or of people and of the closings that paid them or that they signed.
 * Each sealed event has a proof that leads to its seal's checkpoint. Each seal has a proof that it
 * continues the seal before it in the file. The last seal is the newest, so one kept checkpoint can
 * verify the whole file.
 */
const writeFile = async (db: AuthorizedDb, request: FileRequest, options: EvidenceOptions) => {
  const { people, log_id, from, before, isOwn } = request
  const { ids, paidIds } = await recordFile(db, request, options)
  const linesOf = await readLinesOfClosings(db, request, paidIds)
  const texts = await readAgreementTexts(db, ids)
  const { sealed_id } = await readEnd(db)
  const sealedIds = ids.filter((id) => id <= sealed_id)
  const { counts, newest, keys, sealAt } = await planSeals(db, sealedIds, sealed_id)
  const events = readEventsByIds(db, ids)
  const withComments = isOwn || options.comments

  const nextEvent = async (): Promise<StoredEvent> => {
    const { value } = await events.next()
    if (!value) throw new Error('An event of the file does not exist.')
    return value
  }

  const chunks = async function* () {
    yield jsonLine({
      evidence: FILE_VERSION,
      origin: originOf(keys),
      keys,
      exported_at: options.now.toISOString(),
      about: { employee_ids: people, log_id, from, before },
      until: newest ? { seal: newest.id, size: newest.size, at: newest.created_at } : null,
    }) + textLines(texts)
    const tree = new SealedTree(sealAt)
    let previous: number | undefined
    for (const [size, count] of counts) {
      const seal = await sealAt(size)
      const lines: string[] = []
      for (let i = 0; i < count; i++) {
        const event = await nextEvent()
        const path = await tree.inclusion(indexIn(seal, event), size)
        const proof = proofText(indexIn(seal, event), path, seal.stored.checkpoint)
        lines.push(eventLine(event, withComments, { ...linesOf(event), proof }))
      }
      const proof = previous === undefined ? [] : await tree.consistency(previous, size)
      lines.push(
        sealLine(seal.stored, { count: seal.size - seal.before, consistency: proof.map(toBase64) }),
      )
      yield lines.join('')
      previous = size
    }
    for await (const event of events) yield eventLine(event, withComments, linesOf(event))
    yield endLine(ids.length, counts.size)
  }
  return chunks()
}

/**
 * Returns a function that writes the evidence of a person, or of a log. Without a period, a log's
 * file is of all time.
 * @throws DomainError if the caller may not have it
 */
export const personEvidence = async (
  db: AuthorizedDb,
  subject: EvidenceSubject,
  options: EvidenceOptions,
) => {
  const { employee_id, isOwn, branch_office } = await readPerson(db, subject, options.adminRoles)
  const zone = db.zones().zoneAt(branch_office, options.now)
  const { log_id } = subject
  const isOfAllTime = log_id !== null && !options.from && !options.to
  const period = isOfAllTime ? ANY_TIME : periodOf(options, PERSON_MAX_DAYS, zone, options.now)
  const request = { people: [employee_id], log_id, ...period, zone, isOwn }
  return () => writeFile(db, request, options)
}

interface BranchOptions extends EvidenceOptions {
  branch_office: string
  /** The id of the last employee of the file before this one. '' for the first file. */
  after: string
}

/**
 * `chunks` writes the evidence of at most 50 people who have logs of a branch in a period. `next` is
 * the id of the last of them if there are more, else undefined.
 */
export const branchEvidence = async (db: AuthorizedDb, options: BranchOptions) => {
  const { branch_office, after, adminRoles, now } = options
  const zone = db.zones().zoneAt(branch_office, now)
  const period = periodOf(options, BRANCH_MAX_DAYS, zone, now)
  const query = { branch_office, ...period, after, limit: PEOPLE_PER_FILE }
  const ids = await readBranchPeople(db, query, adminRoles)
  const people = ids.slice(0, PEOPLE_PER_FILE)
  const next = ids.length > PEOPLE_PER_FILE ? people.at(-1) : undefined
  // The database sorts by UTF-8 bytes. Files are sorted by UTF-16 code units, as JavaScript does.
  const request = { people: people.toSorted(), log_id: null, ...period, zone, isOwn: false }
  return { chunks: () => writeFile(db, request, options), next }
}
