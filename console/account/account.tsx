import { changePassword, signOutEverywhere } from '../session/session.ts'
import { FormField, useForm } from '../ui/form.tsx'
import { ConfirmDialog, FormDialog } from '../ui/form-dialog.tsx'
import { announce } from '../ui/ui-state.ts'

interface Props {
  onClose: () => void
}

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
  const field = (name: string, label: string, autocomplete: string) => (
    <FormField form={form} name={name} label={label} type="password" autocomplete={autocomplete} />
  )
  return (
    <FormDialog
      form={form}
      title="Cambiar mi contraseña"
      act="Cambiar la contraseña"
      busyAct="Cambiando…"
      onClose={onClose}
    >
      {field('current_password', 'Contraseña actual', 'current-password')}
      {field('password', 'Contraseña nueva, de 8 caracteres o más', 'new-password')}
      {field('repeated', 'La nueva, otra vez', 'new-password')}
    </FormDialog>
  )
}

export const SignOutEverywhereDialog = ({ onClose }: Props) => (
  <ConfirmDialog
    title="Cerrar todas mis sesiones"
    act="Cerrar todas mis sesiones"
    busyAct="Cerrando…"
    onClose={onClose}
    send={signOutEverywhere}
  >
    Se cierran todas las sesiones con tu cuenta, también la de este equipo: en otros navegadores, en
    teléfonos y en lo que use tu cuenta.
  </ConfirmDialog>
)
