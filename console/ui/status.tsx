import type { Status } from '../api/decide.ts'
import { STATUSES } from '../text.ts'
import { Icon, type IconName } from './icon.tsx'

const SHAPES: Record<Status, IconName> = { pending: 'dot', approved: 'check', rejected: 'cross' }

/** A status by its color, its shape and its word. */
export const StatusBadge = ({ status }: { status: Status }) => (
  <span class={`status ${status}`}>
    <Icon name={SHAPES[status]} />
    {STATUSES[status]}
  </span>
)

export const StatusShape = ({ status }: { status: Status }) => (
  <span class={`shape ${status}`}>
    <Icon name={SHAPES[status]} />
  </span>
)
