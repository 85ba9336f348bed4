import { useLayoutEffect } from 'preact/hooks'
import type { LogRow } from '../../sdk/api-types.ts'

interface OpenLog {
  log: LogRow
  /** The ids of the previous and the next log of the list. */
  before: number | undefined
  after: number | undefined
}

let shown: OpenLog | undefined

/** The log that the page shows. Undefined if it shows another page or the list. */
export const openLog = (): OpenLog | undefined => shown

/** Makes a log known to the shortcuts while it is shown. */
export const useOpenLog = (open: OpenLog | undefined): void =>
  useLayoutEffect(() => {
    shown = open
    return () => {
      shown = undefined
    }
  })
