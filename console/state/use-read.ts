import { useEffect, useState } from 'hono/jsx/dom'
import { messageOf } from '../api/client.ts'

/**
 * Reads data when the view appears, when a dependency changes, and when `again` is called. The
 * previous data stays until the new data arrives. The response to an outdated request is dropped.
 */
export const useRead = <Data>(read: () => Promise<Data>, dependencies: unknown[] = []) => {
  const [state, setState] = useState<{ data?: Data; problem?: string }>({})
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isCurrent = true
    const set: typeof setState = (next) => isCurrent && setState(next)
    read().then(
      (data) => set({ data }),
      (error) => set({ problem: messageOf(error) }),
    )
    return () => {
      isCurrent = false
    }
  }, [...dependencies, attempt])
  return { ...state, again: () => setAttempt((count) => count + 1) }
}
