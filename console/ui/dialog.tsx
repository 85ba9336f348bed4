import { type Child, useLayoutEffect, useRef } from 'hono/jsx/dom'

interface Props {
  title: string
  class?: string
  /** Called on Escape; without it the dialog stays. */
  onClose?: (() => void) | undefined
  children?: Child
}

/** A modal dialog: the browser keeps the focus inside, and gives it back. */
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
