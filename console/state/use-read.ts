import { useEffect, useState } from 'hono/jsx/dom'
import { messageOf } from '../api/client.ts'

/**
 * What a view reads, again whenever a dependency changes. Meanwhile the earlier answer stays; one
 * that arrives late is dropped.
 */
export const useRead = <Data>(read: () => Promise<Data>, dependencies: unknown[] = []) => {
  const [state, setState] = useState<{ data?: Data; problem?: string }>({})
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
  }, dependencies)
  return state
}
