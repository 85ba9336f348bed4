import { useState } from 'preact/hooks'
import { SignInForm } from '../account/sign-in-form.tsx'
import { useStore } from '../session/store.ts'
import { Checkbox } from '../ui/fields.tsx'
import { Remark } from '../ui/reading.tsx'
import { counted, signInAddress, signInNumber } from '../ui/text.ts'
import { type CheckIn, checkIns } from './check-ins.ts'
import { isSharedPhone, type Session, signIn } from './session.ts'

/** `Luis Mendoza (2 checadas)` for each person. */
const countsByPerson = (unsent: CheckIn[]): string => {
  const names = new Map(unsent.map(({ user_id, name }) => [user_id, name]))
  return [...names]
    .map(([id, name]) => {
      const { length } = unsent.filter(({ user_id }) => user_id === id)
      return `${name} (${counted(length, 'checada')})`
    })
    .join(', ')
}

/** Names the people who have unsent check-ins on this phone, except the user `but`. */
export const OthersUnsent = ({ but }: { but?: number }) => {
  const { all } = useStore(checkIns)
  const others = all.filter(({ user_id }) => user_id !== but)
  if (others.length === 0) return null
  return (
    <Remark>
      En este teléfono esperan checadas de {countsByPerson(others)}. Se envían cuando esa persona
      entre aquí.
    </Remark>
  )
}

const OwnSignInForm = ({ known }: { known: string }) => {
  const [isShared, setShared] = useState(isSharedPhone())
  return (
    <SignInForm
      known={known}
      label="Número de empleado o correo"
      signIn={async (name, password) => {
        if (!name.trim() || !password) return 'Escribe tu número o correo, y tu contraseña.'
        return signIn(signInAddress(name), password, isShared)
      }}
    >
      <div>
        <Checkbox checked={isShared} onChange={setShared}>
          Este teléfono es de varios
        </Checkbox>
        <p class="note">Tu sesión termina entonces al cerrar esta pestaña.</p>
      </div>
    </SignInForm>
  )
}

export const SignInPage = () => (
  <main class="sign-in">
    <img src="icon.svg" alt="" width="48" height="48" />
    <h1>Checada</h1>
    <p class="lead">Entra para checar y para ver tus días.</p>
    <OthersUnsent />
    <OwnSignInForm known="" />
    <p class="note">¿Es tu primera vez? Abre el enlace de la invitación que te dieron.</p>
  </main>
)

/** The sign-in form after the session has ended. The person can check in before signing in. */
export const SignInAgain = ({ session }: { session: Session }) => (
  <section aria-label="Entrar de nuevo">
    <details class="warnings again">
      <summary>Tu sesión terminó: entra de nuevo</summary>
      <p class="note">Puedes checar; se envía cuando hayas entrado.</p>
      <OwnSignInForm known={signInNumber(session.email) ?? session.email} />
    </details>
  </section>
)
