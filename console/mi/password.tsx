import { PasswordFields, usePasswordForm } from '../account/password-form.tsx'
import { FormEnd } from '../ui/form.tsx'
import { Heading } from '../ui/heading.tsx'
import { linkTo } from '../ui/routes.ts'
import { changePassword } from './session.ts'

/** The page on which a worker changes their own password. */
export const PasswordView = () => {
  const form = usePasswordForm(changePassword, () => {
    location.hash = linkTo('')
  })
  return (
    <main class="one">
      <Heading>Cambiar mi contraseña</Heading>
      <form {...form.props}>
        <PasswordFields form={form} />
        <FormEnd
          form={form}
          problem={form.problems.all}
          act="Cambiar la contraseña"
          busyAct="Cambiando…"
        />
      </form>
    </main>
  )
}
