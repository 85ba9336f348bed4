import type { AuthorizedDb } from '../core/db/authorization.ts'
import { listPeopleToCompare } from './candidates.queries.ts'

/** Who a number of a clock may be, for somebody who names it. */

/** Whether one text becomes the other one with one digit typed wrong, left out or added. */
const isOneDigitApart = (one: string, other: string): boolean => {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (long.length - short.length > 1 || one === other) return false
  let same = 0
  while (same < short.length && short[same] === long[same]) same++
  const rest = short.length === long.length ? short.slice(same + 1) : short.slice(same)
  return rest === long.slice(same + 1)
}

const WHYS = ['same', 'one_digit', 'clock'] as const

/** How many people are shown. */
const SHOWN = 8

/**
 * The people whose id is the number without blanks and leading zeros, then those with one digit
 * apart, then those who punch at the clock.
 * @throws DomainError CLOCK_NOT_FOUND
 */
export const findCandidates = async (
  db: AuthorizedDb,
  { serial, number }: { serial: string; number: string },
  now: Date,
) => {
  const today = now.toISOString().slice(0, 10)
  const people = await listPeopleToCompare(db, { serial, number, today })
  const whyOf = (person: (typeof people)[number]): (typeof WHYS)[number] | undefined => {
    const { id_key, number_key, uses_clock } = person
    if (id_key === number_key) return 'same'
    if (isOneDigitApart(id_key, number_key)) return 'one_digit'
    return uses_clock ? 'clock' : undefined
  }
  const alike = people.flatMap((person) => {
    const why = whyOf(person)
    const { id_key: _, number_key: __, uses_clock: ___, ...shown } = person
    return why ? [{ ...shown, why }] : []
  })
  const rank = ({ why }: (typeof alike)[number]) => WHYS.indexOf(why)
  return alike.toSorted((a, b) => rank(a) - rank(b)).slice(0, SHOWN)
}
