import { useState } from 'preact/hooks'
import type { UserRecord } from '../../sdk/api-types.ts'
import { NewLink } from '../people/new-link.tsx'
import { Once } from '../people/once.tsx'
import { ConfirmButton } from '../ui/dialog-button.tsx'
import { shortMoment } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { endUserTokens, inviteUser, makeToken, saveUser } from './users.queries.ts'

const accessOf = (user: UserRecord): string => {
  const { machine, has_password, password_through, invitation_expires_at: until } = user
  if (machine) return 'Es una máquina: entra con una clave, sin contraseña.'
  const link = until ? ` Tiene un enlace sin usar, hasta el ${shortMoment(until)}.` : ''
  const through = password_through ? `, puesta con un enlace de ${password_through.full_name}` : ''
  return (has_password ? `Ya tiene contraseña${through}.` : 'No tiene contraseña.') + link
}

/** Says how another user signs in, with the buttons that change this. */
export const UserAccess = ({ user }: { user: UserRecord }) => {
  const [token, setToken] = useState('')
  /** The number of revocations here. After each one, a link that was made here is removed. */
  const [ended, setEnded] = useState(0)
  const { id, active, machine, first_name } = user
  return (
    <section class="stack">
      <h2>Acceso</h2>
      <p class="note">{active ? accessOf(user) : 'Está desactivado: no puede entrar.'}</p>
      {active === 1 && !machine && (
        <NewLink key={`link ${ended}`} name={first_name} hasUser make={() => inviteUser(id)} />
      )}
      {token && (
        <Once title="Guarda esta clave en la máquina" label="Clave" value={token}>
          Se muestra solo esta vez. Quien la tenga puede enviar lo que envía esta máquina.
        </Once>
      )}
      <div class="acts">
        {active === 1 && machine && (
          <ConfirmButton
            label="Clave para el reloj"
            title="Clave para el reloj"
            act="Hacer la clave"
            send={async () => setToken(await makeToken(id))}
          >
            La máquina entra con ella. Las que ya tiene siguen sirviendo hasta que las anules.
          </ConfirmButton>
        )}
        {active === 1 && (
          <ConfirmButton
            label={machine ? 'Anular sus claves' : 'Cerrar sus sesiones'}
            title={machine ? 'Anular sus claves' : 'Cerrar sus sesiones'}
            act={machine ? 'Anular' : 'Cerrar sus sesiones'}
            isDangerous
            send={async () => {
              await endUserTokens(id)
              setEnded(ended + 1)
              setToken('')
              announce(machine ? 'Sus claves ya no sirven.' : 'Sus sesiones se cerraron.')
            }}
          >
            {machine
              ? 'La máquina deja de enviar hasta que le pongas una clave nueva.'
              : `${first_name} sale de todos sus equipos y teléfonos. Si tenía un enlace de invitación, deja de servir.`}
          </ConfirmButton>
        )}
        <ConfirmButton
          key="active"
          class={active ? 'quiet lost' : ''}
          label={active ? 'Desactivar' : 'Activar'}
          title={`${active ? 'Desactivar' : 'Activar'} a ${first_name}`}
          act={active ? 'Desactivar' : 'Activar'}
          isDangerous={active === 1}
          send={async () => {
            await saveUser(user, { ...user, active: active ? 0 : 1 })
            announce(active ? `${first_name} ya no puede entrar.` : `${first_name} puede entrar.`)
          }}
        >
          {active
            ? 'Ya no podrá entrar y sus sesiones se cierran. Lo que hizo se conserva con su nombre.'
            : 'Podrá entrar otra vez.'}
        </ConfirmButton>
      </div>
    </section>
  )
}
