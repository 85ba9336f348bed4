import { useRef, useState } from 'hono/jsx/dom'
import { Field } from './fields.tsx'

const TYPING_PAUSE_MS = 250

interface Props {
  label: string
  id: string
  value?: string | undefined
  list?: string
  onChange: (text: string) => void
}

/** A search field. It reports its text after a pause in typing. */
export const TextFilter = ({ label, id, value = '', list, onChange }: Props) => {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  // Only the first value is used. A later one would replace what the user is typing.
  const [initial] = useState(value)
  return (
    <Field id={id} label={label}>
      <input
        id={id}
        type="search"
        autocomplete="off"
        list={list}
        value={initial}
        onInput={({ target }: Event) => {
          clearTimeout(timer.current)
          const text = (target as HTMLInputElement).value.trim()
          timer.current = setTimeout(() => onChange(text), TYPING_PAUSE_MS)
        }}
      />
    </Field>
  )
}
