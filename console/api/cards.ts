import type { ClosingLine, HoursDay } from '../../sdk/api-types.ts'
import { call } from './call.ts'
import { api, hasStatus } from './client.ts'
import { readClosings } from './closings.ts'
import { type HoursQuery, readDays, readTotals, rowsOf } from './hours.ts'

/** What stands on a card that a person signs. */

export interface CardDay {
  day: string
  detail: string
  seconds: number | null
  exceptions: string[]
}

export interface Card {
  employee_id: string
  full_name: string
  rfc: string
  branch_office: string
  days: CardDay[]
}

export interface Cards {
  company: string
  from: string
  to: string
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

const toCardDay = ({ day, detail, worked_seconds, exceptions }: HoursDay): CardDay => ({
  day,
  detail,
  seconds: worked_seconds,
  exceptions,
})

const readPeriodCards = async (query: HoursQuery): Promise<Card[]> => {
  const [days, totals] = await Promise.all([readDays(query), readTotals(query)])
  const daysOf = Map.groupBy(days, ({ employee_id }) => employee_id)
  // Somebody who moved has a row for each branch, and one card.
  const people = new Map(totals.map((row) => [row.employee_id, row]))
  return [...people.values()].map(({ employee_id, full_name, rfc, branch_office }) => ({
    employee_id,
    full_name,
    rfc,
    branch_office,
    days: (daysOf.get(employee_id) ?? []).map(toCardDay),
  }))
}

const readClosingCards = async (id: number): Promise<Omit<Cards, 'company'>> => {
  const { lines: file } = api.v2.incidents.closings[':id']
  const [lines, page] = await Promise.all([
    rowsOf<ClosingLine>(() => file.$get({ param: { id }, query: { format: 'ndjson' } })),
    readClosings(String(id + 1)),
  ])
  const people = Map.groupBy(lines, ({ employee_id }) => employee_id)
  const ofPeriod = lines.filter(({ of_period }) => of_period === 1).map(({ day }) => day)
  const days = (ofPeriod.length > 0 ? ofPeriod : lines.map(({ day }) => day)).toSorted()
  return {
    from: days[0] ?? '',
    to: days.at(-1) ?? '',
    closing: { id, hash: page.closings.find((closing) => closing.id === id)?.hash ?? '' },
    cards: [...people.values()].flatMap((own) => {
      const [first] = own
      if (!first) return []
      const { employee_id, full_name, rfc, branch_office } = first
      const cardDays = own.map((line) => ({
        day: line.day,
        detail: line.detail,
        seconds: line.difference_seconds,
        exceptions: line.exceptions.split(' ').filter(Boolean),
      }))
      const sorted = cardDays.toSorted((a, b) => (a.day < b.day ? -1 : 1))
      return [{ employee_id, full_name, rfc, branch_office, days: sorted }]
    }),
  }
}

/** The cards of a closing, or of a period: of one person, of a branch or of everybody. */
export const readCards = async ({
  closing,
  from = '',
  to = '',
  ...query
}: Record<string, string>): Promise<Cards> => {
  const [company, cards] = await Promise.all([
    readCompany(),
    closing
      ? readClosingCards(Number(closing))
      : readPeriodCards({ ...query, from, to }).then((found) => ({ from, to, cards: found })),
  ])
  return { company, ...cards }
}
