import { useState } from 'preact/hooks'
import type { InvitedUser, SignedIn } from '../../sdk/api-types.ts'
import { hasStatus } from '../session/client.ts'
import { useStore } from '../session/store.ts'
import { Field, TextField } from '../ui/fields.tsx'
import { phoneTime } from '../ui/phone-time.ts'
import { Remark } from '../ui/reading.tsx'
import { signInNumber } from '../ui/text.ts'
import { shortMoment } from '../ui/time.ts'
import { Form, useForm } from '../ui/use-form.tsx'
import { useRead } from '../ui/use-read.ts'
import { Waiting } from '../ui/waiting.tsx'
import { acceptInvitation, checkInvitation, invitation } from './invitation.api.ts'

const PASSWORD_MIN = 8
const PASSWORD_MAX = 1024

/** Before a sign-in, the installation's zone is unknown. */
const until = (moment: string): string =>
  `${shortMoment(phoneTime(moment))}, según el reloj de este equipo`

const lengthProblem = (password: string): string | undefined => {
  const { length } = [...password]
  if (length < PASSWORD_MIN) return `Escribe ${PASSWORD_MIN} caracteres o más.`
  return length > PASSWORD_MAX ? 'Es demasiado larga.' : undefined
}

interface Props {
  /** The user who has signed in in this tab. Undefined if nobody has. */
  before: { name: string; email: string } | undefined
  /** Begins the session of an invited user. Returns false if the user may not use this page. */
  enter: (signedIn: SignedIn) => Promise<boolean>
}

interface FormProps extends Pick<Props, 'enter'> {
  token: string
  about: InvitedUser
  onGone: () => void
  onDone: (outcome: 'no-console' | 'not-entered') => void
}

const PasswordForm = ({ token, about: { email }, enter, onGone, onDone }: FormProps) => {
  const number = signInNumber(email)
  const form = useForm({
    initial: { password: '', repeated: '' },
    check: ({ password, repeated }) => ({
      password: lengthProblem(password),
      repeated: password !== repeated && 'No es igual a la de arriba.',
    }),
    send: async ({ password }) => {
      let signedIn: SignedIn
      try {
        signedIn = await acceptInvitation(token, password)
      } catch (error) {
        if (!hasStatus(error, 410)) throw error
        return onGone()
      }
      try {
        if (!(await enter(signedIn))) return onDone('no-console')
      } catch {
        return onDone('not-entered')
      }
      // The reload removes all data of the user who was signed in before.
      history.replaceState(null, '', './')
      location.reload()
    },
  })
  return (
    <Form form={form} act="Guardar y entrar">
      <Field
        id="invited-email"
        label={number ? 'Entras con este número' : 'Entras con este correo'}
      >
        <input
          id="invited-email"
          type="text"
          autocomplete="username"
          readonly
          value={number ?? email}
        />
      </Field>
      <TextField
        {...form.field('password')}
        label="Tu contraseña nueva"
        hint="De 8 caracteres o más; no hace falta nada más. Una frase larga que solo tú sepas es mejor que una palabra con números. Las más usadas no se aceptan."
        type="password"
        autocomplete="new-password"
      />
      <TextField
        {...form.field('repeated')}
        label="Otra vez, para no equivocarte"
        type="password"
        autocomplete="new-password"
      />
    </Form>
  )
}

const ENDS = {
  gone: {
    title: 'Este enlace ya no sirve',
    text: 'Ya se usó, venció, o se hizo otro después. Pide uno nuevo a quien te lo envió.',
  },
  missing: {
    title: 'Abre otra vez tu enlace',
    text: 'Por seguridad, el enlace no se queda en esta página. Ábrelo de nuevo desde el mensaje o la hoja que te dieron.',
  },
  'no-console': {
    title: 'Listo',
    text: 'Tu contraseña quedó guardada; ya puedes entrar en la app de tu empresa.',
  },
  'not-entered': {
    title: 'Tu contraseña quedó guardada',
    text: 'No se pudo entrar en este momento. Entra con tu correo y tu contraseña nueva.',
  },
}

const End = ({ kind }: { kind: keyof typeof ENDS }) => (
  <div role="status">
    <h1>{ENDS[kind].title}</h1>
    <p class="lead">{ENDS[kind].text}</p>
    {kind !== 'no-console' && (
      <p class="note">
        ¿Ya tienes contraseña? <a href="./">Entra</a>
      </p>
    )}
  </div>
)

const Invitation = ({ token, before, enter }: Props & { token: string }) => {
  const [end, setEnd] = useState<keyof typeof ENDS>()
  const read = useRead(async () => {
    try {
      return await checkInvitation(token)
    } catch (error) {
      if (!hasStatus(error, 410)) throw error
      setEnd('gone')
    }
  })
  if (end) return <End kind={end} />
  const { data } = read
  if (!data) return <Waiting isPage read={read} failure="No se pudo leer" rows={3} />
  return (
    <div class="stack">
      <h1>Hola, {data.full_name}</h1>
      <p class="lead">
        Pon tu contraseña. Este enlace sirve una vez, hasta el {until(data.expires_at)}.
      </p>
      {before && before.email.toLowerCase() !== data.email.toLowerCase() && (
        <Remark>
          En esta pestaña entró {before.name}. Su sesión se cierra cuando guardes tu contraseña.
        </Remark>
      )}
      <PasswordForm
        key="form"
        token={token}
        about={data}
        enter={enter}
        onGone={() => setEnd('gone')}
        onDone={setEnd}
      />
    </div>
  )
}

/** The page on which somebody sets a password with an invitation link, without signing in. */
export const InvitationPage = (props: Props) => {
  const { token } = useStore(invitation)
  return (
    <main class="sign-in">
      <img src="icon.svg" alt="" width="48" height="48" />
      {token ? (
        <Invitation key={token} token={token} {...props} />
      ) : (
        <End key="end" kind="missing" />
      )}
    </main>
  )
}
