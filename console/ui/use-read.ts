import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { messageOf } from '../session/client.ts'

const isSame = (one: unknown[] | undefined, other: unknown[]): boolean =>
  one?.length === other.length && other.every((value, i) => Object.is(value, one[i]))

/**
 * Reads data when the view appears, when a dependency changes, and when `again` is called. The
 * previous data stays until the new data arrives, and also if reading the same again fails, so that
 * nothing that was typed beside it is lost. The response to an outdated request is dropped.
 */
export const useRead = <Data>(read: () => Promise<Data>, dependencies: unknown[] = []) => {
  const [state, setState] = useState<{ data?: Data; problem?: string }>({})
  const [attempt, setAttempt] = useState(0)
  /** The dependencies with which the data was read. */
  const readWith = useRef<unknown[] | undefined>(undefined)
  useLayoutEffect(() => {
    let isCurrent = true
    read().then(
      (data) => {
        if (!isCurrent) return
        readWith.current = dependencies
        setState({ data })
      },
      (error) => {
        if (!isCurrent) return
        const problem = messageOf(error)
        setState((before) =>
          isSame(readWith.current, dependencies) ? { ...before, problem } : { problem },
        )
      },
    )
    return () => {
      isCurrent = false
    }
  }, [...dependencies, attempt])
  return { ...state, again: () => setAttempt((count) => count + 1) }
}
