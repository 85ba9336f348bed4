import { Failure, Skeleton } from './reading.tsx'

interface Props {
  isPage?: boolean
  /** What is read, as `useRead` returns it. */
  read: { data?: unknown; problem?: string; again: () => void }
  /** The title of the message if it could not be read. */
  failure: string
  rows: number
}

/** What stands in place of data that is still being read, or could not be. */
export const Waiting = ({ isPage, read, failure, rows }: Props) => {
  const { data, problem, again } = read
  if (problem) return <Failure isPage={isPage} title={failure} text={problem} onRetry={again} />
  return data === undefined ? <Skeleton rows={rows} /> : null
}
