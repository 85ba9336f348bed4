import { dataOf } from '../../sdk/api-client.ts'
import type { ClosingLine, ClosingPerson, HoursDay } from '../../sdk/api-types.ts'
import type { Presence } from '../calendar.ts'
import { addDays, mondayOf, type Period } from '../time.ts'
import { api } from './api.ts'
import { hasStatus } from './client.ts'
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

export interface Card extends Period {
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

export interface Cards {
  company: string
  /** The last day of all of them. */
  to: string
  closing?: { id: number; hash: string } | undefined
  cards: Card[]
}

/** The name of the company is the configuration entry `empresa`; without it a line stays empty. */
const readCompany = () =>
  dataOf(api.v2.clients.config[':config'].$get({ param: { config: 'empresa' } })).then(
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
      from,
      to,
      employee_id,
      full_name,
      rfc,
      branch_office,
      presence: row,
      days: (daysOf.get(employee_id) ?? []).map(ofHours),
      earlier: [],
    }),
  )
  return { to, cards }
}

const readClosingCards = async (id: number): Promise<Omit<Cards, 'company'>> => {
  const { lines: file } = api.v2.incidents.closings[':id']
  const query = { format: 'ndjson' } as const
  const [lines, persons, { closings }] = await Promise.all([
    rowsOf<ClosingLine>(file.$get({ param: { id }, query })),
    rowsOf<ClosingPerson>(file.$get({ param: { id }, query: { ...query, by: 'employee' } })),
    readClosings(String(id + 1)),
  ])
  const closing = closings.find((one) => one.id === id)
  if (!closing) return { to: '', cards: [] }
  const to = addDays(closing.before, -1)
  const linesOf = Map.groupBy(lines, ({ employee_id }) => employee_id)
  const taken = persons.flatMap((person) => {
    const ofPerson = linesOf.get(person.employee_id)
    if (!ofPerson) return []
    return { person, ofPerson, from: person.from_day }
  })
  const [from = to] = taken.map((one) => one.from).toSorted()
  const { employee_id } = closing
  const { daysOf, people } = await readPeriod({ from, to, ...(employee_id && { employee_id }) })
  const cards = taken.map(({ person, ofPerson, from }) => {
    const paid = ofPerson.map((line) => ofClosing(line, id))
    const lineDays = new Set(ofPerson.map(({ day }) => day))
    const others = (daysOf.get(person.employee_id) ?? []).filter(({ day }) => !lineDays.has(day))
    return {
      ...person,
      from,
      to,
      presence: people.get(person.employee_id) ?? {},
      days: [
        ...others.map((row) => ofHoursBeside(row, { from, to })),
        ...paid.filter(({ day }) => day >= from),
      ],
      earlier: paid.filter(({ day }) => day < from),
    }
  })
  return { to, closing, cards }
}

/** The cards of a closing, or of a period: of one person, of a branch or of everybody. */
export const readCards = async ({ closing, ...query }: Record<string, string>): Promise<Cards> => {
  const [company, cards] = await Promise.all([
    readCompany(),
    closing ? readClosingCards(Number(closing)) : readPeriodCards(query),
  ])
  return { company, ...cards }
}
