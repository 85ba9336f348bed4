import { branchNames, signedIn } from '../session/session.ts'
import { useKept } from '../ui/use-read.ts'
import { readSample } from './people.api.ts'
import type { FieldName } from './person-fields.ts'

const sortedNames = (names: string[]): string[] =>
  [...new Set(names)].filter(Boolean).sort((a, b) => a.localeCompare(b, 'es'))

/**
 * The names in use, by field. Departments and positions are read from only 500 people, and are
 * undefined until then.
 */
export const usePlaces = (): Partial<Record<FieldName, string[]>> => {
  const { data: people } = useKept('people', readSample)
  const namesOf = (field: 'department' | 'job_position') =>
    people && { [field]: sortedNames(people.map((person) => person[field])) }
  return {
    branch_office: sortedNames(branchNames()),
    payroll_group: sortedNames(signedIn().payroll_groups),
    ...namesOf('department'),
    ...namesOf('job_position'),
  }
}
