import { type Child, useLayoutEffect, useRef } from 'hono/jsx/dom'

interface Props {
  title: string
  class?: string
  /** Called on Escape. Without it the dialog stays open. */
  onClose?: (() => void) | undefined
  children?: Child
}

/** A modal dialog. The browser keeps the focus inside, and returns it afterwards. */
export const Dialog = ({ title, class: name = '', onClose, children }: Props) => {
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      class={name}
      aria-label={title}
      onCancel={(event: Event) => {
        event.preventDefault()
        onClose?.()
      }}
    >
      <h2>{title}</h2>
      {children}
    </dialog>
  )
}
