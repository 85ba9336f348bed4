import type { LogRow, LogStatus } from '../../sdk/api-types.ts'
import { createStore } from './store.ts'

const SHORTCUTS_OFF = 'checada.shortcuts-off'

interface Ui {
  /** What has just happened. */
  message: string
  /** The number of messages: the same text is announced again. */
  messages: number
  /** Whether the message is about a decision that can be undone. */
  undoable: boolean
  deciding?: { logs: LogRow[]; status: LogStatus; note?: string | undefined } | undefined
  /** The number of decisions and undos. Figures that depend on them are read again. */
  decisions: number
  helpOpen: boolean
  shortcuts: boolean
}

export const ui = createStore<Ui>({
  message: '',
  messages: 0,
  undoable: false,
  decisions: 0,
  helpOpen: false,
  shortcuts: localStorage.getItem(SHORTCUTS_OFF) === null,
})

export const announce = (message: string, { undoable = false } = {}): void =>
  ui.set({ message, undoable, messages: ui.get().messages + 1 })

export const setShortcuts = (shortcuts: boolean): void => {
  if (shortcuts) localStorage.removeItem(SHORTCUTS_OFF)
  else localStorage.setItem(SHORTCUTS_OFF, '1')
  ui.set({ shortcuts })
}
