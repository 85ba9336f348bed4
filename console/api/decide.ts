import type { LogRow } from '../../sdk/api-types.ts'
import { type Change, decideBlock, type Outcome, type Status } from './decide-block.ts'

export type { Change, Moved, Outcome, Status } from './decide-block.ts'

/** How many logs one call decides. */
const BLOCK = 100

const without = (change: Change, ids: number[]): Change => {
  const settled = new Set(ids)
  return { ...change, log_ids: change.log_ids.filter((id) => !settled.has(id)) }
}

/** Groups logs by the status that each has: a call expects one. */
export const planChanges = (
  logs: readonly Pick<LogRow, 'log_id' | 'status'>[],
  status: Status,
  comment?: string,
): Change[] => {
  const undecided = logs.filter((log) => log.status !== status)
  return [...Map.groupBy(undecided, (log) => log.status)].map(([expected_status, group]) => ({
    log_ids: group.map(({ log_id }) => log_id),
    expected_status,
    status,
    comment,
  }))
}

interface Progress {
  /** Called after each block. */
  onBlock?: (change: Change, outcome: Outcome) => void
  shouldStop?: () => boolean
}

/** Decides any number of logs in blocks; logs that others decided first are left out and reported. */
export const decide = async (
  changes: Change[],
  { onBlock, shouldStop }: Progress = {},
): Promise<Outcome> => {
  const total: Required<Pick<Outcome, 'done' | 'moved'>> = { done: [], moved: [] }
  const record = (change: Change, outcome: Outcome) => {
    total.done.push(...outcome.done)
    total.moved.push(...outcome.moved)
    onBlock?.(change, outcome)
  }
  try {
    for (const change of changes) {
      for (let at = 0; at < change.log_ids.length; at += BLOCK) {
        let block = { ...change, log_ids: change.log_ids.slice(at, at + BLOCK) }
        while (block.log_ids.length > 0) {
          if (shouldStop?.()) return total
          const outcome = await decideBlock(block)
          record(block, outcome)
          block = without(block, [...outcome.done, ...outcome.moved.map(({ log_id }) => log_id)])
        }
      }
    }
    return total
  } catch (error) {
    return { ...total, error }
  }
}
