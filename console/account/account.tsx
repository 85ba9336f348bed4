import { changePassword, signOutEverywhere } from '../session/session.ts'
import { ask } from '../ui/ask.tsx'
import { ConfirmDialog, FormDialog } from '../ui/dialogs.tsx'
import { PasswordFields, usePasswordForm } from './password-form.tsx'

const PasswordDialog = ({ onClose }: { onClose: () => void }) => {
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

export const askForPassword = () => ask((close) => <PasswordDialog onClose={close} />)

export const askToSignOutEverywhere = () =>
  ask((close) => (
    <ConfirmDialog
      title="Cerrar todas mis sesiones"
      act="Cerrar todas mis sesiones"
      busyAct="Cerrando…"
      onClose={close}
      send={signOutEverywhere}
    >
      Se cierran todas las sesiones con tu cuenta, también la de este equipo: en otros navegadores,
      en teléfonos y en lo que use tu cuenta.
    </ConfirmDialog>
  ))
