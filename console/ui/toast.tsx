import { useEffect, useState } from 'preact/hooks'
import { useStore } from '../session/store.ts'
import { Icon } from './icon.tsx'
import { ui } from './ui-state.ts'

const SHOWN_MS = 8_000

/** Shows the latest message, also to screen readers, with a button to undo a decision. */
export const Toast = ({ onUndo }: { onUndo?: () => void }) => {
  const { message, messages, undoable } = useStore(ui)
  const [seen, setSeen] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setSeen(messages), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [messages])
  const shown = message !== '' && seen !== messages
  return (
    <div class={`toast ${shown ? 'shown' : ''}`}>
      <p role="status">{shown ? message : ''}</p>
      {shown && undoable && onUndo && (
        <button type="button" class="quiet" onClick={onUndo}>
          <Icon name="undo" />
          Deshacer
        </button>
      )}
    </div>
  )
}
