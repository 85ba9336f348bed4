import { apiCompare, type Diff } from 'api-smart-diff'

/**
 * The changes between two OpenAPI documents that can break a program written for the first one, as
 * texts; docs/upgrading.md says in words which these are.
 */

type Path = readonly (string | number)[]

/** A field that is promised from now on breaks nobody. */
const isNewPromise = ({ action, path }: Diff): boolean =>
  action === 'add' && path.includes('responses') && path.at(-2) === 'required'

/** A field that is no longer read: what is sent in it would be lost without a word. */
const isIgnoredField = ({ action, path }: Diff): boolean =>
  action === 'remove' && path.includes('requestBody') && path.at(-2) === 'properties'

/** Generated clients name their functions after it. */
const isRenamedOperation = ({ action, path }: Diff): boolean =>
  action !== 'add' && path.at(-1) === 'operationId'

/** A value of another form in a response, but for a type that has fewer forms than before. */
const isOtherForm = ({ action, path, before, after }: Diff): boolean => {
  const [parent, keyword] = path.slice(-2)
  if (!path.includes('responses') || parent === 'properties') return false
  if (action === 'add') return keyword === 'type'
  const isNarrower = Array.isArray(before) && [after].flat().every((type) => before.includes(type))
  return action === 'replace' && /^(type|const|format)$/.test(`${keyword}`) && !isNarrower
}

const isNewSecurity = ({ action, path }: Diff): boolean =>
  action !== 'remove' && path.includes('security')

/** Judged where operations use it: in a request or a response. */
const isShared = ({ path }: Diff): boolean => path[0] === 'components'

const isBreaking = (diff: Diff): boolean =>
  (diff.type === 'breaking' && !isNewPromise(diff)) ||
  isIgnoredField(diff) ||
  isOtherForm(diff) ||
  isNewSecurity(diff) ||
  isRenamedOperation(diff)

const nameOf = (path: Path): string => path.filter((part) => part !== '').join(' › ')

export const breakingChanges = (before: object, after: object): string[] =>
  apiCompare(before, after)
    .diffs.filter((diff) => !isShared(diff) && isBreaking(diff))
    .map(({ action, path }) => `${action}: ${nameOf(path)}`)
