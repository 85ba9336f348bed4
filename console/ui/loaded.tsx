import type { ComponentChildren } from 'preact'
import { messageOf } from '../session/client.ts'
import styles from './loaded.module.css'
import { Failure, Problem, Skeleton } from './reading.tsx'

/** What is used of the result of `useQuery`. */
export interface Read<Data> {
  data: Data | undefined
  error: Error | null
  /** Whether the data is of an older filter. */
  isPlaceholderData?: boolean
  refetch: () => unknown
}

interface Props<Data> {
  read: Read<Data>
  /** The title of the message if the data could not be read. */
  failure: string
  /** What the message says besides why. */
  note?: string
  /** The number of placeholder rows. */
  rows?: number
  /** Whether the page shows nothing else. Then the title is the page's heading. */
  isPage?: boolean
  children: (data: Data) => ComponentChildren
}

/**
 * Shows data when it has been read, and why if it could not be. If reading it again fails, the page
 * says so above the data that was read before. Data of an older filter is dimmed and has no effect.
 */
export const Loaded = <Data,>(props: Props<Data>) => {
  const { read, failure, note, rows = 6, isPage, children } = props
  const { data, error, isPlaceholderData = false, refetch } = read
  // What was read of another filter says nothing about this one.
  const shown = error && isPlaceholderData ? undefined : data
  return (
    <>
      {error && (
        <Failure
          key="failure"
          isPage={isPage && shown === undefined}
          title={shown === undefined ? failure : `${failure} otra vez`}
          text={[messageOf(error), note].filter(Boolean).join(' ')}
          onRetry={() => refetch()}
        />
      )}
      {shown === undefined && !error && (
        <div key="wait" aria-busy="true">
          <Skeleton rows={rows} />
        </div>
      )}
      {shown !== undefined && (
        <div
          key="data"
          class={styles.loaded}
          aria-busy={isPlaceholderData ? 'true' : undefined}
          inert={isPlaceholderData}
        >
          {children(shown)}
        </div>
      )}
    </>
  )
}

/** Says why a part of a page could not be read. `what` says what is missing. */
export const ReadProblem = ({ error, what = '' }: { error: Error | null; what?: string }) => (
  <Problem text={error ? `${what} ${messageOf(error)}`.trim() : ''} />
)
