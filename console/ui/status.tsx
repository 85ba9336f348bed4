import type { LogStatus } from '../../sdk/api-types.ts'
import { STATUSES } from '../text.ts'
import { Icon, type IconName } from './icon.tsx'

const SHAPES: Record<LogStatus, IconName> = { pending: 'dot', approved: 'check', rejected: 'cross' }

export const StatusBadge = ({ status }: { status: LogStatus }) => (
  <span class={`status ${status}`}>
    <Icon name={SHAPES[status]} />
    {STATUSES[status]}
  </span>
)

export const StatusShape = ({ status }: { status: LogStatus }) => (
  <span class={`shape ${status}`}>
    <Icon name={SHAPES[status]} />
  </span>
)
