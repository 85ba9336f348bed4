import { useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import type { FoundEmployee } from '../../sdk/api-types.ts'
import { messageOf } from '../session/client.ts'
import { Combobox } from './combobox.tsx'
import { Icon } from './icon.tsx'
import { foundPeople, personQuery } from './person.queries.ts'
import type { FieldProps } from './use-form.tsx'

const TYPING_PAUSE_MS = 200

const NOBODY: FoundEmployee[] = []

interface Props {
  label: string
  /** Called with the chosen person, and with undefined when the user edits the text. */
  onChoose: (person: FoundEmployee | undefined) => void
  /** Called with the typed text. */
  onType?: ((text: string) => void) | undefined
  /** The initial text of the field. */
  value?: string | undefined
  required?: boolean
  /** The name of the field with the typed text, in a form that must know it. */
  name?: string | undefined
  invalid?: string | undefined
}

/** Searches people by name or id. */
export const PersonSearch = (props: Props) => {
  const { label, onChoose, onType, value = '', required, name, invalid } = props
  const [text, setText] = useState(value)
  /** The text whose people are shown. Empty while no list is open. */
  const [sought, setSought] = useState('')
  const [isTyped, setTyped] = useState(false)
  useEffect(() => {
    if (!isTyped) return
    const timer = setTimeout(() => setSought(text.trim()), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, isTyped])
  const { data: found, error } = useQuery(foundPeople(sought))
  const close = () => {
    setTyped(false)
    setSought('')
  }
  const note = error ? messageOf(error) : found && 'Nadie se llama así ni tiene ese número.'
  return (
    <Combobox
      label={label}
      name={name}
      placeholder="Nombre o número"
      value={text}
      onInput={(typed) => {
        setText(typed)
        setTyped(true)
        setSought('')
        onChoose(undefined)
        onType?.(typed)
      }}
      options={found ?? NOBODY}
      keyOf={({ employee_id }) => employee_id}
      option={({ employee_id, full_name, branch_office, ended_at }) => (
        <>
          <strong>{full_name}</strong>
          <span>
            {employee_id} · {branch_office}
            {ended_at && ' · ya no trabaja aquí'}
          </span>
        </>
      )}
      onChoose={(person) => {
        setText(person.full_name)
        close()
        onChoose(person)
      }}
      onClose={close}
      required={required}
      {...(note && !found?.length && { hint: note })}
      problem={invalid}
    />
  )
}

/** A form's field for a person, or for null while nobody is chosen. */
export const PersonField = (props: FieldProps<FoundEmployee | null>) => (
  <PersonSearch
    label="Persona"
    required
    name={props.name}
    value={props.value?.full_name}
    invalid={props.problem}
    onChoose={(person) => props.onChange(person ?? null)}
  />
)

interface FilterProps {
  id: string | undefined
  label?: string
  /** What screen readers say about the button with the chosen person's name. */
  removeText?: string
  invalid?: string | undefined
  onType?: (text: string) => void
  /** Called with the chosen person's id, or with an empty text to remove the filter. */
  onChange: (employee_id: string) => void
}

/** Shows the person that a filter has chosen, with a button to remove the filter. */
const Person = ({ id, label, removeText, onChange }: FilterProps & { id: string }) => (
  <div class="field">
    <span class="label">{label}</span>
    <button type="button" class="token" onClick={() => onChange('')}>
      <PersonName id={id} />
      <Icon name="cross" />
      <span class="sr">: {removeText}</span>
    </button>
  </div>
)

/** A person's name, or the id while the name is unknown. */
export const PersonName = ({ id }: { id: string }) => (
  <>{useQuery(personQuery(id)).data?.full_name ?? id}</>
)

export const PersonFilter = ({
  id,
  label = 'Persona',
  removeText = 'quitar este filtro',
  invalid,
  onType,
  onChange,
}: FilterProps) => (
  <div>
    {id ? (
      <Person key="person" id={id} label={label} removeText={removeText} onChange={onChange} />
    ) : (
      <PersonSearch
        key="search"
        label={label}
        invalid={invalid}
        onType={onType}
        onChoose={(person) => person && onChange(person.employee_id)}
      />
    )}
  </div>
)
