import type { HoursDay, Span } from '../../sdk/api-types.ts'
import { duration, HOUR_MS } from '../ui/time.ts'
import { clockChangeSeconds } from './clock-change.ts'

/**
 * The bar of an entrada and its salida, in minutes since midnight on the branch's clock. Each end
 * is drawn at its hour, even if the clock was changed in between.
 */
interface Bar {
  from: number | undefined
  to: number | undefined
  isPending: boolean
}

/** The length of a bar that lacks its start or end. */
const OPEN_BAR_MINUTES = 180

/** The minimum length of a bar. After a clock change, a pair may end at an earlier hour. */
const MIN_BAR_MINUTES = 10

const DAY_MS = 24 * HOUR_MS

type Day = Pick<HoursDay, 'day' | 'spans'>

const barsOf = ({ day, spans }: Day): Bar[] => {
  const minutes = (local: string | null) => {
    if (local === null) return undefined
    const date = local.slice(0, 10)
    const days = date === day ? 0 : (Date.parse(date) - Date.parse(day)) / DAY_MS
    return days * 1440 + Number(local.slice(11, 13)) * 60 + Number(local.slice(14, 16))
  }
  return spans.map(({ from, to, pending }) => ({
    from: minutes(from),
    to: minutes(to),
    isPending: pending,
  }))
}

/** A note about a day on which the clock or the branch's zone was changed. Empty for other days. */
export const clockChangeNote = (spans: readonly Span[], worked_seconds: number | null): string => {
  const seconds = clockChangeSeconds(spans, worked_seconds)
  if (seconds === 0) return ''
  const more = seconds > 0 ? 'más' : 'menos'
  return `cambio de hora o de zona: ${duration(Math.abs(seconds))} ${more} de lo que marca el reloj`
}

export interface Axis {
  start: number
  end: number
}

/** An axis from 6 to 20 h, longer if the days need it, in steps of two hours. */
export const axisOf = (days: readonly Day[]): Axis => {
  let [first, last] = [360, 1200]
  for (const day of days) {
    for (const { from, to } of barsOf(day)) {
      first = Math.min(first, from ?? (to ?? 0) - OPEN_BAR_MINUTES)
      last = Math.max(last, to ?? (from ?? 0) + OPEN_BAR_MINUTES, from ?? 0)
    }
  }
  return { start: Math.max(0, Math.floor(first / 120) * 120), end: Math.ceil(last / 120) * 120 }
}

export interface DrawnBar {
  /** In minutes on the axis. */
  start: number
  end: number
  /** Whether its entrada or salida is missing. */
  isOpen: boolean
  isPending: boolean
}

/** The bars of a day, each with two ends: a pair without one has a length that is only drawn. */
export const drawnBars = (day: Day, axis: Axis): DrawnBar[] =>
  barsOf(day).map(({ from, to, isPending }, i, all) => {
    const next = all[i + 1]?.from ?? axis.end
    const start = from ?? Math.max(axis.start, (to ?? 0) - OPEN_BAR_MINUTES)
    const end = to ?? Math.min(start + OPEN_BAR_MINUTES, next > start ? next : axis.end)
    const isOpen = from === undefined || to === undefined
    return { start, end: Math.max(end, start + MIN_BAR_MINUTES), isOpen, isPending }
  })

const ticksOf = ({ start, end }: Axis): number[] => {
  const step = end - start > 1080 || innerWidth < 820 ? 240 : 120
  return Array.from({ length: Math.ceil((end - start) / step) }, (_, i) => start + i * step)
}

export const lengthOf = ({ start, end }: Axis, minutes: number): string =>
  `${((minutes / (end - start)) * 100).toFixed(2)}%`

export const place = (axis: Axis, minutes: number): string => lengthOf(axis, minutes - axis.start)

export const AxisHours = ({ axis }: { axis: Axis }) => (
  <svg class="bars axis" aria-hidden="true">
    {ticksOf(axis).map((tick) => (
      <text key={tick} x={place(axis, tick)} y="12">
        {(tick / 60) % 24}
      </text>
    ))}
  </svg>
)

/** The bars of a day. A pair without its start or end is an open bar with a question mark. */
export const Bars = ({ day, axis }: { day: Day; axis: Axis }) => (
  <svg class="bars" aria-hidden="true">
    {ticksOf(axis).map((tick) => (
      <line key={tick} x1={place(axis, tick)} x2={place(axis, tick)} y1="0" y2="100%" />
    ))}
    {drawnBars(day, axis).map(({ start, end, isOpen, isPending }, i) => (
      <g key={i} class={isOpen ? 'open' : isPending ? 'waits' : ''}>
        <rect x={place(axis, start)} width={lengthOf(axis, end - start)} y="5" height="14" rx="4" />
        {isOpen && (
          <text x={place(axis, (start + end) / 2)} y="16">
            ?
          </text>
        )}
      </g>
    ))}
  </svg>
)
