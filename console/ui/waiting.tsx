import { Failure, Skeleton } from './reading.tsx'

interface Props {
  isPage?: boolean
  /** The result of `useRead`. */
  read: { data?: unknown; problem?: string; again: () => void }
  /** The title of the message if the data could not be read. */
  failure: string
  rows: number
}

/** A placeholder while data is being read, or a message if the data could not be read. */
export const Waiting = ({ isPage, read, failure, rows }: Props) => {
  const { data, problem, again } = read
  if (problem) return <Failure isPage={isPage} title={failure} text={problem} onRetry={again} />
  return data === undefined ? <Skeleton rows={rows} /> : null
}
