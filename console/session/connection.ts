import { createStore } from './store.ts'

export const connection = createStore({ online: navigator.onLine })

for (const event of ['online', 'offline'] as const) {
  addEventListener(event, () => connection.set({ online: event === 'online' }))
}

/** Resolves when there is a connection, or when the signal is aborted. */
export const whenOnline = (signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (navigator.onLine || signal?.aborted) return resolve()
    addEventListener('online', () => resolve(), { once: true })
    signal?.addEventListener('abort', () => resolve(), { once: true })
  })
