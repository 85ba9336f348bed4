import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** A menu. It closes with Escape, with a choice, and with a click elsewhere. */
export const Menu = ({
  summary,
  children,
}: {
  summary: ComponentChildren
  children: ComponentChildren
}) => {
  const ref = useRef<HTMLDetailsElement>(null)
  const head = useRef<HTMLElement>(null)
  useEffect(() => {
    const close = () => ref.current?.removeAttribute('open')
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !ref.current?.open) return
      close()
      head.current?.focus()
    }
    const onClick = ({ target }: Event) => {
      if (!(target instanceof Node && head.current?.contains(target))) close()
    }
    addEventListener('keydown', onKeyDown)
    addEventListener('click', onClick)
    return () => {
      removeEventListener('keydown', onKeyDown)
      removeEventListener('click', onClick)
    }
  }, [])
  return (
    <details class="menu" ref={ref}>
      <summary ref={head}>{summary}</summary>
      <div class="popup">{children}</div>
    </details>
  )
}
