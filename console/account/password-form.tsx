import { TextField } from '../ui/fields.tsx'
import { announce } from '../ui/ui-state.ts'
import { useForm } from '../ui/use-form.tsx'

/** The form in which a user changes their own password. `change` also ends the other sessions. */
export const usePasswordForm = (
  change: (current_password: string, password: string) => Promise<void>,
  onDone: () => void,
) =>
  useForm({
    initial: { current_password: '', password: '', repeated: '' },
    check: ({ current_password, password, repeated }) => ({
      current_password: !current_password && 'Escribe tu contraseña actual.',
      password: !password && 'Escribe la contraseña nueva.',
      repeated: password !== repeated && 'No es igual a la contraseña nueva.',
    }),
    send: async ({ current_password, password }) => {
      await change(current_password, password)
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
      <TextField
        key={name}
        {...form.field(name)}
        label={label}
        type="password"
        autocomplete={autocomplete}
      />
    ))}
  </>
)
