import { useQuery } from '@tanstack/preact-query'
import { branchNames, signedIn } from '../session/session.ts'
import { sampleQuery } from './people.queries.ts'
import type { FieldName } from './person-fields.ts'

const sortedNames = (names: string[]): string[] =>
  [...new Set(names)].filter(Boolean).sort((a, b) => a.localeCompare(b, 'es'))

/**
 * The names in use, by field. Departments and positions are read from only 500 people, and are
 * undefined until then.
 */
export const usePlaces = (): Partial<Record<FieldName, string[]>> => {
  const { data: people } = useQuery(sampleQuery)
  const namesOf = (field: 'department' | 'job_position') =>
    people && { [field]: sortedNames(people.map((person) => person[field])) }
  return {
    branch_office: sortedNames(branchNames()),
    payroll_group: sortedNames(signedIn().payroll_groups),
    ...namesOf('department'),
    ...namesOf('job_position'),
  }
}
