import { useSyncExternalStore } from 'hono/jsx/dom'

/** A shared state. Views that use it render again when it changes. */
export const createStore = <State extends object>(initial: State) => {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    get: (): State => state,
    set: (fields: Partial<State>): void => {
      state = { ...state, ...fields }
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

type Store<State extends object> = ReturnType<typeof createStore<State>>

export const useStore = <State extends object>({ subscribe, get }: Store<State>): State =>
  useSyncExternalStore(subscribe, get)
