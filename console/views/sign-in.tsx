import { useId, useRef, useState } from 'hono/jsx/dom'
import { lastEmail, session, signIn, signOut } from '../api/session.ts'
import { useStore } from '../state/store.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/fields.tsx'

const SignInForm = () => {
  const id = useId()
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')

  const submit = async (event: Event) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setProblem('')
    const failure = await signIn(email.current?.value ?? '', password.current?.value ?? '')
    setBusy(false)
    if (!failure) return
    setProblem(failure)
    password.current?.select()
    password.current?.focus()
  }
  const known = lastEmail()
  return (
    <form onSubmit={submit} novalidate>
      <Field id={`${id}-email`} label="Correo electrónico">
        <input
          id={`${id}-email`}
          ref={email}
          type="email"
          autocomplete="username"
          autofocus={known === ''}
          value={known}
        />
      </Field>
      <Field id={`${id}-password`} label="Contraseña">
        <input
          id={`${id}-password`}
          ref={password}
          type="password"
          autocomplete="current-password"
          autofocus={known !== ''}
        />
      </Field>
      <p class="problem" role="alert">
        {problem}
      </p>
      <button type="submit" class="primary wide" aria-disabled={busy ? 'true' : undefined}>
        {busy ? 'Entrando…' : 'Entrar'}
      </button>
    </form>
  )
}

export const SignIn = () => {
  const { notice } = useStore(session)
  return (
    <main class="sign-in">
      <img src="icon.svg" alt="" width="48" height="48" />
      <h1>Revisión de checadas</h1>
      <p class="lead">
        {notice ?? 'Entra con tu cuenta para revisar lo que espera antes del cierre.'}
      </p>
      <SignInForm />
      <p class="aside">
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
    <SignInForm />
    <button type="button" class="quiet wide" onClick={signOut}>
      Salir y descartar
    </button>
  </Dialog>
)
