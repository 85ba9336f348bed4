import { apiCompare, type Diff } from 'api-smart-diff'
import type { Json } from './publish.ts'

/**
 * Finds the changes between two OpenAPI documents that can break a client of the first one.
 * docs/upgrading.md lists the kinds of these changes.
 */

type Path = readonly (string | number)[]

/** A response field became required. This breaks no client. */
const isNewlyRequired = ({ action, path }: Diff): boolean =>
  action === 'add' && path.includes('responses') && path.at(-2) === 'required'

/** A request field was removed. Clients that send it would not notice that it is ignored. */
const isIgnoredField = ({ action, path }: Diff): boolean =>
  action === 'remove' && path.includes('requestBody') && path.at(-2) === 'properties'

/** Generated clients name their functions after the operation id. */
const isRenamedOperation = ({ action, path }: Diff): boolean =>
  action !== 'add' && path.at(-1) === 'operationId'

/**
 * A response field's type, format or constant changed. A list of types that only became shorter
 * does not count.
 */
const isChangedType = ({ action, path, before, after }: Diff): boolean => {
  const [parent, keyword] = path.slice(-2)
  if (!path.includes('responses') || parent === 'properties') return false
  if (action === 'add') return keyword === 'type'
  const isNarrower = Array.isArray(before) && [after].flat().every((type) => before.includes(type))
  return action === 'replace' && /^(type|const|format)$/.test(`${keyword}`) && !isNarrower
}

const isNewSecurity = ({ action, path }: Diff): boolean =>
  action !== 'remove' && path.includes('security')

/** Shared components are skipped, because their changes appear in the operations that use them. */
const isShared = ({ path }: Diff): boolean => path[0] === 'components'

const isBreaking = (diff: Diff): boolean =>
  (diff.type === 'breaking' && !isNewlyRequired(diff)) ||
  isIgnoredField(diff) ||
  isChangedType(diff) ||
  isNewSecurity(diff) ||
  isRenamedOperation(diff)

/** The constants of a schema whose alternatives are all constants. */
const constantsOf = (alternatives: Json | undefined): Json[] => {
  if (!Array.isArray(alternatives)) return []
  const constants = alternatives.flatMap((item) =>
    typeof item === 'object' && item !== null && 'const' in item ? [item.const as Json] : [],
  )
  return constants.length === alternatives.length ? constants : []
}

/** Writes alternatives that are all constants as the enum that they are. */
const withEnums = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withEnums)
  if (typeof value !== 'object' || value === null) return value
  const { anyOf, ...schema } = value
  const constants = constantsOf(anyOf)
  if (constants.length > 0) {
    const type = constants.every(Number.isInteger) ? 'integer' : typeof constants[0]
    return { ...schema, type, enum: constants }
  }
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withEnums(field)]))
}

const nameOf = (path: Path): string => path.filter((part) => part !== '').join(' › ')

export const breakingChanges = (before: object, after: object): string[] =>
  apiCompare(withEnums(before as Json) as object, withEnums(after as Json) as object)
    .diffs.filter((diff) => !isShared(diff) && isBreaking(diff))
    .map(({ action, path }) => `${action}: ${nameOf(path)}`)
