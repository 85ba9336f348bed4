import { Dialog } from './dialog.tsx'
import { TextField } from './fields.tsx'
import { Form, type FormProps, useForm } from './use-form.tsx'

interface Props extends Pick<FormProps, 'act' | 'busyAct' | 'children'> {
  title: string
  isDangerous?: boolean | undefined
  onClose: () => void
}

/** A form in a dialog. The dialog stays open while the form is sent, and after an error. */
export const FormDialog = ({
  form,
  title,
  isDangerous,
  onClose,
  ...props
}: Props & Pick<FormProps, 'form'>) => (
  <Dialog title={title} onClose={form.busy ? undefined : onClose}>
    <Form
      {...props}
      form={form}
      look={isDangerous ? 'danger' : 'primary'}
      beside={
        <button type="button" onClick={() => onClose()} disabled={form.busy}>
          Volver
        </button>
      }
    />
  </Dialog>
)

/** Explains the effect of an act before the act is carried out. */
export const ConfirmDialog = ({
  children,
  send,
  ...dialog
}: Props & { send: () => Promise<unknown> }) => {
  const form = useForm({
    initial: {},
    send: async () => {
      await send()
      dialog.onClose()
    },
  })
  return (
    <FormDialog {...dialog} form={form}>
      <p>{children}</p>
    </FormDialog>
  )
}

interface CommentProps extends Props {
  fieldLabel?: string
  /** The message if the comment is missing. */
  missingText?: string
  /** The text below the field. With a hint, the comment is optional. */
  hint?: string
  /** A message if the user still has to choose something, or false if nothing is missing. */
  missing?: string | false
  send: (comment: string) => Promise<unknown>
}

/** Explains the effect of an act and asks for a comment. */
export const CommentDialog = (props: CommentProps) => {
  const { hint, fieldLabel = hint ? 'Nota (opcional)' : 'Motivo', missing, send, children } = props
  const { missingText = 'Escribe el motivo: queda en el historial.', ...dialog } = props
  const form = useForm({
    initial: { comment: '' },
    check: ({ comment }) => ({
      all: missing,
      comment: !missing && !hint && !comment && missingText,
    }),
    send: async ({ comment }) => {
      await send(comment)
      dialog.onClose()
    },
  })
  return (
    <FormDialog {...dialog} form={form}>
      {children}
      <TextField {...form.field('comment')} label={fieldLabel} hint={hint} rows={2} />
    </FormDialog>
  )
}
