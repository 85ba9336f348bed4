import { useEffect, useState } from 'hono/jsx/dom'
import { messageOf } from '../api/client.ts'

/**
 * Reads something when the view appears, when a dependency changes, and when `again` is called.
 * Meanwhile the earlier result stays. A result that a newer read has overtaken is dropped.
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
