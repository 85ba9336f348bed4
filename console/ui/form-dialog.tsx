import type { ComponentChildren } from 'preact'
import { Dialog } from './dialog.tsx'
import { FormEnd, useForm } from './form.tsx'

export interface FormDialogProps {
  form: ReturnType<typeof useForm>
  title: string
  act: string
  busyAct?: string
  isDangerous?: boolean | undefined
  /** The error message at the end of the form. The default is the message about the whole form. */
  problem?: string | undefined
  children: ComponentChildren
  onClose: () => void
}

/** A form in a dialog. The dialog stays open while the form is sent, and after an error. */
export const FormDialog = (props: FormDialogProps) => {
  const { form, title, act, busyAct = 'Guardando…', isDangerous, children, onClose } = props
  const { problem = form.problems.all } = props
  return (
    <Dialog title={title} onClose={form.busy ? undefined : onClose}>
      <form {...form.props}>
        {children}
        <FormEnd
          form={form}
          problem={problem}
          act={act}
          busyAct={busyAct}
          class={isDangerous ? 'danger' : 'primary'}
        >
          <button type="button" onClick={onClose} disabled={form.busy}>
            Volver
          </button>
        </FormEnd>
      </form>
    </Dialog>
  )
}

interface ConfirmProps extends Omit<FormDialogProps, 'form' | 'problem'> {
  send: () => Promise<void>
}

/** Explains the effect of an act before the act is carried out. */
export const ConfirmDialog = ({ children, send, ...dialog }: ConfirmProps) => {
  const form = useForm({
    check: () => ({}),
    send: async () => {
      await send()
      dialog.onClose()
    },
  })
  return (
    <FormDialog {...dialog} form={form} problem={Object.values(form.problems).join(' ')}>
      <p>{children}</p>
    </FormDialog>
  )
}
