import { useEffect, useState } from 'hono/jsx/dom'
import type { UserRecord } from '../../sdk/api-types.ts'
import type { UserFields } from '../api/users.ts'
import { fieldsOf } from '../api/users.ts'

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const NAMES = Object.keys as (fields: UserFields) => (keyof UserFields)[]

/**
 * What is typed about a user. When somebody else has changed the user, what was typed stays, and
 * the other fields get their new values.
 */
export const useUserDraft = (stored: UserRecord) => {
  const [base, setBase] = useState(stored)
  const [draft, setDraft] = useState(fieldsOf(stored))
  const [moved, setMoved] = useState<{ field: string; before: unknown; after: unknown }[]>([])
  const take = (current: UserRecord) => {
    const [before, after] = [fieldsOf(base), fieldsOf(current)]
    const kept = NAMES(draft).filter((name) => !isSame(draft[name], before[name]))
    setDraft({ ...after, ...Object.fromEntries(kept.map((name) => [name, draft[name]])) })
    setBase(current)
    const all = [...NAMES(before), 'active'] as const
    setMoved(
      all
        .filter((field) => !isSame(base[field], current[field]))
        .map((field) => ({ field, before: base[field], after: current[field] })),
    )
  }
  useEffect(() => {
    if (stored.version === base.version) return
    take(stored)
    // The writer made this change with a button of the page.
    setMoved([])
  }, [stored.version])
  const change = (fields: Partial<UserFields>) => setDraft({ ...draft, ...fields })
  return { base, draft, change, moved, take }
}
