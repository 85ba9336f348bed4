import type { Child } from 'hono/jsx/dom'
import { Dialog } from './dialog.tsx'
import { FormEnd, useForm } from './form.tsx'

interface Props {
  title: string
  act: string
  busyAct?: string
  isDangerous?: boolean
  children: Child
  onClose: () => void
  /** The dialog stays open after an error. */
  send: () => Promise<void>
}

/** Explains the effect of an act before it is carried out. */
export const ConfirmDialog = (props: Props) => {
  const { title, act, busyAct = 'Guardando…', isDangerous, children, onClose, send } = props
  const form = useForm({
    check: () => ({}),
    send: async () => {
      await send()
      onClose()
    },
  })
  return (
    <Dialog title={title} onClose={form.busy ? undefined : onClose}>
      <form {...form.props}>
        <p>{children}</p>
        <FormEnd
          form={form}
          problem={Object.values(form.problems).join(' ')}
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
