import { useEffect, useRef } from 'preact/hooks'
import { Field, Suggestions } from './fields.tsx'

const TYPING_PAUSE_MS = 250

interface Props {
  label: string
  id: string
  value?: string | undefined
  /** The names that the field suggests. */
  names?: string[] | undefined
  onChange: (text: string) => void
}

/**
 * A search field. It reports its text after a pause in typing, unless the page was left meanwhile.
 */
export const TextFilter = ({ label, id, value = '', names, onChange }: Props) => {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  // Another filter may change during the pause, and `onChange` with it.
  const report = useRef(onChange)
  report.current = onChange
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <Field id={id} label={label}>
      <input
        id={id}
        type="search"
        autocomplete="off"
        list={names && `${id}-names`}
        defaultValue={value}
        onInput={({ target }: Event) => {
          clearTimeout(timer.current)
          const text = (target as HTMLInputElement).value.trim()
          timer.current = setTimeout(() => report.current(text), TYPING_PAUSE_MS)
        }}
      />
      {names && <Suggestions id={`${id}-names`} names={names} />}
    </Field>
  )
}
