import type { AuthorizedDb } from '../../core/db/authorization.ts'
import {
  AFTER_ALL_TIME,
  BEFORE_ALL_TIME,
  boundsOf,
  longestPeriodMs,
  type Period,
} from '../../core/values/period.ts'
import { addDays, type TimeZone } from '../../core/values/time-zone.ts'
import { type FileOptions, writeFile } from './people-file.ts'
import { type EvidenceSubject, readBranchPeople, readPerson } from './whose-evidence.queries.ts'

const PERSON_MAX_DAYS = 366
const BRANCH_MAX_DAYS = 31

/** The maximum number of people of a file. More people of a branch are in further files. */
const PEOPLE_PER_FILE = 50

const ANY_TIME = { from: BEFORE_ALL_TIME, before: AFTER_ALL_TIME }

const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

/** The nearest moment with a year of four digits, as stored moments and the format have it. */
const storedMoment = (moment: Date): string =>
  new Date(Math.min(Math.max(moment.getTime(), FIRST_MOMENT), LAST_MOMENT)).toISOString()

interface EvidenceOptions extends Period, FileOptions {
  adminRoles: readonly string[]
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
  const { employee_id, is_own, branch_office } = await readPerson(db, subject, options.adminRoles)
  const zone = db.zones().zoneAt(branch_office, options.now)
  const { log_id } = subject
  const isOfAllTime = log_id !== null && !options.from && !options.to
  const period = isOfAllTime ? ANY_TIME : periodOf(options, PERSON_MAX_DAYS, zone, options.now)
  const request = { people: [employee_id], log_id, ...period, zone, isOwn: is_own }
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
