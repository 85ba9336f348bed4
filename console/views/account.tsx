import { changePassword, signOutEverywhere } from '../api/session.ts'
import { announce } from '../state/ui.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/fields.tsx'
import { FormEnd, useForm } from '../ui/form.tsx'

interface Props {
  onClose: () => void
}

/** Changes the user's own password. Every other session of the user ends. */
export const PasswordDialog = ({ onClose }: Props) => {
  const form = useForm({
    check: (given) => ({
      ...(!given('current_password') && { current_password: 'Escribe tu contraseña actual.' }),
      ...(!given('password') && { password: 'Escribe la contraseña nueva.' }),
      ...(given('password') !== given('repeated') && {
        repeated: 'No es igual a la contraseña nueva.',
      }),
    }),
    send: async (given) => {
      await changePassword(given('current_password'), given('password'))
      onClose()
      announce('Tu contraseña se cambió. Las demás sesiones con tu cuenta se cerraron.')
    },
  })
  const { id, about, problem } = form
  const field = (name: string, label: string, autocomplete: string) => (
    <div>
      <Field id={`${id}-${name}`} label={label}>
        <input
          id={`${id}-${name}`}
          name={name}
          type="password"
          autocomplete={autocomplete}
          {...about(name)}
        />
      </Field>
      {problem(name)}
    </div>
  )
  return (
    <Dialog title="Cambiar mi contraseña" onClose={form.busy ? undefined : onClose}>
      <form {...form.props}>
        {field('current_password', 'Contraseña actual', 'current-password')}
        {field('password', 'Contraseña nueva, de 8 caracteres o más', 'new-password')}
        {field('repeated', 'La nueva, otra vez', 'new-password')}
        <FormEnd
          form={form}
          problem={form.problems.all}
          act="Cambiar la contraseña"
          busyAct="Cambiando…"
        >
          <button type="button" onClick={onClose} disabled={form.busy}>
            Volver
          </button>
        </FormEnd>
      </form>
    </Dialog>
  )
}

export const SignOutEverywhereDialog = ({ onClose }: Props) => {
  const form = useForm({ check: () => ({}), send: signOutEverywhere })
  return (
    <Dialog title="Cerrar todas mis sesiones" onClose={form.busy ? undefined : onClose}>
      <form {...form.props}>
        <p>
          Se cierran todas las sesiones con tu cuenta, también la de este equipo: en otros
          navegadores, en teléfonos y en lo que use tu cuenta.
        </p>
        <FormEnd
          form={form}
          problem={form.problems.all}
          act="Cerrar todas mis sesiones"
          busyAct="Cerrando…"
        >
          <button type="button" onClick={onClose} disabled={form.busy}>
            Volver
          </button>
        </FormEnd>
      </form>
    </Dialog>
  )
}
