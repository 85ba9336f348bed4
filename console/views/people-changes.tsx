import { readUserChanges } from '../api/users.ts'
import { useRead } from '../state/use-read.ts'
import { shortMoment } from '../time.ts'
import { Skeleton } from '../ui/reading.tsx'

const FIELDS: Record<string, string> = {
  email: 'Correo',
  first_name: 'Nombre',
  last_name: 'Apellido paterno',
  mother_last_name: 'Apellido materno',
  role: 'Rol',
  active: 'Activo',
  machine: 'Es una máquina',
  employee_id: 'Empleado',
  scope_branches: 'Sucursales',
  sources: 'Relojes',
}

const listIn = (value: unknown): unknown => {
  if (typeof value !== 'string' || !value.startsWith('[')) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

const wordOf = (field: string, value: unknown): string => {
  if (field === 'active' || field === 'machine') return value ? 'sí' : 'no'
  if (value === null && field === 'scope_branches') return 'todas'
  if (value === null && field === 'sources') return 'todos'
  const found = listIn(value)
  if (Array.isArray(found)) return found.join(', ')
  return value === null || value === '' ? 'nada' : String(value)
}

interface Change {
  field: string
  before: unknown
  after: unknown
}

/** A change in words: `Rol: de employee a admin`. */
export const describeChange = ({ field, before, after }: Change): string => {
  if (field === 'password_set') return 'Puso su contraseña'
  if (field === 'machine_access') return 'Se hizo un token'
  if (field === 'invitation') {
    return after ? `Enlace de invitación hasta el ${shortMoment(String(after))}` : 'Fin del enlace'
  }
  const name = FIELDS[field] ?? field
  return `${name}: de ${wordOf(field, before)} a ${wordOf(field, after)}`
}

/** What was changed of a user, by whom and when. */
export const UserChanges = ({ id, version }: { id: number; version: number }) => {
  const { data: changes, problem } = useRead(() => readUserChanges(id), [id, version])
  return (
    <section>
      <h2>Cambios</h2>
      {!changes && !problem && <Skeleton rows={2} />}
      <p class="problem" role="alert">
        {problem}
      </p>
      {changes?.length === 0 && <p class="note">Nadie ha cambiado nada desde que se registra.</p>}
      <ul class="clocks">
        {changes?.map((change) => (
          <li key={change.id}>
            <p>{change.changes.map(describeChange).join(' · ') || 'Se olvidó lo que decía.'}</p>
            <p class="note">
              {change.user?.full_name ?? 'Quien opera el servicio'}, {shortMoment(change.at)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
