import { ApiError } from '../../sdk/api-client.ts'
import type { UserRecord } from '../../sdk/api-types.ts'
import { signedIn } from '../api/session.ts'
import type { UserFields } from '../api/users.ts'
import { useUserDraft } from '../state/user-draft.ts'
import { Checkbox, Choice, Field } from '../ui/fields.tsx'
import { FormEnd, problemsOf, useForm } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { PersonFilter } from '../ui/person-search.tsx'
import { describeChange } from './people-changes.tsx'

export const roleName = (role: string): string =>
  role === 'employee' ? 'employee (solo su app)' : role

const linesOf = (text: string): string[] | null => {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.some(Boolean) ? lines.filter(Boolean) : null
}

interface PartProps {
  draft: UserFields
  change: (fields: Partial<UserFields>) => void
}

/** The branches that somebody sees: all of them, or the chosen ones. */
const Scope = ({ draft: { scope_branches: scope }, change }: PartProps) => {
  const known = signedIn().branches.map(({ branch_office }) => branch_office)
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
      scope_branches: names.filter((one) => (one === name ? checked : scope?.includes(one))),
    })
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
    </fieldset>
  )
}

/** What the user may do. Nobody changes this about themself. */
const Powers = ({ draft, change, stored }: PartProps & { stored: UserRecord }) => {
  const { roles, machine_roles } = signedIn()
  const { machine, sources } = draft
  const offered = (machine ? machine_roles : roles) ?? []
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
        options={[...new Set([...offered, ...own])].map((role) => [role, roleName(role)] as const)}
        onChange={(role) => change({ role })}
      />
      <Scope draft={draft} change={change} />
      {!machine && (
        <PersonFilter
          key="employee"
          label="Empleado a quien pertenece (opcional)"
          id={draft.employee_id ?? undefined}
          onChange={(employee_id) => change({ employee_id: employee_id || null })}
        />
      )}
      {(machine || sources) && (
        <Field key="sources" id="user-sources" label="Relojes de los que envía, uno por línea">
          <textarea
            id="user-sources"
            rows={2}
            value={(sources ?? []).join('\n')}
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

const NEW: UserRecord = {
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
  invitation_expires_at: null,
  version: 0,
}

const FIELDS = ['email', 'first_name', 'last_name', 'mother_last_name', 'all']

interface Props {
  /** Absent for a new user. */
  user?: UserRecord
  act: string
  back: string
  send: (fields: UserFields, email: string, base: UserRecord) => Promise<void>
}

/** The form of a new user or of an existing one, whose address is fixed. */
export const UserForm = ({ user = NEW, act, back, send }: Props) => {
  const { base, draft, change, moved, take } = useUserDraft(user)
  const isNew = user.id === 0
  const form = useForm({
    check: (given) => ({
      ...(isNew && !given('email') && { email: 'Escribe su correo.' }),
      ...(!draft.first_name.trim() && { first_name: 'Escribe el nombre.' }),
      ...(!draft.role && { role: 'Elige un rol.' }),
      ...(draft.scope_branches?.length === 0 && { scope_branches: 'Elige las sucursales.' }),
    }),
    send: (given) =>
      send(
        { ...draft, employee_id: draft.machine ? null : draft.employee_id },
        given('email'),
        base,
      ),
    describe: (error) => {
      const current = error instanceof ApiError && (error.current as UserRecord | undefined)
      if (!current) return problemsOf(error)
      take(current)
      return { all: 'Alguien cambió este usuario mientras lo editabas. Revisa y guarda otra vez.' }
    },
  })
  const { id, about, problem, problems } = form
  const name = (field: 'first_name' | 'last_name' | 'mother_last_name', label: string) => (
    <div>
      <Field id={`${id}-${field}`} label={label}>
        <input
          id={`${id}-${field}`}
          autocomplete="off"
          value={draft[field]}
          {...about(field)}
          onChange={({ target }: Event) => change({ [field]: (target as HTMLInputElement).value })}
        />
      </Field>
      {problem(field)}
    </div>
  )
  // An error of a field that has no place of its own, such as `scope_branches.1`.
  const others = Object.keys(problems).filter((field) => !FIELDS.includes(field))
  return (
    <form {...form.props}>
      {isNew && (
        <div>
          <Field id={`${id}-email`} label="Correo electrónico">
            <input
              id={`${id}-email`}
              name="email"
              type="email"
              autocomplete="off"
              {...about('email')}
            />
          </Field>
          {problem('email')}
        </div>
      )}
      {name('first_name', 'Nombre')}
      <div class="pair">
        {name('last_name', 'Apellido paterno')}
        {name('mother_last_name', 'Apellido materno')}
      </div>
      {user.id !== signedIn().user.id && (
        <Powers key="powers" draft={draft} change={change} stored={base} />
      )}
      {moved.length > 0 && (
        <ul class="conflicts" key="moved">
          {moved.map((one) => (
            <li key={one.field}>
              <Icon name="alert" />
              {describeChange(one)}
            </li>
          ))}
        </ul>
      )}
      <FormEnd
        form={form}
        problem={[problems.all, ...others.map((field) => problems[field])]
          .filter(Boolean)
          .join(' ')}
        act={act}
        busyAct="Guardando…"
      >
        <a class="button" href={back}>
          Volver
        </a>
      </FormEnd>
    </form>
  )
}
