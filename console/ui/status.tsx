import type { LogStatus } from '../../sdk/api-types.ts'
import { Icon, type IconName } from './icon.tsx'
import { STATUSES } from './text.ts'

const SHAPES: Record<LogStatus, IconName> = { pending: 'dot', approved: 'check', rejected: 'cross' }

/** How a state looks: its color, its icon and its text. */
export type Look = readonly [color: LogStatus | 'absent' | 'unsynced', icon: IconName, text: string]

export const Badge = ({ look: [color, icon, text] }: { look: Look }) => (
  <span class={`status ${color}`}>
    <Icon name={icon} />
    {text}
  </span>
)

export const StatusBadge = ({ status }: { status: LogStatus }) => (
  <Badge look={[status, SHAPES[status], STATUSES[status]]} />
)

export const StatusShape = ({ status }: { status: LogStatus }) => (
  <span class={`shape ${status}`}>
    <Icon name={SHAPES[status]} />
  </span>
)
