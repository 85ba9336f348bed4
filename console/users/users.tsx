import { useState } from 'preact/hooks'
import type { UserRecord } from '../../sdk/api-types.ts'
import { Changes } from '../people/changes.tsx'
import { LinkOnce } from '../people/new-link.tsx'
import { can, signedIn } from '../session/session.ts'
import { Back } from '../ui/back.tsx'
import { Choice } from '../ui/fields.tsx'
import { Heading } from '../ui/heading.tsx'
import { Icon } from '../ui/icon.tsx'
import { Pages } from '../ui/pages.tsx'
import { Remark } from '../ui/reading.tsx'
import { linkTo, type Route } from '../ui/routes.ts'
import { Badge, type Look } from '../ui/status.tsx'
import { TextFilter } from '../ui/text-filter.tsx'
import { announce } from '../ui/ui-state.ts'
import { useKept, useRead } from '../ui/use-read.ts'
import { Waiting } from '../ui/waiting.tsx'
import { UserAccess } from './user-access.tsx'
import { NEW_USER, roleName, roleNames, UserForm } from './user-form.tsx'
import {
  addUser,
  fullName,
  readRolesInUse,
  readUser,
  readUsers,
  saveUser,
  type UsersQuery,
} from './users.api.ts'

/** The link to the list as it was shown last. Links back to the list use it. */
let lastList = linkTo('usuarios')

const lookOf = ({ active, machine, has_password }: UserRecord): Look => {
  if (!active) return ['rejected', 'cross', 'Desactivado']
  if (machine) return ['approved', 'clock', 'Máquina']
  return has_password ? ['approved', 'check', 'Activo'] : ['pending', 'dot', 'Sin contraseña']
}

/** The filter value for all roles. Without a role, users who only use the app are left out. */
const EVERYBODY = 'todos'

const readList = ({ role, ...query }: UsersQuery, cursor?: string) => {
  if (role === EVERYBODY) return readUsers(query, cursor)
  return readUsers({ ...query, ...(role ? { role } : { not_role: 'employee' }) }, cursor)
}

const Filters = ({ query }: { query: UsersQuery }) => {
  // Typing adds no entries to the browser's history.
  const change = (changes: UsersQuery) =>
    location.replace(linkTo('usuarios', { ...query, ...changes }))
  const { data: inUse = [] } = useKept('roles in use', readRolesInUse)
  const chosen = query.role && query.role !== EVERYBODY ? [query.role] : []
  const names = [...new Set([...roleNames(), ...inUse, ...chosen])]
  const roles = names.map((role) => [role, roleName(role)] as const)
  return (
    <div class="fields">
      <TextFilter
        id="users-q"
        label="Nombre o correo"
        value={query.q}
        onChange={(q) => change({ q })}
      />
      <Choice
        id="users-role"
        label="Rol"
        empty="Todos, menos los de la app"
        value={query.role}
        options={[[EVERYBODY, 'Todos'], ...roles]}
        onChange={(role) => change({ role })}
      />
      <Choice
        id="users-active"
        label="Estado"
        value={query.active}
        options={[
          ['true', 'Activos'],
          ['false', 'Desactivados'],
        ]}
        onChange={(active) => change({ active: active as 'true' })}
      />
    </div>
  )
}

const Users = ({ query }: { query: UsersQuery }) => {
  lastList = linkTo('usuarios', { ...query })
  return (
    <main class="users">
      <header class="head">
        <h1>Usuarios</h1>
        <span class="acts">
          {can('keep_people') && (
            <a class="button" href={linkTo('invitaciones')}>
              <Icon name="print" />
              Hoja de invitaciones
            </a>
          )}
          <a class="button" href={linkTo('usuarios/nuevo')}>
            <Icon name="plus" />
            Invitar
          </a>
        </span>
      </header>
      <p class="lead">Las personas y máquinas que entran, qué pueden hacer y en qué sucursales.</p>
      <Filters key="filters" query={query} />
      <Pages
        key={lastList}
        read={(cursor) => readList(query, cursor)}
        failure="No se pudieron leer los usuarios"
        render={(user) => (
          <li key={user.id}>
            <h2>
              <a href={linkTo(`usuarios/${user.id}`)}>{fullName(user)}</a>
              <Badge look={lookOf(user)} />
            </h2>
            <p class="note">
              {user.email} · {roleName(user.role, user.scope_branches)} ·{' '}
              {user.scope_branches?.join(', ') ?? 'Todas'}
            </p>
          </li>
        )}
      >
        <p>Nadie coincide con la búsqueda.</p>
      </Pages>
    </main>
  )
}

/** Adds a user, or a machine for a clock. The link that was made is shown once. */
const NewUser = ({ clock }: { clock: string | undefined }) => {
  const [made, setMade] = useState<Awaited<ReturnType<typeof addUser>>>()
  const initial = clock ? { ...NEW_USER, machine: true, sources: [clock] } : NEW_USER
  return (
    <main class="users">
      {/* If there is a link, its own heading takes the focus. */}
      <Heading about={made?.invitation === null}>
        {made ? `Se agregó a ${fullName(made.user)}` : 'Usuario nuevo'}
      </Heading>
      {made?.invitation && <LinkOnce {...made.invitation} />}
      {made ? (
        <p key="made" class="acts start">
          <a class="button" href={linkTo(`usuarios/${made.user.id}`)}>
            {made.invitation ? 'Ver el usuario' : 'Hacer su clave'}
          </a>
          <a class="button" href={lastList}>
            Ver todos los usuarios
          </a>
        </p>
      ) : (
        <UserForm
          key="form"
          user={initial}
          back={lastList}
          send={async (fields, email) => setMade(await addUser({ ...fields, email }))}
        />
      )}
    </main>
  )
}

const OneUser = ({ id }: { id: number }) => {
  const read = useRead(() => readUser(id))
  const [saved, setSaved] = useState<UserRecord>()
  const user = saved && saved.version > (read.data?.version ?? 0) ? saved : read.data
  const isOwn = signedIn().user.id === id
  if (!user) {
    return (
      <main class="users">
        <Waiting isPage read={read} failure="No se pudo leer el usuario" rows={4} />
      </main>
    )
  }
  return (
    <main class="users">
      <Back to={lastList} list="Usuarios" />
      <Waiting key="wait" read={read} failure="No se pudo leer el usuario otra vez" rows={4} />
      <header class="head">
        <Heading>{fullName(user)}</Heading>
        <Badge look={lookOf(user)} />
      </header>
      <p class="note">Entra con {user.email}. El correo no se cambia.</p>
      {isOwn && (
        <Remark>Es tu usuario: tu rol, tus sucursales y tu acceso los cambia otra persona.</Remark>
      )}
      <UserForm
        key="form"
        user={user}
        back={lastList}
        send={async (fields, _, base) => {
          const { password_cleared } = await saveUser(base, fields)
          if (!password_cleared) location.hash = lastList
          else read.again()
          const saved = `Se guardó a ${fullName(fields)}.`
          announce(
            password_cleared ? `${saved} Puede más que antes: mándale un enlace nuevo.` : saved,
          )
        }}
      />
      {!isOwn && (
        <UserAccess
          user={user}
          onChanged={(changed) => {
            setSaved(changed)
            read.again()
          }}
        />
      )}
      <Changes subject="user" id={String(id)} version={user.version} />
    </main>
  )
}

export const UsersView = ({ route: { path, query } }: { route: Route }) => {
  const [, id] = path
  return (
    <>
      {!id && <Users query={query} />}
      {id === 'nuevo' && <NewUser clock={query.reloj} />}
      {id && id !== 'nuevo' && <OneUser key={id} id={Number(id)} />}
    </>
  )
}
