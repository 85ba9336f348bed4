import { PasswordFields, usePasswordForm } from '../account/password-form.tsx'
import { Heading } from '../ui/heading.tsx'
import { linkTo } from '../ui/routes.ts'
import { Form } from '../ui/use-form.tsx'
import { changePassword } from './session.ts'

/** The page on which a worker changes their own password. */
export const PasswordView = () => {
  const form = usePasswordForm(changePassword, () => {
    location.hash = linkTo('')
  })
  return (
    <main class="one">
      <Heading>Cambiar mi contraseña</Heading>
      <Form form={form} act="Cambiar la contraseña" busyAct="Cambiando…">
        <PasswordFields form={form} />
      </Form>
    </main>
  )
}
