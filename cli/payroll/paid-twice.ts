/** A person of a closing, with the days that this closing or an earlier closing has paid. */
export interface PaidPerson {
  installation: string
  closing: string
  employee_id: string
  rfc: string
  days: readonly string[]
}

/** Whether the RFC identifies one person. Two general RFCs are for people without one. */
const hasOwnRfc = ({ rfc }: PaidPerson): boolean => /^(?!X[AE]XX010101000)\S{13}$/i.test(rfc)

/** One installation may write an RFC in upper case, and another one in lower case. */
const rfcKey = ({ rfc }: PaidPerson): string => rfc.toUpperCase()

/** Installations may give the same `employee_id` to different people, whose RFCs then differ. */
const isSame = (a: PaidPerson, b: PaidPerson): boolean =>
  hasOwnRfc(a) && hasOwnRfc(b) ? rfcKey(a) === rfcKey(b) : a.employee_id === b.employee_id

/**
 * Names the days for which two installations pay the same person.
 * @param allowed the ids of employees who are skipped
 */
export const daysPaidTwice = (people: readonly PaidPerson[], allowed: string[]): string[] => {
  const compared = people.filter(({ employee_id }) => !allowed.includes(employee_id))
  const groups = [
    ...Map.groupBy(compared, ({ employee_id }) => employee_id).values(),
    ...Map.groupBy(compared.filter(hasOwnRfc), rfcKey).values(),
  ]
  const pairs = groups.flatMap((group) =>
    group.flatMap((a, i) => group.slice(i + 1).map((b) => [a, b] as const)),
  )
  const texts = pairs.flatMap(([a, b]) => {
    if (a.installation === b.installation || !isSame(a, b)) return []
    const days = a.days.filter((day) => b.days.includes(day))
    if (days.length === 0) return []
    return `${a.closing} pays ${a.employee_id} and ${b.closing} pays ${b.employee_id}, the same person, for ${days.join(', ')}.`
  })
  return [...new Set(texts)]
}
