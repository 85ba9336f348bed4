import { useState } from 'hono/jsx/dom'
import type { UserRecord } from '../../sdk/api-types.ts'
import { messageOf } from '../api/client.ts'
import { signedIn } from '../api/session.ts'
import { addUser, readUser, readUsers, saveUser, type UsersQuery } from '../api/users.ts'
import { linkTo, type Route } from '../routes.ts'
import { announce } from '../state/ui.ts'
import { useRead } from '../state/use-read.ts'
import { Choice, Field } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { Failure, Remark, Skeleton } from '../ui/reading.tsx'
import { UserChanges } from './people-changes.tsx'
import { LinkOnce, UserAccess } from './user-access.tsx'
import { roleName, UserForm } from './user-form.tsx'

const fullName = (user: UserRecord): string =>
  [user.first_name, user.last_name, user.mother_last_name].filter(Boolean).join(' ')

/** The list that was seen last, for who comes back from a user. */
let lastList = linkTo('usuarios')

const stateOf = ({ active, machine, has_password }: UserRecord) => {
  if (!active) return ['rejected', 'cross', 'Desactivado'] as const
  if (machine) return ['approved', 'clock', 'Máquina'] as const
  return has_password
    ? (['approved', 'check', 'Activo'] as const)
    : (['pending', 'dot', 'Sin contraseña'] as const)
}

const UserRow = ({ user }: { user: UserRecord }) => {
  const [style, icon, text] = stateOf(user)
  return (
    <li>
      <h2>
        <a href={linkTo(`usuarios/${user.id}`)}>{fullName(user)}</a>
        <span class={`status ${style}`}>
          <Icon name={icon} />
          {text}
        </span>
      </h2>
      <p class="note">
        {user.email} · {roleName(user.role)} · {user.scope_branches?.join(', ') ?? 'Todas'}
      </p>
    </li>
  )
}

const Filters = ({ query }: { query: UsersQuery }) => {
  const change = (changes: UsersQuery) => {
    location.hash = linkTo('usuarios', { ...query, ...changes })
  }
  const search = (event: Event) => {
    event.preventDefault()
    change({ q: String(new FormData(event.target as HTMLFormElement).get('q') ?? '').trim() })
  }
  const { roles, machine_roles } = signedIn()
  const all = [...new Set([...(roles ?? []), ...(machine_roles ?? [])])]
  return (
    <form class="fields" onSubmit={search}>
      <Field id="users-q" label="Nombre o correo">
        <input id="users-q" name="q" type="search" value={query.q ?? ''} />
      </Field>
      <Choice
        id="users-role"
        label="Rol"
        value={query.role}
        options={all.map((role) => [role, role] as const)}
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
      <button type="submit">
        <Icon name="search" />
        Buscar
      </button>
    </form>
  )
}

const UserList = ({ query }: { query: UsersQuery }) => {
  const { data, problem, again } = useRead(() => readUsers(query))
  const [older, setOlder] = useState<NonNullable<typeof data>[]>([])
  const pages = data ? [data, ...older] : []
  const cursor = pages.at(-1)?.next_cursor
  const readMore = () =>
    readUsers({ ...query, cursor: cursor ?? undefined }).then(
      (page) => setOlder([...older, page]),
      (error) => announce(messageOf(error)),
    )
  return (
    <div>
      {problem && (
        <Failure title="No se pudieron leer los usuarios" text={problem} onRetry={again} />
      )}
      {!data && !problem && <Skeleton rows={6} />}
      {data?.users.length === 0 && <p class="note">Nadie coincide con la búsqueda.</p>}
      <ul class="clocks">
        {pages
          .flatMap(({ users }) => users)
          .map((user) => (
            <UserRow key={user.id} user={user} />
          ))}
      </ul>
      {cursor && (
        <div class="after">
          <button type="button" onClick={readMore}>
            Mostrar más
          </button>
        </div>
      )}
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
          {signedIn().user.may_keep_people && (
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
      <p class="lead">Quién entra, qué puede hacer y de qué sucursales.</p>
      <Filters key={`filters ${query.q}`} query={query} />
      <UserList key={JSON.stringify(query)} query={query} />
    </main>
  )
}

/** A new user. The link that was made is shown once. */
const NewUser = () => {
  const [made, setMade] = useState<Awaited<ReturnType<typeof addUser>> | undefined>(undefined)
  return (
    <main class="users">
      <h1>{made ? `Se agregó a ${fullName(made.user)}` : 'Invitar a alguien'}</h1>
      {made?.invitation && <LinkOnce key="link" {...made.invitation} />}
      {made ? (
        <p key="made" class="acts start">
          <a class="button" href={linkTo(`usuarios/${made.user.id}`)}>
            {made.invitation ? 'Ver el usuario' : 'Hacer su token'}
          </a>
          <a class="button" href={lastList}>
            Ver todos los usuarios
          </a>
        </p>
      ) : (
        <UserForm
          key="form"
          act="Invitar"
          back={lastList}
          send={async (fields, email) => setMade(await addUser({ ...fields, email }))}
        />
      )}
    </main>
  )
}

const OneUser = ({ id }: { id: number }) => {
  const { data, problem, again } = useRead(() => readUser(id))
  const [saved, setSaved] = useState<UserRecord | undefined>(undefined)
  const user = [data, saved]
    .filter((one) => one !== undefined)
    .toSorted(byVersion)
    .at(-1)
  const isOwn = signedIn().user.id === id
  if (!user) {
    return (
      <main class="users">
        {problem ? (
          <Failure title="No se pudo leer el usuario" text={problem} onRetry={again} />
        ) : (
          <Skeleton rows={4} />
        )}
      </main>
    )
  }
  const [style, icon, text] = stateOf(user)
  return (
    <main class="users">
      <nav class="neighbors" aria-label="Usuarios">
        <a href={lastList}>
          <Icon name="back" />
          Usuarios
        </a>
      </nav>
      <header class="head">
        <h1>{fullName(user)}</h1>
        <span class={`status ${style}`}>
          <Icon name={icon} />
          {text}
        </span>
      </header>
      <p class="note">Entra con {user.email}. El correo no se cambia.</p>
      {isOwn && (
        <Remark key="own">
          Es tu usuario: tu rol, tus sucursales y tu acceso los cambia otra persona.
        </Remark>
      )}
      <UserForm
        key="form"
        user={user}
        act="Guardar"
        back={lastList}
        send={async (fields, _, base) => {
          await saveUser(base, fields)
          announce(`Se guardó a ${fullName({ ...base, ...fields })}.`)
          location.hash = lastList
        }}
      />
      {!isOwn && (
        <UserAccess
          key="access"
          user={user}
          onChanged={(changed) => {
            setSaved(changed)
            again()
          }}
        />
      )}
      <UserChanges id={id} version={user.version} />
    </main>
  )
}

const byVersion = (a: UserRecord, b: UserRecord): number => a.version - b.version

export const UsersView = ({ route: { path, query } }: { route: Route }) => {
  const [, id] = path
  return (
    <div class="contents">
      {!id && <Users key="list" query={query} />}
      {id === 'nuevo' && <NewUser key="new" />}
      {id && id !== 'nuevo' && <OneUser key={id} id={Number(id)} />}
    </div>
  )
}
