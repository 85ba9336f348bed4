import { useState } from 'hono/jsx/dom'
import type { UserRecord } from '../../sdk/api-types.ts'
import { inviteUser, makeToken, revokeUser, saveUser } from '../api/users.ts'
import { announce } from '../state/ui.ts'
import { shortMoment } from '../time.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Once } from '../ui/once.tsx'

export const LinkOnce = ({ url, expires_at }: { url: string; expires_at: string }) => (
  <Once title="Envíale este enlace" label="Enlace de invitación" value={url}>
    Con él pone su contraseña y entra. Se muestra solo esta vez y sirve una vez, hasta el{' '}
    {shortMoment(expires_at)}. No lo abras tú.
  </Once>
)

const accessOf = ({ machine, has_password, invitation_expires_at: until }: UserRecord): string => {
  if (machine) return 'Es una máquina: entra con un token, sin contraseña.'
  const link = until ? ` Tiene un enlace sin usar, hasta el ${shortMoment(until)}.` : ''
  return (has_password ? 'Ya tiene contraseña.' : 'Todavía no tiene contraseña.') + link
}

type Act = 'invite' | 'token' | 'revoke' | 'active'

interface Props {
  user: UserRecord
  /** Called after each act, with the user if the act returned it. */
  onChanged: (user?: UserRecord) => void
}

/** How somebody else enters, and the buttons that change it. */
export const UserAccess = ({ user, onChanged }: Props) => {
  const [act, setAct] = useState<Act | undefined>(undefined)
  const [link, setLink] = useState<{ url: string; expires_at: string } | undefined>(undefined)
  const [token, setToken] = useState('')
  const { id, active, machine, first_name } = user
  const confirm = (title: string, button: string, text: string, send: () => Promise<void>) => (
    <ConfirmDialog
      key={act}
      title={title}
      act={button}
      isDangerous={act === 'revoke' || (act === 'active' && active === 1)}
      onClose={() => setAct(undefined)}
      send={send}
    >
      {text}
    </ConfirmDialog>
  )
  const button = (name: Act, label: string, style = '') => (
    <button type="button" class={style} key={name} onClick={() => setAct(name)}>
      {label}
    </button>
  )
  return (
    <section class="stack">
      <h2>Acceso</h2>
      <p class="note">{active ? accessOf(user) : 'Está desactivado: no puede entrar.'}</p>
      {link && <LinkOnce key="link" {...link} />}
      {token && (
        <Once key="token" title="Guarda este token en la máquina" label="Token" value={token}>
          Se muestra solo esta vez. Quien lo tenga puede enviar lo que envía esta máquina.
        </Once>
      )}
      <div class="acts start">
        {active === 1 && !machine && button('invite', 'Nuevo enlace de invitación')}
        {active === 1 && machine && button('token', 'Hacer un token')}
        {active === 1 && button('revoke', machine ? 'Anular sus tokens' : 'Cerrar sus sesiones')}
        {button('active', active ? 'Desactivar' : 'Activar', active ? 'quiet lost' : '')}
      </div>
      {act === 'invite' &&
        confirm(
          'Nuevo enlace de invitación',
          'Hacer el enlace',
          `Con él, ${first_name} pone otra contraseña. El enlace anterior deja de servir; la contraseña de ahora sirve hasta que use el nuevo.`,
          async () => {
            setLink(await inviteUser(id))
            onChanged()
          },
        )}
      {act === 'token' &&
        confirm(
          'Hacer un token',
          'Hacer el token',
          'La máquina entra con él. Los que ya tiene siguen sirviendo hasta que los anules.',
          async () => {
            setToken(await makeToken(id))
            onChanged()
          },
        )}
      {act === 'revoke' &&
        confirm(
          machine ? 'Anular sus tokens' : 'Cerrar sus sesiones',
          machine ? 'Anular' : 'Cerrar sus sesiones',
          machine
            ? 'La máquina deja de enviar hasta que le pongas un token nuevo.'
            : `${first_name} sale de todos sus equipos y teléfonos. Si tenía un enlace de invitación, deja de servir.`,
          async () => {
            await revokeUser(id)
            setLink(undefined)
            setToken('')
            announce(machine ? 'Sus tokens ya no sirven.' : 'Sus sesiones se cerraron.')
            onChanged()
          },
        )}
      {act === 'active' &&
        confirm(
          active ? `Desactivar a ${first_name}` : `Activar a ${first_name}`,
          active ? 'Desactivar' : 'Activar',
          active
            ? 'Ya no podrá entrar y sus sesiones se cierran. Lo que hizo se conserva con su nombre.'
            : 'Podrá entrar otra vez.',
          async () => {
            const saved = await saveUser(user, user, active !== 1)
            if (active) setLink(undefined)
            announce(active ? `${first_name} ya no puede entrar.` : `${first_name} puede entrar.`)
            onChanged(saved)
          },
        )}
    </section>
  )
}
