import { useState } from 'preact/hooks'
import type { InvitationLink } from '../../sdk/api-types.ts'
import { ConfirmButton } from '../ui/dialog-button.tsx'
import { shortMoment } from '../ui/time.ts'
import { Once } from './once.tsx'
import { QrCode } from './qr-code.tsx'

export const LinkOnce = ({ url, expires_at }: InvitationLink) => (
  <Once
    title="Envíale este enlace"
    label="Enlace de invitación"
    value={url}
    picture={<QrCode text={url} label="Código QR del enlace" />}
  >
    Con él pone su contraseña y entra. Se muestra solo esta vez y sirve una vez, hasta el{' '}
    {shortMoment(expires_at)}. No lo abras tú.
  </Once>
)

interface Props {
  name: string
  /** Whether the person has a user. If not, making the link also adds a user. */
  hasUser: boolean
  make: () => Promise<InvitationLink | undefined>
}

/** Makes a link with which somebody sets a password, even if the user already has one. */
export const NewLink = ({ name, hasUser, make }: Props) => {
  const [link, setLink] = useState<InvitationLink>()
  return (
    <div class="stack">
      {link && <LinkOnce {...link} />}
      <div class="acts" key="acts">
        <ConfirmButton
          label="Nuevo enlace"
          act="Hacer el enlace"
          send={async () => setLink(await make())}
        >
          {hasUser
            ? `Con él, ${name} pone otra contraseña. El enlace anterior deja de servir; la contraseña de ahora sirve hasta que use el nuevo.`
            : `Con él, ${name} pone su contraseña y usa la app. Se le hace un usuario.`}
        </ConfirmButton>
      </div>
    </div>
  )
}
