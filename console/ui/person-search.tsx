import { useId, useRef, useState } from 'preact/hooks'
import type { FoundEmployee } from '../../sdk/api-types.ts'
import { messageOf } from '../session/client.ts'
import { searchEmployees } from '../session/employees.ts'
import { Icon } from './icon.tsx'
import { usePersonName } from './person-name.ts'

const TYPING_PAUSE_MS = 200

interface Props {
  label: string
  /** Called with the chosen person, and with undefined when the user edits the text. */
  onChoose: (person: FoundEmployee | undefined) => void
  /** The initial text of the field. */
  value?: string | undefined
  required?: boolean
  /** The name of the field with the typed text, in a form that must know it. */
  name?: string | undefined
  invalid?: string | undefined
}

/** A combobox that searches people by name or id (WAI-ARIA: list autocomplete). */
export const PersonSearch = ({ label, onChoose, value = '', required, name, invalid }: Props) => {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const [found, setFound] = useState<FoundEmployee[]>([])
  const [note, setNote] = useState('')
  const [active, setActive] = useState(0)
  const [initial] = useState(value)

  const isOpen = found.length > 0

  const search = async (text: string) => {
    try {
      const employees = await searchEmployees(text)
      if (input.current?.value.trim() !== text) return
      setFound(employees)
      setActive(0)
      setNote(employees.length > 0 ? '' : 'Nadie se llama así ni tiene ese número.')
    } catch (error) {
      setNote(messageOf(error))
    }
  }
  const onInput = () => {
    clearTimeout(timer.current)
    const text = input.current?.value.trim() ?? ''
    setFound([])
    setNote('')
    onChoose(undefined)
    if (text) timer.current = setTimeout(() => search(text), TYPING_PAUSE_MS)
  }
  const choose = (person: FoundEmployee | undefined) => {
    if (!person) return
    if (input.current) input.current.value = person.full_name
    setFound([])
    onChoose(person)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setActive((active + step + found.length) % found.length)
    else if (event.key === 'Enter') choose(found[active])
    else if (event.key === 'Escape') setFound([])
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="search">
      <label for={id}>{label}</label>
      <div class="with-icon">
        <Icon name="search" />
        <input
          id={id}
          ref={input}
          name={name}
          type="text"
          role="combobox"
          autocomplete="off"
          placeholder="Nombre o número"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-activedescendant={isOpen ? `${id}-${active}` : undefined}
          aria-required={required ? 'true' : undefined}
          aria-invalid={invalid ? 'true' : undefined}
          aria-describedby={`${id}-note`}
          defaultValue={initial}
          onInput={onInput}
          onKeyDown={onKeyDown}
          onBlur={() => setTimeout(() => setFound([]), 150)}
        />
      </div>
      <div
        id={`${id}-list`}
        class="options"
        role="listbox"
        aria-label="Resultados"
        hidden={!isOpen}
      >
        {found.map((person, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the combobox
          <div
            key={person.employee_id}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === active}
            onPointerDown={(event: Event) => event.preventDefault()}
            onClick={() => choose(person)}
          >
            <strong>{person.full_name}</strong>
            <span>
              {person.employee_id} · {person.branch_office}
              {person.ended_at && ' · ya no trabaja aquí'}
            </span>
          </div>
        ))}
      </div>
      <p id={`${id}-note`} class={`note ${invalid ? 'problem' : ''}`}>
        {invalid || note}
      </p>
    </div>
  )
}

interface FilterProps {
  id: string | undefined
  label?: string
  /** What screen readers say about the button with the chosen person's name. */
  removeText?: string
  name?: string
  /** Called with the chosen person's id, or with an empty text to remove the filter. */
  onChange: (employee_id: string) => void
}

/** Shows the person that a filter has chosen, with a button to remove the filter. */
const Person = ({ id, label, removeText, onChange }: FilterProps & { id: string }) => {
  const name = usePersonName(id)
  return (
    <div class="search">
      <span class="label">{label}</span>
      <button type="button" class="token" onClick={() => onChange('')}>
        {name}
        <Icon name="cross" />
        <span class="sr">: {removeText}</span>
      </button>
    </div>
  )
}

export const PersonFilter = ({
  id,
  label = 'Persona',
  removeText = 'quitar este filtro',
  name,
  onChange,
}: FilterProps) => (
  <div>
    {id ? (
      <Person key="person" id={id} label={label} removeText={removeText} onChange={onChange} />
    ) : (
      <PersonSearch
        key="search"
        label={label}
        name={name}
        onChoose={(person) => person && onChange(person.employee_id)}
      />
    )}
  </div>
)
