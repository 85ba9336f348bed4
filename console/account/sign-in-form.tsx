import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { Field } from '../ui/fields.tsx'
import { Problem } from '../ui/reading.tsx'

interface Props {
  /** The email address of the user who signed in last, or empty. */
  known: string
  /** The label of the field for the address. It may also take another text, such as a number. */
  label?: string
  /** Returns a message if the user could not sign in. */
  signIn: (email: string, password: string) => Promise<string | undefined>
  children?: ComponentChildren
}

export const SignInForm = (props: Props) => {
  const { known, label, signIn, children } = props
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
  return (
    <form onSubmit={submit} novalidate>
      <Field id={`${id}-email`} label={label ?? 'Correo electrónico'}>
        <input
          id={`${id}-email`}
          ref={email}
          {...({ type: label ? 'text' : 'email' } as object)}
          autocapitalize="none"
          autocomplete="username"
          autofocus={known === ''}
          defaultValue={known}
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
      {children}
      <Problem text={problem} />
      <button type="submit" class="primary wide" aria-disabled={busy ? 'true' : undefined}>
        {busy ? 'Entrando…' : 'Entrar'}
      </button>
      <p class="note">¿Olvidaste tu contraseña? Pide a tu empresa un enlace nuevo.</p>
    </form>
  )
}
