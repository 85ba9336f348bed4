import { useEffect, useState } from 'hono/jsx/dom'
import { call } from '../api/call.ts'
import { api } from '../api/client.ts'
import { queue } from '../state/queue.ts'
import { Icon } from './icon.tsx'
import { PersonSearch } from './person-search.tsx'

interface Props {
  id: string | undefined
  /** Called with the chosen person's id, empty for none. */
  onChange: (employee_id: string) => void
}

/** The person of the filter, by name. */
const Person = ({ id, onChange }: Props & { id: string }) => {
  const [name, setName] = useState(id)
  useEffect(() => {
    const known = queue.get().rows.find(({ employee }) => employee.employee_id === id)
    if (known) return setName(known.employee.full_name)
    call(() => api.v2.incidents.employees.$get({ query: { q: id } }))
      .then(({ employees }) =>
        setName(employees.find((e) => e.employee_id === id)?.full_name ?? id),
      )
      .catch(() => {})
  }, [id])
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
        onChoose={({ employee_id }) => onChange(employee_id)}
      />
    )}
  </div>
)
