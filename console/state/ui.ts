import type { LogRow, LogStatus } from '../../sdk/api-types.ts'
import { createStore } from './store.ts'

const SHORTCUTS_OFF_KEY = 'checada.shortcuts-off'

interface Ui {
  /** The latest message for the user. */
  message: string
  /** The address of the page that it is about. */
  messagePage: string
  /** The number of messages so far. It makes screen readers announce a repeated text again. */
  messages: number
  /** Whether the message is about a decision that can be undone. */
  undoable: boolean
  deciding?: { logs: LogRow[]; status: LogStatus; note?: string | undefined } | undefined
  /** The number of decisions and undos so far. Views read their figures again when it changes. */
  decisions: number
  helpOpen: boolean
  /** The open dialog about the user's own account. */
  account?: 'password' | 'sign-out' | undefined
  shortcuts: boolean
}

export const ui = createStore<Ui>({
  message: '',
  messagePage: '',
  messages: 0,
  undoable: false,
  decisions: 0,
  helpOpen: false,
  shortcuts: localStorage.getItem(SHORTCUTS_OFF_KEY) === null,
})

export const announce = (message: string, { undoable = false } = {}): void =>
  ui.set({ message, undoable, messagePage: location.hash, messages: ui.get().messages + 1 })

/** Ends a message about another page, but one about a decision that can still be undone. */
export const endMessage = (): void => {
  const { messagePage, undoable } = ui.get()
  if (!undoable && messagePage !== location.hash) ui.set({ message: '' })
}

export const setShortcuts = (shortcuts: boolean): void => {
  if (shortcuts) localStorage.removeItem(SHORTCUTS_OFF_KEY)
  else localStorage.setItem(SHORTCUTS_OFF_KEY, '1')
  ui.set({ shortcuts })
}
