import { connection } from '../api/connection.ts'
import type { Moved } from '../api/decide.ts'
import { describeMoved } from '../state/decisions.ts'
import { useStore } from '../state/store.ts'
import { counted, countLogs, OFFLINE } from '../text.ts'
import { Icon } from '../ui/icon.tsx'

/** Who decided first. */
export const Conflicts = ({ moved }: { moved: Moved[] }) => (
  <ul class="conflicts">
    {moved.slice(0, 5).map((one) => (
      <li key={one.log_id}>
        <Icon name="alert" />
        {describeMoved(one)}
      </li>
    ))}
    {moved.length > 5 && <li key="more">Y {counted(moved.length - 5, 'checada')} más.</li>}
  </ul>
)

export interface Progress {
  decided: number
  total: number
  stopping: boolean
}

/** How far a decision about many has come, and the way to stop it. */
export const ProgressBar = ({ progress, onStop }: { progress: Progress; onStop: () => void }) => {
  const { online } = useStore(connection)
  const { decided, total, stopping } = progress
  return (
    <div class="progress">
      <progress max={total} value={decided} aria-label="Avance" />
      <p role="status">
        {online ? `${decided} de ${countLogs(total)}` : `${OFFLINE} Van ${decided} de ${total}.`}
      </p>
      <button type="button" onClick={onStop} disabled={stopping}>
        {stopping ? 'Deteniendo…' : 'Detener'}
      </button>
    </div>
  )
}
