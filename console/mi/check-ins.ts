import { createStore } from '../session/store.ts'
import { compare } from '../ui/order.ts'
import type { Session } from './session.ts'

/** A check-in that the service has not recorded. Only its user's token may be used to send it. */
export interface CheckIn {
  client_id: string
  user_id: number
  name: string
  kind: 'entrada' | 'salida'
  /** The time of the check-in by the phone's clock, in UTC. */
  recorded_at: string
  /**
   * Why the service refused the check-in: a reason such as `too_old`, or the code of an error. The
   * check-in stays until the person sends it again, asks for a correction or removes it.
   */
  refusal?: string | undefined
  /** The message of that error. */
  message?: string | undefined
}

const STORE = 'checks'

/** The check-ins of all users of this phone, the oldest first. */
export const checkIns = createStore({
  all: [] as CheckIn[],
  /** Whether the phone has been asked for what it has stored. Before, `all` says nothing. */
  isRead: false,
  /** Whether the phone could not read what it has stored. Then `all` may not be complete. */
  isUnreadable: false,
  /** The check-ins that the browser could not store. They are lost when the page is closed. */
  unsaved: [] as CheckIn[],
  /** The number of check-ins that were sent or removed since the page was opened. */
  gone: 0,
})

const otherTabs = new BroadcastChannel('checada.mi')

const openDatabase = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open('checada', 1)
    request.onupgradeneeded = () =>
      request.result.createObjectStore(STORE, { keyPath: 'client_id' })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

export const hasUnsavedCheckIns = (): boolean => checkIns.get().unsaved.length > 0

/** Runs a database request. Resolves once its transaction is on the disk. */
const inStore = async <Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> => {
  const database = await openDatabase()
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode, { durability: 'strict' })
      const request = act(transaction.objectStore(STORE))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
    })
  } finally {
    database.close()
  }
}

/** What the phone had stored when it could be read last. */
let stored: CheckIn[] = []

/** Reads the check-ins that this tab and other tabs have stored. */
export const readCheckIns = async (): Promise<void> => {
  let isUnreadable = false
  try {
    stored = await inStore<CheckIn[]>('readonly', (store) => store.getAll())
  } catch {
    isUnreadable = true
  }
  const all = [...stored, ...checkIns.get().unsaved]
  const sorted = all.sort((a, b) => compare(a.recorded_at, b.recorded_at))
  checkIns.set({ isRead: true, isUnreadable, all: sorted })
}

const showChange = async (): Promise<void> => {
  otherTabs.postMessage('changed')
  await readCheckIns()
}

const withoutCheckIn = ({ client_id }: CheckIn): CheckIn[] =>
  checkIns.get().unsaved.filter((one) => one.client_id !== client_id)

/** Stores a check-in, or replaces the stored check-in that has the same `client_id`. */
export const storeCheckIn = async (checkIn: CheckIn): Promise<void> => {
  const unsaved = withoutCheckIn(checkIn)
  await inStore('readwrite', (store) => store.put(checkIn)).then(
    () => checkIns.set({ unsaved }),
    () => checkIns.set({ unsaved: [...unsaved, checkIn] }),
  )
  await showChange()
}

export const removeCheckIn = async (checkIn: CheckIn): Promise<void> => {
  checkIns.set({ unsaved: withoutCheckIn(checkIn), gone: checkIns.get().gone + 1 })
  await inStore('readwrite', (store) => store.delete(checkIn.client_id)).catch(() => {})
  await showChange()
}

export const newCheckIn = ({ user_id, name }: Session, kind: CheckIn['kind']): CheckIn => {
  // Without this, the browser may delete the page's data when the phone is full.
  void navigator.storage?.persist?.().catch(() => {})
  const recorded_at = new Date().toISOString()
  return { client_id: crypto.randomUUID(), user_id, name, kind, recorded_at }
}

export const followCheckIns = (): void => {
  addEventListener('beforeunload', (event) => hasUnsavedCheckIns() && event.preventDefault())
  otherTabs.onmessage = () => void readCheckIns()
  void readCheckIns()
}
