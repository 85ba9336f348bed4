import type { ComponentChildren } from 'preact'
import { ask } from './ask.tsx'
import { ConfirmDialog } from './dialogs.tsx'

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

/** A button that opens a dialog. */
export const DialogButton = ({ label, about, class: name, dialog }: Props) => (
  <button type="button" class={name} onClick={() => ask(dialog)}>
    {label}
    {about && <span class="sr"> {about}</span>}
  </button>
)

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
