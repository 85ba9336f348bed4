import { useRef } from 'preact/hooks'
import type { UserRecord } from '../../sdk/api-types.ts'
import { movedText } from '../people/moved-text.ts'
import { type Ability, branchNames, signedIn } from '../session/session.ts'
import {
  Checkbox,
  CheckField,
  Choice,
  FieldProblem,
  Suggestions,
  TextField,
} from '../ui/fields.tsx'
import { PersonFilter } from '../ui/person-search.tsx'
import { AlertList } from '../ui/reading.tsx'
import { roleWord } from '../ui/text.ts'
import { currentRecordOf, Form, problemsOf, useForm } from '../ui/use-form.tsx'
import { fieldsOf, type UserFields } from './users.queries.ts'

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

const linesOf = (typed: string[] | null): string[] | null => {
  const lines = (typed ?? []).map((line) => line.trim()).filter(Boolean)
  return lines.length > 0 ? lines : null
}

type UserValues = UserFields & {
  email: string
  /** A branch that was typed but not added yet. */
  branch: string
}
type FormOfUser = ReturnType<typeof useForm<UserValues, UserRecord>>

/** The chosen branches with the typed one. Null for all branches. */
const scopeOf = ({ scope_branches, branch }: UserValues): string[] | null =>
  scope_branches && [...new Set([...scope_branches, branch.trim()])].filter(Boolean)

/** The branches that somebody sees: all of them, or the chosen ones. */
const Scope = ({ form }: { form: FormOfUser }) => {
  const { scope_branches: scope, branch } = form.values
  const { name, problem } = form.field('scope_branches')
  const known = branchNames()
  const names = [...new Set([...known, ...(scope ?? [])])].filter(Boolean)
  const choice = (text: string, checked: boolean, scope_branches: string[] | null) => (
    <label class="pick">
      <input
        type="radio"
        name={name}
        checked={checked}
        onChange={() => form.set({ scope_branches })}
      />
      {text}
    </label>
  )
  const added = form.field('branch')
  const ref = useRef<HTMLInputElement>(null)
  const add = () => {
    if (!branch.trim()) return
    form.set({ scope_branches: scopeOf(form.values), branch: '' })
    ref.current?.focus()
  }
  return (
    <fieldset class="stack">
      <legend>Sucursales</legend>
      {choice('Todas', scope === null, null)}
      {choice('Solo algunas', scope !== null, scope ?? [])}
      {scope &&
        names.map((name) => (
          <Checkbox
            key={name}
            checked={scope.includes(name)}
            onChange={(checked) => {
              const others = scope.filter((one) => one !== name)
              form.set({ scope_branches: checked ? [...others, name] : others })
            }}
          >
            {name}
          </Checkbox>
        ))}
      {scope && (
        <div class="once">
          <TextField
            {...added}
            inputRef={ref}
            label="Otra sucursal"
            autocomplete="off"
            list="user-branches"
          />
          <Suggestions id="user-branches" names={known} />
          <button type="button" onClick={add}>
            Agregar sucursal
          </button>
        </div>
      )}
      <FieldProblem id="user-scope" problem={problem} />
    </fieldset>
  )
}

/** The fields about what the user may do. Users may not change these fields of their own user. */
const Powers = ({ form }: { form: FormOfUser }) => {
  const { machine_roles } = signedIn()
  const { machine, sources, scope_branches } = form.values
  const offered = machine ? (machine_roles ?? []) : roleNames()
  const own = form.base.role && machine === form.base.machine ? [form.base.role] : []
  return (
    <div class="stack">
      <CheckField
        {...form.field('machine')}
        onChange={(machine) => form.set({ machine, role: '' })}
      >
        Es una máquina (un reloj, otro sistema)
      </CheckField>
      <Choice
        {...form.field('role')}
        label="Rol"
        empty="Elige un rol"
        options={[...new Set([...offered, ...own])].map(
          (role) => [role, roleName(role, scope_branches)] as const,
        )}
      />
      <Scope form={form} />
      {!machine && (
        <PersonFilter
          removeText="quitar"
          label="Empleado a quien pertenece (opcional)"
          id={form.values.employee_id ?? undefined}
          onChange={(employee_id) => form.set({ employee_id: employee_id || null })}
        />
      )}
      {(machine || sources) && (
        <TextField
          {...form.field('sources')}
          value={(sources ?? []).join('\n')}
          onChange={(typed) => form.set({ sources: typed === '' ? null : typed.split('\n') })}
          label="Relojes de los que envía, uno por línea"
          hint="Vacío: de cualquiera."
          rows={2}
        />
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

interface Props {
  user: UserRecord
  back: string
  send: (fields: UserFields & { email: string }, base: UserRecord) => Promise<void>
}

/** The form of a user. The email of an existing user cannot be changed. */
export const UserForm = ({ user, back, send }: Props) => {
  const isNew = user.id === 0
  const form = useForm<UserValues, UserRecord>({
    // Of one version, since an old draft would undo later changes.
    draft: `usuario ${user.id} ${user.version} ${user.sources ?? ''}`,
    initial: { ...fieldsOf(user), email: '', branch: '' },
    record: { stored: user, valuesOf: fieldsOf, describe: movedText },
    check: (values) => ({
      email: isNew && !values.email && 'Escribe su correo.',
      first_name: !values.first_name && 'Escribe el nombre.',
      role: !values.role && 'Elige un rol.',
      scope_branches: scopeOf(values)?.length === 0 && 'Elige las sucursales.',
    }),
    send: ({ email, ...values }, base) => {
      const scope_branches = scopeOf({ email, ...values })
      const employee_id = values.machine ? null : values.employee_id
      const sources = linesOf(values.sources)
      return send({ ...fieldsOf(values), email, scope_branches, employee_id, sources }, base)
    },
    describe: (error) =>
      currentRecordOf(error)
        ? { all: 'Alguien cambió este usuario mientras lo editabas. Revisa y guarda otra vez.' }
        : problemsOf(error),
  })
  return (
    <Form
      form={form}
      act={isNew ? (form.values.machine ? 'Agregar' : 'Invitar') : 'Guardar'}
      beside={
        <a class="button" href={back} onClick={form.forget}>
          Volver
        </a>
      }
    >
      {isNew && (
        <TextField
          {...form.field('email')}
          label="Correo electrónico"
          type="email"
          autocomplete="off"
        />
      )}
      <TextField {...form.field('first_name')} label="Nombre" autocomplete="off" />
      <div class="pair">
        <TextField {...form.field('last_name')} label="Apellido paterno" autocomplete="off" />
        <TextField
          {...form.field('mother_last_name')}
          label="Apellido materno"
          autocomplete="off"
        />
      </div>
      {user.id !== signedIn().user.id && <Powers form={form} />}
      {form.moved.length > 0 && <AlertList lines={form.moved} />}
    </Form>
  )
}
