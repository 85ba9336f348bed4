import { Icon } from './icon.tsx'

interface Props {
  title: string
  text: string
  onRetry: () => void
}

/** What could not be read. */
export const Failure = ({ title, text, onRetry }: Props) => (
  <div class="empty" role="alert">
    <Icon name="alert" />
    <h2>{title}</h2>
    <p>{text}</p>
    <button type="button" onClick={onRetry}>
      Reintentar
    </button>
  </div>
)
