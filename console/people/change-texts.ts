import type { PeopleChange } from '../../sdk/api-types.ts'
import { shortMoment } from '../ui/time.ts'
import { FIELD_NAMES, shownValue } from './person-fields.ts'

const NAMES: Record<string, string> = {
  ...FIELD_NAMES,
  employee_id: 'Número de empleado',
  email: 'Correo',
  first_name: 'Nombre',
  last_name: 'Apellido paterno',
  mother_last_name: 'Apellido materno',
  role: 'Rol',
  active: 'Activo',
  machine: 'Es una máquina',
  scope_branches: 'Sucursales',
  sources: 'Relojes',
}

/** Fields of a user that only other systems use. The console neither shows nor changes them. */
const HIDDEN = ['external', 'type_user', 'status_user']

/** The texts for events of a user, by field. Such a field never has a previous value. */
const EVENTS: Record<string, (after: unknown) => string> = {
  password_set: () => 'Puso su contraseña.',
  machine_access: () => 'Se hizo una clave para la máquina.',
  tokens_ended: () => 'Se cerraron sus sesiones.',
  invitation: (after) =>
    after ? `Enlace de invitación hasta el ${shortMoment(String(after))}.` : 'Fin del enlace.',
}

export const shownValueOf = (field: string, value: unknown): string => {
  if (field === 'active' || field === 'machine') return shownValue(value ? 'sí' : 'no')
  if (value === null && field === 'scope_branches') return shownValue('todas')
  if (value === null && field === 'sources') return shownValue('todos')
  return shownValue(Array.isArray(value) ? value.join(', ') : (value as string))
}

/** `Puesto: antes «Cajera», ahora «Supervisora»` */
export const describeChange = (field: string, before: unknown, after: unknown): string => {
  const [old, now] = [shownValueOf(field, before), shownValueOf(field, after)]
  return `${NAMES[field] ?? field}: antes ${old}, ahora ${now}`
}

/** Describes one change. Each text of the result is a sentence. */
export const describeChanges = ({ subject, changes: all }: PeopleChange): string[] => {
  if (all.length === 0) return ['Sus datos se olvidaron.']
  const events = all.flatMap(({ field, after }) => EVENTS[field]?.(after) ?? [])
  const changes = all.filter(({ field }) => !EVENTS[field] && !HIDDEN.includes(field))
  const values = (side: 'before' | 'after') =>
    changes
      .filter((change) => (change[side] ?? '') !== '' && change[side] !== false)
      .map(({ field, [side]: value }) => `${NAMES[field] ?? field} ${shownValueOf(field, value)}`)
      .join(', ')
  const isWhole = (side: 'before' | 'after') =>
    // A change that adds or deletes a person has several fields. One that adds a user has the
    // email, which no other change of a user has.
    (subject === 'user' ? changes.some(({ field }) => field === 'email') : changes.length > 1) &&
    changes.every((change) => change[side] === null)
  if (isWhole('before')) return [`Alta: ${values('after')}.`, ...events]
  if (isWhole('after')) return [`Se borró. Tenía: ${values('before')}.`, ...events]
  return [
    ...changes.map(({ field, before, after }) => `${describeChange(field, before, after)}.`),
    ...events,
  ]
}
