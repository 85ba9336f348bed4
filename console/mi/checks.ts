import { createStore } from '../state/store.ts'
import type { Session } from './session.ts'

/** A check-in that the service has not recorded. Only its user's token may be used to send it. */
export interface Check {
  client_id: string
  user_id: number
  name: string
  kind: 'entrada' | 'salida'
  /** The time of the check-in by the phone's clock, in UTC. */
  recorded_at: string
  /**
   * Why the service refused the check: a reason such as `too_old`, or a message. The check stays
   * until the person sends it again, asks for a correction or removes it.
   */
  refusal?: string | undefined
}

const STORE = 'checks'

/** The checks of all users of this phone, the oldest first. */
export const checks = createStore<{ all: Check[]; unsaved: Check[]; gone: number }>({
  all: [],
  /** The checks that the browser could not store. They are lost when the page is closed. */
  unsaved: [],
  /** The number of checks that were sent or removed since the page was opened. */
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

export const hasUnsavedChecks = (): boolean => checks.get().unsaved.length > 0

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

/** Reads the checks that this tab and other tabs have stored. */
export const readChecks = async (): Promise<void> => {
  const stored: Check[] = await inStore('readonly', (store) => store.getAll()).catch(() => [])
  const all = [...stored, ...checks.get().unsaved]
  checks.set({ all: all.sort((a, b) => (a.recorded_at < b.recorded_at ? -1 : 1)) })
}

const showChange = async (): Promise<void> => {
  otherTabs.postMessage('changed')
  await readChecks()
}

const withoutCheck = ({ client_id }: Check): Check[] =>
  checks.get().unsaved.filter((one) => one.client_id !== client_id)

/** Stores a check, or replaces the stored check that has the same `client_id`. */
export const keepCheck = async (check: Check): Promise<void> => {
  const unsaved = withoutCheck(check)
  await inStore('readwrite', (store) => store.put(check)).then(
    () => checks.set({ unsaved }),
    () => checks.set({ unsaved: [...unsaved, check] }),
  )
  await showChange()
}

export const removeCheck = async (check: Check): Promise<void> => {
  checks.set({ unsaved: withoutCheck(check), gone: checks.get().gone + 1 })
  await inStore('readwrite', (store) => store.delete(check.client_id)).catch(() => {})
  await showChange()
}

export const newCheck = ({ user_id, name }: Session, kind: Check['kind']): Check => {
  // Without this, the browser may delete the page's data when the phone is full.
  void navigator.storage?.persist?.().catch(() => {})
  const recorded_at = new Date().toISOString()
  return { client_id: crypto.randomUUID(), user_id, name, kind, recorded_at }
}

export const followChecks = (): void => {
  addEventListener('beforeunload', (event) => hasUnsavedChecks() && event.preventDefault())
  otherTabs.onmessage = () => void readChecks()
  void readChecks()
}
