import { messageOf } from '../session/client.ts'
import { Field } from './fields.tsx'
import { type Given, useForm } from './form.tsx'
import { FormDialog, type FormDialogProps } from './form-dialog.tsx'

interface Props extends Omit<FormDialogProps, 'form' | 'problem'> {
  /** The label of the comment field. */
  label?: string
  /** The message if the comment is missing. */
  missingText?: string
  /** The text below the comment field. With a hint, the comment is optional. */
  hint?: string
  /** A message if the user still has to choose something, or false if nothing is missing. */
  missing?: string | false
  onDone: () => void
  send: (given: Given) => Promise<void>
}

/** Explains the effect of an act and asks for a comment. The dialog stays open after an error. */
export const ActDialog = ({
  hint,
  label = hint ? 'Nota (opcional)' : 'Motivo',
  missing,
  missingText = 'Escribe el motivo: queda en el historial.',
  children,
  onDone,
  send,
  ...dialog
}: Props) => {
  const form = useForm({
    check: (given) => {
      if (missing) return { all: missing }
      if (hint || given('comment')) return {}
      return { all: missingText }
    },
    send: async (given) => {
      await send(given)
      dialog.onClose()
      onDone()
    },
    describe: (error) => ({ all: messageOf(error) }),
  })
  const { id, problems } = form
  return (
    <FormDialog {...dialog} form={form}>
      {children}
      <Field id={id} label={label}>
        <textarea
          id={id}
          name="comment"
          rows={2}
          aria-invalid={problems.all && !hint ? 'true' : undefined}
        />
        {hint && <p class="note">{hint}</p>}
      </Field>
    </FormDialog>
  )
}
