import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { messageOf } from '../session/client.ts'
import { connection } from '../session/connection.ts'
import { DRAFT_KEY } from '../session/session.ts'
import { tabStorage } from '../session/storage.ts'
import { useStore } from '../session/store.ts'
import { Field, useSuggestedValue } from './fields.tsx'
import { Problem } from './reading.tsx'
import { OFFLINE_MESSAGE } from './text.ts'

/** The error messages of a form, by field. The message under `all` is about the whole form. */
type Problems = Record<string, string>

export const problemsOf = (error: unknown): Problems => {
  const errors = (error as { errors?: Record<string, string[]> }).errors ?? {}
  const fields = Object.entries(errors).map(([name, [text = '']]) => [name, text] as const)
  return fields.length > 0 ? Object.fromEntries(fields) : { all: messageOf(error) }
}

/** Returns the text of a field. The text is empty for a box that is not checked. */
export type Given = (name: string) => string

const givenIn = (form: HTMLFormElement): Given => {
  const data = new FormData(form)
  // Blanks at the ends of a password are part of the password.
  const isPassword = (name: string) => {
    const field = form.elements.namedItem(name)
    return field instanceof HTMLInputElement && field.type === 'password'
  }
  return (name) => {
    const text = String(data.get(name) ?? '')
    return isPassword(name) ? text : text.trim()
  }
}

const restore = (form: HTMLFormElement, draft: string): void => {
  const typed: Record<string, string> = JSON.parse(tabStorage.getItem(DRAFT_KEY + draft) ?? '{}')
  for (const field of form.querySelectorAll<HTMLInputElement>('[name]')) {
    const value = typed[field.name]
    if (value === undefined) continue
    if (field.type === 'radio' || field.type === 'checkbox') field.checked = field.value === value
    else {
      field.value = value
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }
  if (Object.keys(typed).length > 0) form.dispatchEvent(new Event('input', { bubbles: true }))
}

interface Options {
  /** The tab stores what the user types under this name, until the form is sent or forgotten. */
  draft?: string
  /** Returns the errors that prevent the form from being sent. */
  check: (given: Given) => Problems
  send: (given: Given) => Promise<void>
  describe?: (error: unknown) => Problems
}

/** The state of a form. The form shows errors, and cannot be sent twice at the same time. */
export const useForm = ({ draft, check, send, describe = problemsOf }: Options) => {
  const id = useId()
  const ref = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState(false)
  const { online } = useStore(connection)
  const forget = () => draft && tabStorage.removeItem(DRAFT_KEY + draft)
  /** Removes the error of a field that is being corrected, and the error of the whole form. */
  const clear = (name: string) => {
    const { [name]: _, all: __, ...others } = problems
    if (problems[name] || problems.all) setProblems(others)
  }
  const isRestored = useRef(false)
  const onInput = ({ target }: Event) => {
    if (!ref.current || !(target instanceof Element)) return
    // What is typed now is newer than the stored draft.
    isRestored.current = true
    if ('name' in target) clear(String(target.name))
    if (draft) {
      const typed = Object.fromEntries(new FormData(ref.current))
      tabStorage.setItem(DRAFT_KEY + draft, JSON.stringify(typed))
    }
  }
  // Some forms are shown only after data has been read. So each render tries to restore the draft
  // until the form is there.
  useEffect(() => {
    if (isRestored.current || !draft || !ref.current) return
    isRestored.current = true
    restore(ref.current, draft)
  })
  const onSubmit = async (event: Event) => {
    event.preventDefault()
    if (!ref.current || busy) return
    const given = givenIn(ref.current)
    const missing = check(given)
    setProblems(missing)
    if (Object.keys(missing).length > 0) return
    setBusy(true)
    try {
      await send(given)
      forget()
    } catch (error) {
      setProblems(describe(error))
    } finally {
      setBusy(false)
    }
  }
  return {
    id,
    problems,
    busy,
    online,
    given: (name: string) => (ref.current ? givenIn(ref.current)(name) : ''),
    clear,
    forget,
    props: { ref, onSubmit, onInput, novalidate: true },
    problem: (name: string) => (
      <p id={`${id}-${name}-problem`} class="problem" role="alert">
        {problems[name] ?? ''}
      </p>
    ),
    /** The attributes that link a field to its error message. */
    about: (name: string) => ({
      'aria-describedby': `${id}-${name}-problem`,
      'aria-invalid': problems[name] ? ('true' as const) : undefined,
    }),
  }
}

interface FieldProps {
  form: Pick<ReturnType<typeof useForm>, 'id' | 'about' | 'problem'>
  name: string
  label: string
  hint?: string
  /** The number of lines of a textarea. Without it, the field is an input. */
  rows?: number
  type?: string
  autocomplete?: string
  autofocus?: boolean
  /** The id of the field's `Suggestions`. */
  list?: string
  /** The latest day of a date. */
  max?: string
  /** The value to begin with, or with `onInput` the current one. */
  value?: string
  onInput?: (event: Event) => void
}

export const FormField = ({ form, name, label, hint, rows, value, ...input }: FieldProps) => {
  const id = `${form.id}-${name}`
  const isControlled = input.onInput !== undefined && value !== undefined
  const ref = useSuggestedValue<HTMLInputElement & HTMLTextAreaElement>(
    isControlled ? undefined : value,
  )
  const field: object = { id, name, ...input, ...(isControlled && { value }), ...form.about(name) }
  return (
    <div>
      <Field id={id} label={label}>
        {rows ? <textarea ref={ref} {...field} rows={rows} /> : <input ref={ref} {...field} />}
        {hint && <p class="note">{hint}</p>}
      </Field>
      {form.problem(name)}
    </div>
  )
}

interface EndProps {
  form: Pick<ReturnType<typeof useForm>, 'busy' | 'online'>
  problem: string | undefined
  act: string
  busyAct: string
  class?: string
  /** The buttons before the submit button. */
  children?: ComponentChildren
}

/** The end of a form: an error message and the buttons. The form cannot be sent while offline. */
export const FormEnd = (props: EndProps) => {
  const { form, problem, act, busyAct, class: name = 'primary', children } = props
  const { busy, online } = form
  return (
    <>
      <Problem text={problem || (online ? '' : OFFLINE_MESSAGE)} />
      <footer>
        {children}
        <button type="submit" class={name} disabled={!online || busy}>
          {busy ? busyAct : act}
        </button>
      </footer>
    </>
  )
}
