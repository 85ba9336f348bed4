import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from '../../sdk/api-client.ts'
import { messageOf } from '../session/client.ts'
import { connection } from '../session/connection.ts'
import { DRAFT_KEY } from '../session/session.ts'
import { tabStorage } from '../session/storage.ts'
import { useStore } from '../session/store.ts'
import { Problem } from './reading.tsx'
import { OFFLINE_MESSAGE } from './text.ts'

/** The errors of a form by field, or by a part of it (`sources.2`); `all` is the whole form's. */
export type Problems = Record<string, string | false | undefined>

export const problemsOf = (error: unknown): Problems => {
  const errors = error instanceof ApiError ? Object.entries(error.errors) : []
  const found = errors.map(([name, [text = '']]) => [name, text] as const)
  return found.length > 0 ? Object.fromEntries(found) : { all: messageOf(error) }
}

/** The current record, if an error says that somebody else has changed it. Otherwise undefined. */
export const currentRecordOf = <Stored,>(error: unknown): Stored | undefined =>
  error instanceof ApiError ? (error.current as Stored | undefined) : undefined

/** A stored record that the form changes, although somebody else may change it meanwhile. */
interface StoredRecord<Values, Stored> {
  stored: Stored
  valuesOf: (record: Stored) => Partial<Values>
  /** Says that somebody else has changed a field. `own` is what the user typed instead. */
  describe: (name: string, before: unknown, after: unknown, own?: unknown) => string
}

interface Options<Values, Stored> {
  initial: Values
  /** The tab stores what the user types under this name, until the form is sent or forgotten. */
  draft?: string | undefined
  record?: StoredRecord<Values, Stored>
  /** Returns the errors that prevent the form from being sent. */
  check?: (values: Values) => Problems
  /** @param base the record on which the values are based */
  send: (values: Values, base: Stored) => Promise<unknown>
  /** Returns the texts for what `send` has thrown. */
  describe?: (error: unknown) => Problems
}

/** What a field's component gets of `form.field(name)`. */
export interface FieldProps<Value> {
  id: string
  name: string
  value: Value
  problem: string | undefined
  onChange: (value: Value) => void
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const textsOf = (problems: Problems) =>
  Object.fromEntries(Object.entries(problems).filter((one): one is [string, string] => !!one[1]))

const isOf = (name: string) => (path: string) => path === name || path.startsWith(`${name}.`)

/** A draft of an earlier version of the page may have other fields. */
const withDraft = <Values extends object>(initial: Values, draft: string | undefined): Values => {
  const stored = draft === undefined ? null : tabStorage.getItem(DRAFT_KEY + draft)
  const typed = Object.entries(JSON.parse(stored ?? '{}')).filter(
    ([name, value]) => typeof value === typeof initial[name as keyof Values],
  )
  return { ...initial, ...Object.fromEntries(typed) }
}

/**
 * Merges a record that somebody else has changed into what the user has typed: the typed fields
 * stay, and the other fields get their current values.
 * @param isOwn whether the user may have made the change, with another form of the page
 */
const merged = <Values extends object, Stored>(
  values: Values,
  base: Stored,
  current: Stored,
  { valuesOf, describe }: StoredRecord<Values, Stored>,
  isOwn: boolean,
) => {
  const [before, after] = [valuesOf(base), valuesOf(current)]
  const names = Object.keys(before) as (keyof Values & string)[]
  const isTyped = (name: keyof Values) => !isSame(values[name], before[name])
  const moved = names.filter(
    (name) =>
      !isSame(before[name], after[name]) &&
      !isSame(values[name], after[name]) &&
      (!isOwn || isTyped(name)),
  )
  return {
    values: Object.fromEntries(
      names.filter((name) => !isTyped(name)).map((name) => [name, after[name]]),
    ) as Partial<Values>,
    moved: moved.map((name) =>
      describe(name, before[name], after[name], isTyped(name) ? values[name] : undefined),
    ),
  }
}

/**
 * The state of a form: its values by name, its errors, and whether it is being sent. After an error
 * the first wrong field gets the focus. A form cannot be sent twice at the same time.
 */
export const useForm = <Values extends object, Stored extends { version: number }>(
  options: Options<Values, Stored>,
) => {
  const { initial, draft, record, check, send, describe = problemsOf } = options
  const id = useId()
  const ref = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(() => withDraft(initial, draft))
  /** The values after all changes, of which some are not drawn yet. */
  const latest = useRef(values)
  const [base, setBase] = useState(record?.stored as Stored)
  const [moved, setMoved] = useState<string[]>([])
  const [problems, setProblems] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const isSending = useRef(false)
  /** The fields of this render. The errors of other fields are shown at the end of the form. */
  const fields = new Set<string>()

  const change = (changes: Partial<Values>) => {
    latest.current = { ...latest.current, ...changes }
    setValues(latest.current)
  }
  const set = (changes: Partial<Values>) => {
    change(changes)
    if (draft !== undefined) tabStorage.setItem(DRAFT_KEY + draft, JSON.stringify(latest.current))
    const isCorrected = (name: string) =>
      name === 'all' || Object.keys(changes).some((changed) => isOf(changed)(name))
    setProblems((all) =>
      Object.fromEntries(Object.entries(all).filter(([one]) => !isCorrected(one))),
    )
  }
  const take = (current: Stored, isOwn: boolean) => {
    if (!record || current.version === base.version) return
    const merge = merged(latest.current, base, current, record, isOwn)
    change(merge.values)
    setMoved(merge.moved)
    setBase(current)
  }
  const forget = () => draft !== undefined && tabStorage.removeItem(DRAFT_KEY + draft)

  /** The values without blanks at the ends, which only passwords may have. */
  const trimmed = (): Values => {
    const isPassword = (name: string) => {
      const field = ref.current?.elements.namedItem(name)
      return field instanceof HTMLInputElement && field.type === 'password'
    }
    const texts = Object.entries(latest.current).map(([name, value]) => [
      name,
      typeof value === 'string' && !isPassword(name) ? value.trim() : value,
    ])
    return Object.fromEntries(texts) as Values
  }
  const focus = (name: string) => {
    const field = ref.current?.elements.namedItem(name)
    // Several fields of one name are a list.
    const first = field instanceof Element ? field : field?.[0]
    if (first instanceof HTMLElement) first.focus()
  }
  const mustFocus = useRef(false)
  const refuse = (found: Problems) => {
    mustFocus.current = true
    setProblems(textsOf(found))
  }
  useLayoutEffect(() => {
    if (!mustFocus.current || busy) return
    mustFocus.current = false
    const wrong = (name: string) => Object.keys(problems).some(isOf(name))
    const named = [...(ref.current?.elements ?? [])] as HTMLInputElement[]
    const first = named.find(({ name }) => name && wrong(name))
    if (first) focus(first.name)
  })
  // The page has read the record again.
  useLayoutEffect(() => {
    if (record) take(record.stored, true)
  }, [record?.stored.version])

  const onSubmit = async (event: Event) => {
    event.preventDefault()
    if (isSending.current) return
    const given = trimmed()
    const missing = textsOf(check?.(given) ?? {})
    if (Object.keys(missing).length > 0) return refuse(missing)
    setProblems({})
    isSending.current = true
    setBusy(true)
    try {
      await send(given, base)
      forget()
    } catch (error) {
      const current = currentRecordOf<Stored>(error)
      if (current) take(current, false)
      refuse(describe(error))
    } finally {
      isSending.current = false
      setBusy(false)
    }
  }
  return {
    values,
    base,
    /** A sentence for each field that somebody else has changed. */
    moved,
    problems,
    busy,
    set,
    refuse,
    focus,
    forget,
    field: <Name extends keyof Values & string>(name: Name): FieldProps<Values[Name]> => {
      fields.add(name)
      return {
        id: `${id}-${name}`,
        name,
        value: values[name],
        problem: Object.entries(problems).find(([one]) => isOf(name)(one))?.[1],
        onChange: (value) => set({ [name]: value } as unknown as Partial<Values>),
      }
    },
    /** The errors that no field shows. */
    otherProblems: () =>
      Object.entries(problems).flatMap(([name, text]) =>
        [...fields].some((field) => isOf(field)(name)) ? [] : text,
      ),
    props: { ref, onSubmit, novalidate: true },
  }
}

/** What the components of a form need to know of it. */
export type FormState = Pick<
  ReturnType<typeof useForm<object, { version: number }>>,
  'busy' | 'otherProblems' | 'props'
>

export interface FormProps {
  form: FormState
  act: string
  busyAct?: string | undefined
  /** How the button looks. */
  look?: 'primary' | 'danger' | ''
  /** The buttons before the form's own. */
  beside?: ComponentChildren
  class?: string
  children?: ComponentChildren
}

/** A form with its errors and its buttons at the end. It cannot be sent while offline. */
export const Form = (props: FormProps) => {
  const { form, act, busyAct = 'Guardando…', look = 'primary', beside, children } = props
  return (
    <form {...form.props} class={props.class}>
      {children}
      <FormEnd form={form} act={act} busyAct={busyAct} look={look} beside={beside} />
    </form>
  )
}

/** It is a component, so that it is drawn after the fields, which say what they show. */
const FormEnd = ({ form, act, busyAct, look, beside }: FormProps) => {
  const { online } = useStore(connection)
  return (
    <>
      <Problem text={form.otherProblems().join(' ') || (online ? '' : OFFLINE_MESSAGE)} />
      <footer>
        {beside}
        <button type="submit" class={look ?? ''} disabled={!online || form.busy}>
          {form.busy ? busyAct : act}
        </button>
      </footer>
    </>
  )
}
