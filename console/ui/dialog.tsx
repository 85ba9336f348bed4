import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface Props {
  title: string
  class?: string
  /** Called when the user presses Escape. Without it, Escape does nothing. */
  onClose?: (() => void) | undefined
  children?: ComponentChildren
}

let openDialogs = 0

export const isDialogOpen = (): boolean => openDialogs > 0

/** A modal dialog. The browser keeps the focus inside and restores it when the dialog closes. */
export const Dialog = ({ title, class: name = '', onClose, children }: Props) => {
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    openDialogs++
    return () => {
      dialog?.close()
      openDialogs--
    }
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
