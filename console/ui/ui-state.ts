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
