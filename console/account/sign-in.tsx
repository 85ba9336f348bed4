import { lastEmail, session, signIn, signOut } from '../session/session.ts'
import { useStore } from '../session/store.ts'
import { Dialog } from '../ui/dialog.tsx'
import { SignInForm } from './sign-in-form.tsx'

export const SignIn = () => {
  const { notice } = useStore(session)
  return (
    <main class="sign-in">
      <img src="icon.svg" alt="" width="48" height="48" />
      <h1>Revisión de checadas</h1>
      <p class="lead">
        {notice ?? 'Entra con tu cuenta para revisar lo que espera antes del cierre.'}
      </p>
      <SignInForm known={lastEmail()} signIn={signIn} />
      <p class="note">
        ¿Integras un reloj o una app? <a href="/docs">Referencia de la API</a>
      </p>
    </main>
  )
}

const REASONS = {
  expired:
    'Tu sesión terminó. Al entrar sigues donde estabas: no se perdió nada de lo que escribiste.',
  idle: 'Pasó media hora sin actividad y se cerró la sesión. Al entrar sigues donde estabas.',
}

export const SignInAgain = ({ ended }: { ended: 'expired' | 'idle' }) => (
  <Dialog title="Entra de nuevo" class="again">
    <p>{REASONS[ended]}</p>
    <SignInForm known={lastEmail()} signIn={signIn} />
    <button type="button" class="quiet wide" onClick={signOut}>
      Salir y descartar
    </button>
  </Dialog>
)
