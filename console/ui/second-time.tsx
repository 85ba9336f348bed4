import { useState } from 'preact/hooks'
import { newId } from '../session/new-id.ts'
import { Remark } from './reading.tsx'
import { Form, type Problems, problemsOf, useForm } from './use-form.tsx'

/** What the service says of a typed day and hour, at the form's field `time`. */
export const timeProblems = (error: unknown): Problems => {
  const { local_time, recorded_at, branch_office, second, ...others } = problemsOf(error)
  const time = local_time ?? recorded_at ?? branch_office ?? second
  return time === undefined ? others : { ...others, time }
}

interface Props {
  /** The warning that the hour came twice, and that the first was taken. */
  message: string
  onFirst: () => void
  /** Adds the second one. With the id of the first, the service would add nothing. */
  sendSecond: (client_id: string) => Promise<void>
}

/** Asks which of two equal hours was meant. The service has stored the first. */
export const SecondTime = ({ message, onFirst, sendSecond }: Props) => {
  const [clientId] = useState(newId())
  const form = useForm({ initial: {}, send: () => sendSecond(clientId), describe: timeProblems })
  return (
    <Form
      form={form}
      act="Fue la segunda"
      busyAct="Enviando…"
      look=""
      beside={
        <button type="button" class="primary" onClick={onFirst}>
          Fue la primera
        </button>
      }
    >
      <div role="alert">
        <Remark>{message} ¿Fue esa?</Remark>
      </div>
      <p class="note">Si fue la segunda, se agrega también. Quien las revisa rechaza la primera.</p>
    </Form>
  )
}
