import { createStore } from '../state/store.ts'

export const connection = createStore({ online: navigator.onLine })

for (const event of ['online', 'offline'] as const) {
  addEventListener(event, () => connection.set({ online: event === 'online' }))
}

export const whenOnline = (): Promise<void> =>
  new Promise((resolve) => {
    if (navigator.onLine) return resolve()
    addEventListener('online', () => resolve(), { once: true })
  })
