import { type Child, useState } from 'hono/jsx/dom'
import { ConfirmDialog } from './form-dialog.tsx'

interface ButtonProps {
  label: string
  /** What screen readers say after the label, such as whom it is about. */
  about?: string | undefined
  class?: string | undefined
}

interface Props extends ButtonProps {
  /** Returns the dialog, which calls `close` when it is over. */
  dialog: (close: () => void) => Child
}

export const DialogButton = ({ label, about, class: name, dialog }: Props) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <span class="contents">
      <button type="button" class={name} onClick={() => setOpen(true)}>
        {label}
        {about && <span class="sr"> {about}</span>}
      </button>
      {isOpen && dialog(() => setOpen(false))}
    </span>
  )
}

type ConfirmProps = ButtonProps & Omit<Parameters<typeof ConfirmDialog>[0], 'onClose'>

/** A button that explains the effect of an act before it is carried out. */
export const ConfirmButton = ({ label, about, class: name, ...confirmation }: ConfirmProps) => (
  <DialogButton
    label={label}
    about={about}
    class={name}
    dialog={(close) => <ConfirmDialog {...confirmation} onClose={close} />}
  />
)
