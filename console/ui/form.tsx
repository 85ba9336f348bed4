import { type Child, useId, useRef, useState } from 'hono/jsx/dom'
import { messageOf } from '../api/client.ts'
import { connection } from '../api/connection.ts'
import { useStore } from '../state/store.ts'
import { OFFLINE_MESSAGE } from '../text.ts'

/** The error messages of a form, by field. The message under `all` is about the whole form. */
type Problems = Record<string, string>

const problemsOf = (error: unknown): Problems => {
  const errors = (error as { errors?: Record<string, string[]> }).errors ?? {}
  const fields = Object.entries(errors).map(([name, [text = '']]) => [name, text] as const)
  return fields.length > 0 ? Object.fromEntries(fields) : { all: messageOf(error) }
}

/** Returns the text of a field. It is empty for a box that is not checked. */
export type Given = (name: string) => string

const givenIn = (form: HTMLFormElement): Given => {
  const data = new FormData(form)
  return (name) => String(data.get(name) ?? '').trim()
}

interface Options {
  /** Returns the errors that prevent the form from being sent. */
  check: (given: Given) => Problems
  send: (given: Given) => Promise<void>
  describe?: (error: unknown) => Problems
}

/** The state of a form. It shows errors, and it cannot be sent twice at the same time. */
export const useForm = ({ check, send, describe = problemsOf }: Options) => {
  const id = useId()
  const ref = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState(false)
  const { online } = useStore(connection)
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
    } catch (error) {
      setProblems(describe(error))
      setBusy(false)
    }
  }
  return {
    id,
    problems,
    busy,
    online,
    given: (name: string) => (ref.current ? givenIn(ref.current)(name) : ''),
    props: { ref, onSubmit, novalidate: true },
    /** The error message below a field. */
    problem: (name: string) => (
      <p id={`${id}-${name}-problem`} class="problem" role="alert">
        {problems[name] ?? ''}
      </p>
    ),
    /** The attributes that link a field to its error message. */
    about: (name: string) => ({
      'aria-describedby': `${id}-${name}-problem`,
      'aria-invalid': problems[name] ? 'true' : undefined,
    }),
  }
}

interface EndProps {
  form: Pick<ReturnType<typeof useForm>, 'busy' | 'online'>
  problem: string | undefined
  act: string
  busyAct: string
  class?: string
  /** The buttons before the submit button. */
  children: Child
}

/** The end of a form: its errors and buttons. The form cannot be sent while offline. */
export const FormEnd = (props: EndProps) => {
  const { form, problem, act, busyAct, class: name = 'primary', children } = props
  const { busy, online } = form
  return (
    <>
      <p class="problem" role="alert">
        {problem || (online ? '' : OFFLINE_MESSAGE)}
      </p>
      <footer>
        {children}
        <button type="submit" class={name} disabled={!online || busy}>
          {busy ? busyAct : act}
        </button>
      </footer>
    </>
  )
}
