import type { ComponentChildren } from 'preact'
import { ask } from './ask.tsx'
import { CommentDialog, ConfirmDialog } from './dialogs.tsx'

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

/** The dialog's title is the button's label, unless it has another one. */
type PropsWith<DialogProps> = ButtonProps &
  Omit<DialogProps, 'onClose' | 'title'> & { title?: string }

/** A button that explains the effect of an act before the act is carried out. */
export const ConfirmButton = (props: PropsWith<Parameters<typeof ConfirmDialog>[0]>) => {
  const { label, about, class: name, title = label, ...rest } = props
  const dialog = (close: () => void) => <ConfirmDialog {...rest} title={title} onClose={close} />
  return <DialogButton {...{ label, about, class: name, dialog }} />
}

/** A button that explains the effect of an act, and asks for a comment. */
export const CommentButton = (props: PropsWith<Parameters<typeof CommentDialog>[0]>) => {
  const { label, about, class: name, title = label, ...rest } = props
  const dialog = (close: () => void) => <CommentDialog {...rest} title={title} onClose={close} />
  return <DialogButton {...{ label, about, class: name, dialog }} />
}
