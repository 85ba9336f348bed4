import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

/** A placeholder for rows that are still loading. */
export const Skeleton = ({ rows }: { rows: number }) => (
  <div class="skeleton" aria-hidden="true">
    {Array.from({ length: rows }, (_, i) => (
      <div key={i} />
    ))}
  </div>
)

interface FailureProps {
  /** Whether the page shows nothing else. Then the title is the page's heading. */
  isPage?: boolean | undefined
  title: string
  text: string
  onRetry: () => void
}

/** The message in place of data that could not be read. */
export const Failure = ({ isPage, title, text, onRetry }: FailureProps) => (
  <div class="empty" role="alert">
    <Icon name="alert" />
    {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
    <p>{text}</p>
    <button type="button" onClick={onRetry}>
      Reintentar
    </button>
  </div>
)

/** A message about what went wrong. Screen readers read it out when it appears. */
export const Problem = ({ text }: { text: string | undefined }) => (
  <p class="problem" role="alert">
    {text}
  </p>
)

export const Remark = ({
  icon = 'alert',
  children,
}: {
  icon?: IconName
  children: ComponentChildren
}) => (
  <p class="alert">
    <Icon name={icon} />
    <span>{children}</span>
  </p>
)

/** A list of alerts, such as one for each person or field. */
export const AlertList = ({ lines }: { lines: string[] }) => (
  <ul class="conflicts">
    {lines.map((line, i) => (
      <li key={i}>
        <Icon name="alert" />
        {line}
      </li>
    ))}
  </ul>
)
