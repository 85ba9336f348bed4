import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ConfirmDialog } from './form-dialog.tsx'

interface ButtonProps {
  label: string
  /** What screen readers say after the label, such as the name of a person or a clock. */
  about?: string | undefined
  class?: string | undefined
}

interface Props extends ButtonProps {
  /** Returns the dialog. The dialog calls `close` when the user has finished or cancelled. */
  dialog: (close: () => void) => ComponentChildren
}

export const DialogButton = ({ label, about, class: name, dialog }: Props) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class={name} onClick={() => setOpen(true)}>
        {label}
        {about && <span class="sr"> {about}</span>}
      </button>
      {isOpen && dialog(() => setOpen(false))}
    </>
  )
}

type ConfirmProps = ButtonProps & Omit<Parameters<typeof ConfirmDialog>[0], 'onClose'>

/** A button that explains the effect of an act before the act is carried out. */
export const ConfirmButton = ({ label, about, class: name, ...confirmation }: ConfirmProps) => (
  <DialogButton
    label={label}
    about={about}
    class={name}
    dialog={(close) => <ConfirmDialog {...confirmation} onClose={close} />}
  />
)
