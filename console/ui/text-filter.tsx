import { useRef } from 'preact/hooks'
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
  return (
    <Field id={id} label={label}>
      <input
        id={id}
        type="search"
        autocomplete="off"
        list={list}
        defaultValue={value}
        onInput={({ target }: Event) => {
          clearTimeout(timer.current)
          const text = (target as HTMLInputElement).value.trim()
          timer.current = setTimeout(() => onChange(text), TYPING_PAUSE_MS)
        }}
      />
    </Field>
  )
}
