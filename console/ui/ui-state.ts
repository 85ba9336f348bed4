import type { LogRow, LogStatus } from '../../sdk/api-types.ts'
import { browserStorage } from '../session/storage.ts'
import { createStore } from '../session/store.ts'

const SHORTCUTS_OFF_KEY = 'checada.shortcuts-off'

export const ui = createStore({
  message: '',
  /** The address of the page that the message is about. */
  messagePage: '',
  /** The number of messages so far. It makes the toast show a repeated text again. */
  messages: 0,
  /** Whether the message is about a decision that can be undone. */
  undoable: false,
  deciding: undefined as
    | {
        logs: LogRow[]
        status: LogStatus
        note?: string | undefined
        comment?: string | undefined
      }
    | undefined,
  /** The number of decisions and undos. Views read their figures again when this number changes. */
  decisions: 0,
  helpOpen: false,
  /** The open dialog about the user's own account. */
  account: undefined as 'password' | 'sign-out' | undefined,
  shortcuts: browserStorage.getItem(SHORTCUTS_OFF_KEY) === null,
})

export const announce = (message: string, { undoable = false } = {}): void =>
  ui.set({ message, undoable, messagePage: location.hash, messages: ui.get().messages + 1 })

/** Ends a message about another page, unless it is about a decision that can still be undone. */
export const endMessage = (): void => {
  const { messagePage, undoable } = ui.get()
  if (!undoable && messagePage !== location.hash) ui.set({ message: '' })
}

export const setShortcuts = (shortcuts: boolean): void => {
  if (shortcuts) browserStorage.removeItem(SHORTCUTS_OFF_KEY)
  else browserStorage.setItem(SHORTCUTS_OFF_KEY, '1')
  ui.set({ shortcuts })
}
