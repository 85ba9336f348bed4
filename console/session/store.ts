import { useLayoutEffect, useState } from 'preact/hooks'

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

/** The state of a store. The view renders again when it changes. */
export const useStore = <State extends object>({ subscribe, get }: Store<State>): State => {
  const [, setVersion] = useState(0)
  const state = get()
  useLayoutEffect(() => {
    const update = () => setVersion((version) => version + 1)
    if (get() !== state) update()
    return subscribe(update)
  }, [])
  return state
}
