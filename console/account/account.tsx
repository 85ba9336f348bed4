import { changePassword, signOutEverywhere } from '../session/session.ts'
import { ConfirmDialog, FormDialog } from '../ui/form-dialog.tsx'
import { PasswordFields, usePasswordForm } from './password-form.tsx'

interface Props {
  onClose: () => void
}

export const PasswordDialog = ({ onClose }: Props) => {
  const form = usePasswordForm(changePassword, onClose)
  return (
    <FormDialog
      form={form}
      title="Cambiar mi contraseña"
      act="Cambiar la contraseña"
      busyAct="Cambiando…"
      onClose={onClose}
    >
      <PasswordFields form={form} />
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
