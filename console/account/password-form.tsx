import { FormField, useForm } from '../ui/form.tsx'
import { announce } from '../ui/ui-state.ts'

/** The form in which a user changes their own password. `change` also ends the other sessions. */
export const usePasswordForm = (
  change: (current_password: string, password: string) => Promise<void>,
  onDone: () => void,
) =>
  useForm({
    check: (given) => ({
      ...(!given('current_password') && { current_password: 'Escribe tu contraseña actual.' }),
      ...(!given('password') && { password: 'Escribe la contraseña nueva.' }),
      ...(given('password') !== given('repeated') && {
        repeated: 'No es igual a la contraseña nueva.',
      }),
    }),
    send: async (given) => {
      await change(given('current_password'), given('password'))
      onDone()
      announce('Tu contraseña se cambió. Las demás sesiones con tu cuenta se cerraron.')
    },
  })

const FIELDS = [
  ['current_password', 'Contraseña actual', 'current-password'],
  ['password', 'Contraseña nueva, de 8 caracteres o más', 'new-password'],
  ['repeated', 'La nueva, otra vez', 'new-password'],
] as const

export const PasswordFields = ({ form }: { form: ReturnType<typeof usePasswordForm> }) => (
  <>
    {FIELDS.map(([name, label, autocomplete]) => (
      <FormField
        key={name}
        form={form}
        name={name}
        label={label}
        type="password"
        autocomplete={autocomplete}
      />
    ))}
  </>
)
