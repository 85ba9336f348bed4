import { useSyncExternalStore } from 'hono/jsx/dom'

/** A value that views follow. */
export interface Store<State> {
  get(): State
  /** Merges fields into the state. */
  set(fields: Partial<State>): void
  subscribe(listener: () => void): () => void
}

export const createStore = <State extends object>(initial: State): Store<State> => {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set: (fields) => {
      state = { ...state, ...fields }
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const useStore = <State extends object>(store: Store<State>): State =>
  useSyncExternalStore(store.subscribe, store.get)
