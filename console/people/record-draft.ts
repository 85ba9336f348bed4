import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../../sdk/api-client.ts'
import { describeChange, shownValueOf } from './change-texts.ts'

/** The current record, if an error says that somebody else has changed it. Otherwise undefined. */
export const currentRecordOf = <Stored>(error: unknown): Stored | undefined =>
  error instanceof ApiError ? (error.current as Stored | undefined) : undefined

/** The sentence about a field that somebody else has changed. */
export const movedText = (name: string, before: unknown, after: unknown, own?: unknown): string => {
  const typed = own === undefined ? '' : ` Tú escribiste ${shownValueOf(name, own)}.`
  return `${describeChange(name, before, after)}.${typed}`
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * The draft of a form that changes a record. When somebody else has changed the record, the typed
 * fields stay, and the other fields get their current values.
 */
export const useRecordDraft = <Fields extends object, Stored extends Fields & { version: number }>(
  stored: Stored,
  fieldsOf: (record: Fields) => Fields,
  /** What the draft begins with instead of the stored values. */
  begin: Partial<Fields> = {},
) => {
  const [base, setBase] = useState(stored)
  const [draft, setDraft] = useState({ ...fieldsOf(stored), ...begin })
  /** A sentence for each field that somebody else has changed. */
  const [moved, setMoved] = useState<string[]>([])
  const take = (current: Stored, { isOwn = false } = {}) => {
    const [before, after] = [fieldsOf(base), fieldsOf(current)]
    const names = Object.keys(before) as (keyof Fields & string)[]
    const typed = names.filter((name) => !isSame(draft[name], before[name]))
    setDraft({ ...after, ...Object.fromEntries(typed.map((name) => [name, draft[name]])) })
    setBase(current)
    const changed = names.filter(
      (name) =>
        !isSame(before[name], after[name]) &&
        !isSame(draft[name], after[name]) &&
        (!isOwn || typed.includes(name)),
    )
    setMoved(
      changed.map((name) => {
        const change = describeChange(name, before[name], after[name])
        const own = typed.includes(name) ? ` Tú escribiste ${shownValueOf(name, draft[name])}.` : ''
        return `${change}.${own}`
      }),
    )
  }
  useEffect(() => {
    if (stored.version === base.version) return
    // The user made this change with a button of the page. Only what overwrites a typed field can be
    // somebody else's.
    take(stored, { isOwn: true })
  }, [stored.version])
  const change = (fields: Partial<Fields>) => setDraft((now) => ({ ...now, ...fields }))
  return { base, draft, change, moved, take }
}
