import { newId } from '../session/new-id.ts'
import { createStore } from '../session/store.ts'
import { compare } from '../ui/order.ts'
import type { Session } from './session.ts'

/** A check-in that the service has not recorded. Only its user's token may be used to send it. */
export interface CheckIn {
  client_id: string
  user_id: number
  name: string
  kind: 'entrada' | 'salida'
  /** The time of the check-in in UTC, by the phone's clock unless `by_service`. */
  recorded_at: string
  /** Whether the time is the service's, as the page knew it. Then the phone's clock is not used. */
  by_service?: true
  /**
   * Why the service refused the check-in: a reason such as `too_old`, or the code of an error. The
   * check-in stays until the person sends it again, asks for a correction or removes it.
   */
  refusal?: string | undefined
  /** The message of that error. */
  message?: string | undefined
}

/** The check-ins of all users of this phone, the oldest first. */
export const checkIns = createStore({
  all: [] as CheckIn[],
  /** Whether the phone has been asked for what it has stored. Before, `all` says nothing. */
  isRead: false,
  /** Whether the phone could not read what it has stored. Then `all` may not be complete. */
  isUnreadable: false,
  /** The check-ins that are not stored on the phone. They are lost when the page is closed. */
  unsaved: [] as CheckIn[],
  /** The check-ins that the service has recorded since the page was opened, by `client_id`. */
  recorded: new Set<string>(),
  /** The number of check-ins that were sent or removed since the page was opened. */
  gone: 0,
})

const STORE = 'checks'
/** On some phones, the storage does not answer at all. Once it did not, it gets less time. */
const STORAGE_MS = 2_000
const SILENT_STORAGE_MS = 200
let storageMs = STORAGE_MS

/** Runs a database request. Resolves once its transaction is on the disk. */
const inStore = <Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open('checada', 1)
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      storageMs = SILENT_STORAGE_MS
      reject(new Error('The storage does not answer.'))
    }, storageMs)
    const fail = (error: unknown) => {
      clearTimeout(timer)
      reject(error)
    }
    opening.onupgradeneeded = () =>
      opening.result.createObjectStore(STORE, { keyPath: 'client_id' })
    opening.onerror = () => fail(opening.error)
    opening.onsuccess = () => {
      const database = opening.result
      storageMs = STORAGE_MS
      if (isLate) return database.close()
      try {
        const transaction = database.transaction(STORE, mode, { durability: 'strict' })
        const request = act(transaction.objectStore(STORE))
        transaction.oncomplete = () => {
          clearTimeout(timer)
          resolve(request.result)
        }
        transaction.onabort = () => fail(transaction.error)
      } catch (error) {
        fail(error)
      } finally {
        // Closes once the transaction has ended.
        database.close()
      }
    }
  })

/** All check-ins that this page knows of. The browser may delete what it has stored. */
const known = new Map<string, CheckIn>()
/** The known ones that are not stored as they are. */
const unsaved = new Set<string>()
const gone = new Set<string>()

const openChannel = (): BroadcastChannel | undefined => {
  try {
    return new BroadcastChannel('checada.mi')
  } catch {
    // The browser is older, or blocks a site's data.
    return undefined
  }
}

const otherTabs = openChannel()

const show = (): void => {
  const all = [...known.values()].sort((a, b) => compare(a.recorded_at, b.recorded_at))
  checkIns.set({ all, unsaved: all.filter(({ client_id }) => unsaved.has(client_id)) })
}

const save = (checkIn: CheckIn): Promise<void> => {
  const { client_id } = checkIn
  unsaved.add(client_id)
  return inStore('readwrite', (store) => store.put(checkIn)).then(
    () => void unsaved.delete(client_id),
    () => {},
  )
}

export const hasUnsavedCheckIns = (): boolean => unsaved.size > 0

const isWord = (stored: string): boolean => /^\w+$/.test(stored)

/** Version 2.0 stored the message of an error in place of its code. Codes and reasons are words. */
const fromStore = (one: CheckIn): CheckIn =>
  one.refusal && !isWord(one.refusal) ? { ...one, message: one.refusal } : one

/** Reads the check-ins that this tab and other tabs have stored. Stores again what is missing. */
export const readCheckIns = async (): Promise<void> => {
  try {
    const stored = await inStore<CheckIn[]>('readonly', (store) => store.getAll())
    for (const one of stored) {
      if (!gone.has(one.client_id) && !unsaved.has(one.client_id))
        known.set(one.client_id, fromStore(one))
    }
    const isStored = (id: string) => stored.some(({ client_id }) => client_id === id)
    const missing = [...known.values()].filter(
      ({ client_id }) => unsaved.has(client_id) || !isStored(client_id),
    )
    for (const one of missing) await save(one)
    checkIns.set({ isUnreadable: false })
  } catch {
    checkIns.set({ isUnreadable: true })
  }
  checkIns.set({ isRead: true })
  show()
}

/** Stores a check-in, or replaces the stored check-in that has the same `client_id`. */
export const storeCheckIn = async (checkIn: CheckIn): Promise<void> => {
  if (gone.has(checkIn.client_id)) return
  known.set(checkIn.client_id, checkIn)
  await save(checkIn)
  otherTabs?.postMessage({})
  show()
}

type Gone = { client_id: string; how: 'recorded' | 'removed' }

const forget = ({ client_id, how }: Gone): void => {
  gone.add(client_id)
  known.delete(client_id)
  unsaved.delete(client_id)
  const { recorded } = checkIns.get()
  if (how === 'recorded') recorded.add(client_id)
  checkIns.set({ gone: gone.size })
  show()
}

export const removeCheckIn = async ({ client_id }: CheckIn, how: Gone['how']): Promise<void> => {
  forget({ client_id, how })
  // Another tab that still knows it would store it again.
  otherTabs?.postMessage({ client_id, how })
  await inStore('readwrite', (store) => store.delete(client_id)).catch(() => {})
}

export const newCheckIn = ({ user_id, name }: Session, kind: CheckIn['kind']): CheckIn => {
  // Without this, the browser may delete the page's data when the phone is full.
  void navigator.storage?.persist?.().catch(() => {})
  const recorded_at = new Date().toISOString()
  return { client_id: newId(), user_id, name, kind, recorded_at }
}

export const followCheckIns = (): void => {
  addEventListener('beforeunload', (event) => {
    if (!hasUnsavedCheckIns()) return
    event.preventDefault()
    // Chrome before version 119 asks only with this.
    event.returnValue = true
  })
  if (otherTabs) {
    otherTabs.onmessage = ({ data }: MessageEvent<Partial<Gone>>) => {
      const { client_id, how } = data
      if (client_id && how) forget({ client_id, how })
      else void readCheckIns()
    }
  }
  void readCheckIns()
}
