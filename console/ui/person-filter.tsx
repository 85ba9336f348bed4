import { usePersonName } from '../state/person-name.ts'
import { Icon } from './icon.tsx'
import { PersonSearch } from './person-search.tsx'

interface Props {
  id: string | undefined
  /** Called with the chosen person's id, empty for none. */
  onChange: (employee_id: string) => void
}

/** The person of the filter, by name. */
const Person = ({ id, onChange }: Props & { id: string }) => {
  const name = usePersonName(id)
  return (
    <div class="search">
      <span class="label">Persona</span>
      <button type="button" class="token" onClick={() => onChange('')}>
        {name}
        <Icon name="cross" />
        <span class="sr">: quitar este filtro</span>
      </button>
    </div>
  )
}

export const PersonFilter = ({ id, onChange }: Props) => (
  <div>
    {id ? (
      <Person key="person" id={id} onChange={onChange} />
    ) : (
      <PersonSearch
        key="search"
        label="Persona"
        onChoose={(person) => person && onChange(person.employee_id)}
      />
    )}
  </div>
)
