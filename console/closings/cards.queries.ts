import { queryOptions } from '@tanstack/preact-query'
import { dataOf } from '../../sdk/api-client.ts'
import type {
  Closing,
  ClosingLine,
  ClosingPerson,
  ClosingSignature,
  HoursDay,
  HoursWeek,
} from '../../sdk/api-types.ts'
import type { Presence } from '../hours/empty-day.ts'
import { readTotals, readWeeks } from '../hours/hours.queries.ts'
import { readDays } from '../review/logs.queries.ts'
import { api } from '../session/api.ts'
import { rowsOf } from '../session/files.ts'
import { groupBy } from '../ui/order.ts'
import { about } from '../ui/queries.ts'
import { addDays, laterOf, mondayOf, type Period } from '../ui/time.ts'
import { readClosing } from './closings.queries.ts'

const { closings } = api.v2.incidents

/**
 * The seconds that closings have paid for a day. They are negative if they are deducted. If several
 * closings have paid them, `closing_id` is the last closing.
 */
export interface Paid {
  seconds: number
  closing_id: number
}

export interface CardDay extends Pick<HoursDay, 'day' | 'detail' | 'spans'> {
  seconds: number | null
  exceptions: string[]
  /**
   * Says that the person requested a log of the day, and quotes the person's comments. Empty if the
   * person requested none.
   */
  request: string
  /** The payments of the day, the newest last. */
  paid: Paid[]
}

type Person = Pick<ClosingPerson, 'employee_id' | 'full_name' | 'rfc' | 'branch_office'>

/** The card that a person signs. */
export interface Card extends Period, Person {
  presence: Partial<Presence>
  /** The days with logs that were read. Some of them may be outside the period. */
  days: CardDay[]
  /** The weeks with their current hours, even if a closing has paid other hours. */
  weeks: HoursWeek[]
  /** Days before the period. The closing pays or deducts a difference for each of them. */
  earlier: CardDay[]
  /** The person's signature of the closing in an app. Undefined if there is none. */
  signature?: ClosingSignature | undefined
}

export interface Cards {
  /** The company's name. If it is empty, the card has a blank line to write it on. */
  company: string
  /** The last day of every card. Empty if the closing was not found. */
  to: string
  closing?: Closing | undefined
  cards: Card[]
}

type CardList = Omit<Cards, 'company'>

export const readCompany = async (): Promise<string> => {
  const { name } = await dataOf(api.v2.company.$get())
  return name
}

const requestText = (notices: string[], comments: string[] = []): string => {
  if (!notices.includes('solicitada')) return ''
  return comments.length === 0 ? 'Solicitada' : `Solicitada: «${comments.join('», «')}»`
}

export const toCardDay = ({ day, detail, spans, exceptions, ...row }: HoursDay): CardDay => {
  const { worked_seconds, paid_seconds, closing_id } = row
  const request = requestText(row.notices, row.request_comments)
  const isPaid = paid_seconds !== null && closing_id !== null
  const paid = isPaid ? [{ seconds: paid_seconds, closing_id }] : []
  return { day, detail, spans, seconds: worked_seconds, exceptions, request, paid }
}

const namesOf = (list: string): string[] => list.split(' ').filter(Boolean)

const dayKey = ({ employee_id, day }: { employee_id: string; day: string }) =>
  `${employee_id} ${day}`

const DAYS_MAX = 366

/**
 * Reads the comments with which people requested logs of a closing's days. `dayKey` makes the keys
 * of the map. Only the last 366 days are read.
 */
const readRequests = async (
  lines: ClosingLine[],
  employee_id: string | null,
): Promise<Map<string, string[]>> => {
  const asked = lines.filter(({ notices }) => namesOf(notices).includes('solicitada'))
  const days = asked.map(({ day }) => day).sort()
  const [first, to] = [days[0], days.at(-1)]
  if (!first || !to) return new Map()
  const from = laterOf(first, addDays(to, 1 - DAYS_MAX))
  const rows = await readDays({ from, to, ...(employee_id && { employee_id }) })
  return new Map(rows.map((row) => [dayKey(row), row.request_comments]))
}

const toPaidDay = (
  { day, detail, exceptions, notices, ...line }: ClosingLine,
  id: number,
  comments: string[] | undefined,
): CardDay => {
  const { worked_seconds, paid_before_seconds, previous_closing_id, difference_seconds } = line
  const paid = [{ seconds: difference_seconds, closing_id: id }]
  if (previous_closing_id !== null) {
    paid.unshift({ seconds: paid_before_seconds, closing_id: previous_closing_id })
  }
  const request = requestText(namesOf(notices), comments)
  // A closing that version 2.0.0 made has no spans.
  const spans = line.spans ?? []
  const names = namesOf(exceptions)
  return { day, detail, spans, seconds: worked_seconds, exceptions: names, request, paid }
}

/**
 * Makes the card's day from a day for which the closing has no line. Outside the period it shows
 * the day's current hours. Within the period it shows why the closing does not pay the day.
 */
const toUnpaidDay = (row: HoursDay, { from, to }: Period): CardDay => {
  const day = toCardDay(row)
  if (row.day < from || row.day > to) return day
  const notices = row.notices.filter((name) => name !== 'solicitada')
  return {
    ...day,
    detail: '',
    spans: [],
    seconds: null,
    exceptions: [...row.exceptions, ...notices],
  }
}

/**
 * Reads the days of a period's whole weeks, the weeks as they are compared with the law's limit,
 * and the people, all by employee id. If the whole weeks have more than 366 days, it reads only the
 * days of the period.
 */
export const readPeriod = async ({ from = '', to = '', ...place }: Record<string, string>) => {
  const whole = { from: mondayOf(from), to: addDays(mondayOf(to), 6) }
  const weeks = addDays(whole.from, DAYS_MAX) > whole.to ? whole : { from, to }
  const [days, totals, judged] = await Promise.all([
    readDays({ ...place, ...weeks }),
    readTotals({ ...place, from, to }),
    readWeeks({ ...place, from, to }),
  ])
  const daysOf = groupBy(days, ({ employee_id }) => employee_id)
  const weeksOf = groupBy(judged, ({ employee_id }) => employee_id)
  // A person who changed branches has days at other branches, which a branch's rows leave out.
  const people = totals.map((row) => ({ ...row, isOfBranch: place.branch_office !== undefined }))
  // A person who changed branch or department has several totals, but gets one card.
  return { daysOf, weeksOf, people: new Map(people.map((row) => [row.employee_id, row])) }
}

/** Makes the cards of a period, which may be a part of the period that was read. */
export const cardsOf = (
  { daysOf, weeksOf, people }: Awaited<ReturnType<typeof readPeriod>>,
  period: Period,
): Card[] =>
  [...people.values()].map((person) => {
    const days = (daysOf.get(person.employee_id) ?? []).map(toCardDay)
    const weeks = weeksOf.get(person.employee_id) ?? []
    return { ...person, ...period, presence: person, days, weeks, earlier: [] }
  })

const readPeriodCards = async (query: Record<string, string>): Promise<CardList> => {
  const { from = '', to = '' } = query
  return { to, cards: cardsOf(await readPeriod(query), { from, to }) }
}

const readSignatures = async (id: number) => {
  const { signatures } = await dataOf(closings[':id'].signatures.$get({ param: { id } }))
  return new Map(signatures.map((signature) => [signature.employee_id, signature]))
}

const readClosingCards = async (id: number): Promise<CardList> => {
  const { lines: file } = closings[':id']
  const query = { format: 'ndjson' } as const
  const [lines, persons, closing, signatures] = await Promise.all([
    rowsOf<ClosingLine>(file.$get({ param: { id }, query })),
    rowsOf<ClosingPerson>(file.$get({ param: { id }, query: { ...query, by: 'employee' } })),
    readClosing(id),
    readSignatures(id),
  ])
  const to = addDays(closing.before, -1)
  const linesOf = groupBy(lines, ({ employee_id }) => employee_id)
  const paidPeople = persons.filter(({ employee_id }) => linesOf.has(employee_id))
  const [first = to] = paidPeople.flatMap(({ from_day }) => from_day ?? []).sort()
  const { employee_id } = closing
  const period = { from: first, to, ...(employee_id && { employee_id }) }
  const [{ daysOf, weeksOf, people }, requests] = await Promise.all([
    readPeriod(period),
    readRequests(lines, employee_id),
  ])
  const cards = paidPeople.map((person) => {
    // If the closing pays a person only earlier days, the period has no days.
    const { employee_id, from_day } = person
    const from = from_day ?? closing.before
    const paid = (linesOf.get(employee_id) ?? []).map((line) =>
      toPaidDay(line, id, requests.get(dayKey(line))),
    )
    const paidDays = new Set(paid.map(({ day }) => day))
    const unpaid = (daysOf.get(employee_id) ?? []).filter(({ day }) => !paidDays.has(day))
    return {
      ...person,
      from,
      to,
      presence: people.get(employee_id) ?? {},
      days: [
        ...unpaid.map((row) => toUnpaidDay(row, { from, to })),
        ...paid.filter(({ day }) => day >= from),
      ],
      weeks: weeksOf.get(employee_id) ?? [],
      earlier: paid.filter(({ day }) => day < from),
      signature: signatures.get(employee_id),
    }
  })
  return { to, closing, cards }
}

const readCards = async ({ closing, ...query }: Record<string, string>): Promise<Cards> => {
  const [company, list] = await Promise.all([
    readCompany(),
    closing ? readClosingCards(Number(closing)) : readPeriodCards(query),
  ])
  return { company, ...list }
}

export const cardsQuery = (query: Record<string, string>) =>
  queryOptions({
    queryKey: [...about.closings, 'cards', query],
    queryFn: () => readCards(query),
    // They are long, and are printed once.
    gcTime: 0,
  })
