import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface Props {
  level?: 'h1' | 'h2'
  /** When this value changes, the heading gets the focus again. */
  about?: unknown
  children: ComponentChildren
}

/** A heading that gets the focus when it appears, so that keyboard users continue from there. */
export const Heading = ({ level: Level = 'h1', about, children }: Props) => {
  const ref = useRef<HTMLHeadingElement>(null)
  // A dialog that closes at the same moment first returns the focus to the button that opened it.
  useEffect(() => void setTimeout(() => ref.current?.focus()), [about])
  return (
    <Level ref={ref} tabindex={-1}>
      {children}
    </Level>
  )
}
