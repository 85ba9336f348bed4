import type { ClosingLine, HoursDay } from '../../sdk/api-types.ts'
import type { Presence } from '../calendar.ts'
import { addDays, mondayOf, type Period } from '../time.ts'
import { call } from './call.ts'
import { api, hasStatus } from './client.ts'
import { readClosings } from './closings.ts'
import { readDays, readTotals, rowsOf } from './hours.ts'

/** What stands on a card that a person signs. However many people there are, a request a file. */

/** What a closing has paid for a day; negative where it deducts. */
export interface Paid {
  seconds: number
  closing_id: number
}

export interface CardDay {
  day: string
  detail: string
  seconds: number | null
  exceptions: string[]
  /** The newest last. */
  paid: Paid[]
}

export interface Card {
  employee_id: string
  full_name: string
  rfc: string
  branch_office: string
  presence: Partial<Presence>
  /** In whole weeks, also outside the period. */
  days: CardDay[]
  /** Days before the period of which the closing pays a difference. */
  earlier: CardDay[]
}

export interface Cards extends Period {
  company: string
  /** The branch that they are of; undefined for all. */
  branch?: string | undefined
  closing?: { id: number; hash: string } | undefined
  cards: Card[]
}

/** The name of the company is the configuration entry `empresa`; without it a line stays empty. */
const readCompany = () =>
  call(() => api.v2.clients.config[':config'].$get({ param: { config: 'empresa' } })).then(
    ({ valor }) => valor,
    (error) => {
      if (hasStatus(error, 404)) return ''
      throw error
    },
  )

const ofHours = (row: HoursDay): CardDay => ({
  day: row.day,
  detail: row.detail,
  seconds: row.worked_seconds,
  exceptions: row.exceptions,
  paid:
    row.paid_seconds === null || row.closing_id === null
      ? []
      : [{ seconds: row.paid_seconds, closing_id: row.closing_id }],
})

const ofClosing = (line: ClosingLine, id: number): CardDay => {
  const { previous_closing_id, paid_before_seconds, difference_seconds } = line
  const before = { seconds: paid_before_seconds, closing_id: previous_closing_id ?? 0 }
  return {
    day: line.day,
    detail: line.detail,
    seconds: line.worked_seconds,
    exceptions: line.exceptions.split(' ').filter(Boolean),
    paid: [
      ...(previous_closing_id === null ? [] : [before]),
      { seconds: difference_seconds, closing_id: id },
    ],
  }
}

/**
 * A day that has no line of the closing: of the rest of a week that the period cuts, the hours of now;
 * of the period, why it has none.
 */
const ofHoursBeside = (row: HoursDay, { from, to }: Period): CardDay => {
  const day = ofHours(row)
  if (row.day < from || row.day > to) return day
  return { ...day, detail: '', seconds: null, exceptions: [...row.exceptions, ...row.notices] }
}

/** The hours of a period: its days in whole weeks, and its people, of whom each has one card. */
const readPeriod = async ({ from = '', to = '', ...place }: Record<string, string>) => {
  const weeks = { from: mondayOf(from), to: addDays(mondayOf(to), 6) }
  const [days, totals] = await Promise.all([
    readDays({ ...place, ...weeks }),
    readTotals({ ...place, from, to }),
  ])
  const daysOf = Map.groupBy(days, ({ employee_id }) => employee_id)
  return { daysOf, people: new Map(totals.map((row) => [row.employee_id, row])) }
}

const readPeriodCards = async (query: Record<string, string>): Promise<Omit<Cards, 'company'>> => {
  const { from = '', to = '' } = query
  const { daysOf, people } = await readPeriod(query)
  const cards = [...people.values()].map(
    ({ employee_id, full_name, rfc, branch_office, ...row }) => ({
      employee_id,
      full_name,
      rfc,
      branch_office,
      presence: row,
      days: (daysOf.get(employee_id) ?? []).map(ofHours),
      earlier: [],
    }),
  )
  return { from, to, branch: query.branch_office, cards }
}

const readClosingCards = async (id: number): Promise<Omit<Cards, 'company'>> => {
  const { lines: file } = api.v2.incidents.closings[':id']
  const [lines, page] = await Promise.all([
    rowsOf<ClosingLine>(() => file.$get({ param: { id }, query: { format: 'ndjson' } })),
    readClosings(String(id + 1)),
  ])
  const closing = page.closings.find((one) => one.id === id)
  const own = lines.filter(({ of_period }) => of_period === 1)
  const ofPeriod = (own.length > 0 ? own : lines).map(({ day }) => day).toSorted()
  const [from = '', to = ''] = [ofPeriod[0], ofPeriod.at(-1)]
  const whom: Record<string, string> = closing?.employee_id
    ? { employee_id: closing.employee_id }
    : {}
  const { daysOf, people } = from
    ? await readPeriod({ from, to, ...whom })
    : { daysOf: new Map<string, HoursDay[]>(), people: new Map() }
  const cards = [...Map.groupBy(lines, (line) => line.employee_id)].flatMap(
    ([employee_id, ofPerson]) => {
      const [first] = ofPerson
      if (!first) return []
      const { full_name, rfc, branch_office } = first
      const paid = ofPerson.map((line) => ofClosing(line, id))
      const lineDays = new Set(ofPerson.map(({ day }) => day))
      const others = (daysOf.get(employee_id) ?? []).filter(({ day }) => !lineDays.has(day))
      return {
        employee_id,
        full_name,
        rfc,
        branch_office,
        presence: people.get(employee_id) ?? {},
        days: [
          ...others.map((row) => ofHoursBeside(row, { from, to })),
          ...paid.filter(({ day }) => day >= from),
        ],
        earlier: paid.filter(({ day }) => day < from),
      }
    },
  )
  return { from, to, closing: { id, hash: closing?.hash ?? '' }, cards }
}

/** The cards of a closing, or of a period: of one person, of a branch or of everybody. */
export const readCards = async ({ closing, ...query }: Record<string, string>): Promise<Cards> => {
  const [company, cards] = await Promise.all([
    readCompany(),
    closing ? readClosingCards(Number(closing)) : readPeriodCards(query),
  ])
  return { company, ...cards }
}
