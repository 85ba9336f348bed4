import { useInfiniteQuery, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { UserRecord } from '../../sdk/api-types.ts'
import { Changes } from '../people/changes.tsx'
import { LinkOnce } from '../people/new-link.tsx'
import { can, signedIn } from '../session/session.ts'
import { choice, declareFilter, type FieldsOf, Filters, NoMatch, search } from '../ui/filters.tsx'
import { Icon } from '../ui/icon.tsx'
import { List } from '../ui/list.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { Remark } from '../ui/reading.tsx'
import { linkTo, type Route } from '../ui/routes.ts'
import { Badge, type Look } from '../ui/status.tsx'
import { announce } from '../ui/ui-state.ts'
import { UserAccess } from './user-access.tsx'
import { NEW_USER, roleName, roleNames, UserForm } from './user-form.tsx'
import {
  addUser,
  fullName,
  rolesInUse,
  saveUser,
  type UserFields,
  type UsersFilter,
  userQuery,
  usersQuery,
} from './users.queries.ts'

const lookOf = ({ active, machine, has_password }: UserRecord): Look => {
  if (!active) return ['rejected', 'cross', 'Desactivado']
  if (machine) return ['approved', 'clock', 'Máquina']
  return has_password ? ['approved', 'check', 'Activo'] : ['pending', 'dot', 'Sin contraseña']
}

/** The filter value for all roles. Without a role, users who only use the app are left out. */
const EVERYBODY = 'todos'

const useRoles = (chosen = ''): (readonly [string, string])[] => {
  const { data: inUse = [] } = useQuery(rolesInUse)
  const names = new Set([...roleNames(), ...inUse, ...(chosen === EVERYBODY ? [] : [chosen])])
  names.delete('')
  return [[EVERYBODY, 'Todos'], ...[...names].map((role) => [role, roleName(role)] as const)]
}

const list = declareFilter('usuarios', {
  q: search('Nombre o correo'),
  role: choice('Rol', useRoles, 'Todos, menos los de la app'),
  active: choice('Estado', [
    ['true', 'Activos'],
    ['false', 'Desactivados'],
  ]),
} satisfies FieldsOf<UsersFilter>)

const toQuery = ({ role, ...filter }: ReturnType<typeof list.of>) =>
  ({
    ...filter,
    ...(role !== EVERYBODY && (role ? { role } : { not_role: 'employee' })),
  }) as UsersFilter

const Users = ({ filter }: { filter: ReturnType<typeof list.of> }) => (
  <Page
    title="Usuarios"
    lead="Las personas y máquinas que entran, qué pueden hacer y en qué sucursales."
    acts={
      <>
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
      </>
    }
  >
    <Filters of={list} filter={filter} />
    <List
      read={useInfiniteQuery(usersQuery(toQuery(filter)))}
      failure="No se pudieron leer los usuarios"
      row={(user) => (
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
      <NoMatch of={list}>Nadie coincide con la búsqueda.</NoMatch>
    </List>
  </Page>
)

/** Adds a user, or a machine for a clock. The link that was made is shown once. */
const NewUser = ({ clock }: { clock: string | undefined }) => {
  const [made, setMade] = useState<Awaited<ReturnType<typeof addUser>>>()
  const initial = clock ? { ...NEW_USER, machine: true, sources: [clock] } : NEW_USER
  return (
    <Page
      title={made ? `Se agregó a ${fullName(made.user)}` : 'Usuario nuevo'}
      // If there is a link, its own heading takes the focus.
      about={made?.invitation === null}
    >
      {made?.invitation && <LinkOnce {...made.invitation} />}
      {made ? (
        <p key="made" class="acts">
          <a class="button" href={linkTo(`usuarios/${made.user.id}`)}>
            {made.invitation ? 'Ver el usuario' : 'Hacer su clave'}
          </a>
          <a class="button" href={list.link()}>
            Ver todos los usuarios
          </a>
        </p>
      ) : (
        <UserForm
          key="form"
          user={initial}
          back={list.link()}
          send={async (fields) => setMade(await addUser(fields))}
        />
      )}
    </Page>
  )
}

const saveAndLeave = async (base: UserRecord, fields: UserFields) => {
  const { password_cleared } = await saveUser(base, fields)
  if (!password_cleared) location.hash = list.link()
  const saved = `Se guardó a ${fullName(fields)}.`
  announce(password_cleared ? `${saved} Puede más que antes: mándale un enlace nuevo.` : saved)
}

const OneUser = ({ id }: { id: number }) => {
  const read = useQuery(userQuery(id))
  const isOwn = signedIn().user.id === id
  return (
    <Page
      title={read.data && fullName(read.data)}
      about={id}
      acts={read.data && <Badge look={lookOf(read.data)} />}
      back={{ to: list.link(), list: 'Usuarios' }}
    >
      <Loaded isPage read={read} failure="No se pudo leer el usuario">
        {(user) => (
          <>
            <p class="note">Entra con {user.email}. El correo no se cambia.</p>
            {isOwn && (
              <Remark>
                Es tu usuario: tu rol, tus sucursales y tu acceso los cambia otra persona.
              </Remark>
            )}
            <UserForm
              user={user}
              back={list.link()}
              send={(fields, base) => saveAndLeave(base, fields)}
            />
            {!isOwn && <UserAccess user={user} />}
            <Changes subject="user" id={String(id)} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

export const UsersView = ({ route: { path, query } }: { route: Route }) => {
  const [, id] = path
  return (
    <>
      {!id && <Users filter={list.of(query)} />}
      {id === 'nuevo' && <NewUser clock={query.reloj} />}
      {id && id !== 'nuevo' && <OneUser key={id} id={Number(id)} />}
    </>
  )
}
