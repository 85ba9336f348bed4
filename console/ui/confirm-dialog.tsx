import type { Child } from 'hono/jsx/dom'
import { useForm } from './form.tsx'
import { FormDialog } from './form-dialog.tsx'

interface Props {
  title: string
  act: string
  busyAct?: string
  isDangerous?: boolean
  children: Child
  onClose: () => void
  send: () => Promise<void>
}

/** Explains the effect of an act before it is carried out. */
export const ConfirmDialog = ({ children, send, ...dialog }: Props) => {
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
