import { useRef } from 'preact/hooks'
import type { UserRecord } from '../../sdk/api-types.ts'
import { currentRecordOf, useRecordDraft } from '../people/record-draft.ts'
import { type Ability, branchNames, signedIn } from '../session/session.ts'
import { Checkbox, Choice, Field, Suggestions } from '../ui/fields.tsx'
import { FormEnd, FormField, type Given, problemsOf, useForm } from '../ui/form.tsx'
import { PersonFilter } from '../ui/person-search.tsx'
import { AlertList } from '../ui/reading.tsx'
import { roleWord } from '../ui/text.ts'
import { fieldsOf, type UserFields } from './users.api.ts'

/** What the users of a role may do, in the order in which a role is described. */
const ABILITY_TEXTS: [Ability, string, inScope?: string][] = [
  ['decide', 'aprueba checadas'],
  // Only who sees all branches closes periods.
  ['pay', 'cierra y paga', 've horas y cierres'],
  ['keep_people', 'lleva personas'],
  ['keep_users', 'lleva usuarios'],
  ['send_logs', 'envía checadas'],
]

/** The roles that a user may get. */
export const roleNames = (): string[] => (signedIn().roles ?? []).map(({ role }) => role)

/**
 * A role with a text about what its users may do who see these branches, or all of them if the list
 * is null.
 */
export const roleName = (role: string, scope_branches: string[] | null = null): string => {
  if (role === 'employee') return `${roleWord(role)} (solo su app)`
  const found = signedIn().roles?.find((one) => one.role === role)
  const abilities = (scope_branches === null ? found?.can : found?.can_in_scope) ?? []
  const texts = ABILITY_TEXTS.flatMap(([ability, text, inScope = text]) =>
    abilities.includes(ability) ? [scope_branches === null ? text : inScope] : [],
  )
  return `${roleWord(role)} (${texts.join(', ') || 'sin permisos'})`
}

const linesOf = (typed: string): string[] | null => {
  const lines = typed.split('\n').map((line) => line.trim())
  return lines.some(Boolean) ? lines.filter(Boolean) : null
}

interface PartProps {
  draft: UserFields
  change: (fields: Partial<UserFields>) => void
}

/** The branches that somebody sees: all of them, or the chosen ones. */
const Scope = ({ draft: { scope_branches: scope }, change }: PartProps) => {
  const known = branchNames()
  const names = [...new Set([...known, ...(scope ?? [])])].filter(Boolean)
  const choice = (text: string, checked: boolean, value: string[] | null) => (
    <label class="pick">
      <input
        type="radio"
        name="scope"
        checked={checked}
        onChange={() => change({ scope_branches: value })}
      />
      {text}
    </label>
  )
  const toggle = (name: string, checked: boolean) =>
    change({
      scope_branches: [...(scope ?? []).filter((one) => one !== name), ...(checked ? [name] : [])],
    })
  const added = useRef<HTMLInputElement>(null)
  const add = () => {
    const name = added.current?.value.trim()
    if (!added.current || !name) return
    toggle(name, true)
    added.current.value = ''
    added.current.focus()
  }
  return (
    <fieldset class="picks">
      <legend>Sucursales</legend>
      {choice('Todas', scope === null, null)}
      {choice('Solo algunas', scope !== null, scope ?? [])}
      {scope &&
        names.map((name) => (
          <Checkbox
            key={name}
            checked={scope.includes(name)}
            onChange={(checked) => toggle(name, checked)}
          >
            {name}
          </Checkbox>
        ))}
      {scope && (
        <div class="once">
          <Field id="user-branch" label="Otra sucursal">
            <input
              id="user-branch"
              name="branch"
              ref={added}
              autocomplete="off"
              list="user-branches"
            />
          </Field>
          <Suggestions id="user-branches" names={known} />
          <button type="button" onClick={add}>
            Agregar sucursal
          </button>
        </div>
      )}
    </fieldset>
  )
}

/** The fields about what the user may do. Users may not change these fields of their own user. */
const Powers = ({ draft, change, stored }: PartProps & { stored: UserRecord }) => {
  const { machine_roles } = signedIn()
  const { machine, sources } = draft
  const offered = machine ? (machine_roles ?? []) : roleNames()
  const own = stored.role && machine === stored.machine ? [stored.role] : []
  return (
    <div class="stack">
      <Checkbox checked={machine} onChange={(machine) => change({ machine, role: '' })}>
        Es una máquina (un reloj, otro sistema)
      </Checkbox>
      <Choice
        id="user-role"
        label="Rol"
        empty="Elige un rol"
        value={draft.role}
        options={[...new Set([...offered, ...own])].map(
          (role) => [role, roleName(role, draft.scope_branches)] as const,
        )}
        onChange={(role) => change({ role })}
      />
      <Scope draft={draft} change={change} />
      {!machine && (
        <PersonFilter
          removeText="quitar"
          label="Empleado a quien pertenece (opcional)"
          id={draft.employee_id ?? undefined}
          onChange={(employee_id) => change({ employee_id: employee_id || null })}
        />
      )}
      {(machine || sources) && (
        <Field id="user-sources" label="Relojes de los que envía, uno por línea">
          <textarea
            id="user-sources"
            rows={2}
            defaultValue={(sources ?? []).join('\n')}
            aria-describedby="user-sources-note"
            onChange={({ target }: Event) =>
              change({ sources: linesOf((target as HTMLTextAreaElement).value) })
            }
          />
          <p id="user-sources-note" class="note">
            Vacío: de cualquiera.
          </p>
        </Field>
      )}
    </div>
  )
}

export const NEW_USER: UserRecord = {
  id: 0,
  email: '',
  first_name: '',
  last_name: '',
  mother_last_name: '',
  role: '',
  active: 1,
  machine: false,
  employee_id: null,
  scope_branches: null,
  sources: null,
  has_password: false,
  password_through: null,
  invitation_expires_at: null,
  version: 0,
}

const FIELDS = ['email', 'first_name', 'last_name', 'mother_last_name', 'all']

interface Props {
  user: UserRecord
  back: string
  send: (fields: UserFields, email: string, base: UserRecord) => Promise<void>
}

/** The form of a user. The email of an existing user cannot be changed. */
export const UserForm = ({ user, back, send }: Props) => {
  const { base, draft, change, moved, take } = useRecordDraft<UserFields, UserRecord>(
    user,
    fieldsOf,
  )
  const isNew = user.id === 0
  /** The chosen branches, and a branch that was typed but not added yet. Null for all branches. */
  const scopeOf = (given: Given) =>
    draft.scope_branches && [...draft.scope_branches, given('branch')].filter(Boolean)
  const form = useForm({
    check: (given) => ({
      ...(isNew && !given('email') && { email: 'Escribe su correo.' }),
      ...(!draft.first_name.trim() && { first_name: 'Escribe el nombre.' }),
      ...(!draft.role && { role: 'Elige un rol.' }),
      ...(scopeOf(given)?.length === 0 && { scope_branches: 'Elige las sucursales.' }),
    }),
    send: (given) =>
      send(
        {
          ...draft,
          employee_id: draft.machine ? null : draft.employee_id,
          scope_branches: scopeOf(given),
        },
        given('email'),
        base,
      ),
    describe: (error) => {
      const current = currentRecordOf<UserRecord>(error)
      if (!current) return problemsOf(error)
      take(current)
      return { all: 'Alguien cambió este usuario mientras lo editabas. Revisa y guarda otra vez.' }
    },
  })
  const { problems } = form
  const name = (field: 'first_name' | 'last_name' | 'mother_last_name', label: string) => (
    <FormField
      form={form}
      name={field}
      label={label}
      autocomplete="off"
      value={draft[field]}
      onInput={({ target }: Event) => change({ [field]: (target as HTMLInputElement).value })}
    />
  )
  // The fields whose errors are shown at the end of the form, such as `scope_branches.1`.
  const others = Object.keys(problems).filter((field) => !FIELDS.includes(field))
  return (
    <form {...form.props}>
      {isNew && (
        <FormField
          form={form}
          name="email"
          label="Correo electrónico"
          type="email"
          autocomplete="off"
        />
      )}
      {name('first_name', 'Nombre')}
      <div class="pair">
        {name('last_name', 'Apellido paterno')}
        {name('mother_last_name', 'Apellido materno')}
      </div>
      {user.id !== signedIn().user.id && (
        <Powers
          draft={draft}
          change={(fields) => {
            change(fields)
            form.clear('role')
          }}
          stored={base}
        />
      )}
      {moved.length > 0 && <AlertList lines={moved} />}
      <FormEnd
        form={form}
        problem={[problems.all, ...others.map((field) => problems[field])]
          .filter(Boolean)
          .join(' ')}
        act={isNew ? (draft.machine ? 'Agregar' : 'Invitar') : 'Guardar'}
        busyAct="Guardando…"
      >
        <a class="button" href={back}>
          Volver
        </a>
      </FormEnd>
    </form>
  )
}
