import { useMemo } from 'preact/hooks'
import type { HoursDay } from '../../sdk/api-types.ts'
import { workingText } from '../ui/hours-texts.ts'
import { duration, today } from '../ui/time.ts'
import { limitText } from './calendar.ts'
import { needsReview } from './clean-days.ts'
import { sentenceOf } from './day-sentence.ts'
import { type Axis, drawnBars, lengthOf, place } from './hours-bars.tsx'
import { isOverLimitOnly } from './over-limit.ts'
import styles from './people-days.module.css'
import {
  type Cell,
  type Column,
  type DayState,
  type Hours,
  isOf,
  isOver,
  type PersonDays,
  peopleDays,
  type Shown,
} from './people-days.ts'

/** What a cell has beside its bars, so that no state is known by its color alone. */
const MARKS: Partial<Record<Shown, string>> = {
  review: '!',
  absent: '○',
  working: '▸',
  unsynced: '…',
  over_limit: '▲',
  holiday: '★',
  requested: '✎',
}

const BARS: Partial<Record<Shown, string>> = { pending: 'waits', approved: 'bar' }

const STATES: Partial<Record<DayState, string>> = { pending: 'por aprobar', approved: 'aprobado' }

export const Mark = ({ of }: { of: Shown }) => (
  <i class={`${styles.mark} ${styles[BARS[of] ?? of]}`} aria-hidden="true">
    {MARKS[of]}
  </i>
)

/** A week over the limit has its own column. */
const isOdd = (row: HoursDay): boolean => needsReview(row) && !isOverLimitOnly(row)

export const peopleOf = (columns: Column[], hours: Hours): PersonDays[] =>
  peopleDays(columns, hours, { today: today(), needsReview: isOdd })

/** `50:12`, or nothing for no hours */
export const clock = (seconds: number | null): string => {
  const minutes = Math.round(Math.abs(seconds ?? 0) / 60)
  if (!seconds || minutes === 0) return ''
  const text = `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
  return seconds < 0 ? `−${text}` : text
}

/** `L 2` */
export const nameOf = (column: Column): string =>
  'day' in column ? `${'LMMJVSD'[column.weekday]} ${Number(column.day.slice(8))}` : 'Semana'

const cellText = (cell: Cell): string => {
  if ('week' in cell) {
    const { week, pending } = cell
    if (!week) return ''
    const seconds = week.week_seconds + pending
    const whole = `${duration(seconds)}${pending === 0 ? '' : ' con lo pendiente'}`
    return `${whole}; ${limitText(week, seconds)}`
  }
  const { found, state, text } = cell
  if (!found) return text
  const { worked_seconds, pending_seconds, working_since, holiday, paid_seconds } = found
  const seconds = (worked_seconds ?? 0) + pending_seconds
  const parts = [
    (worked_seconds !== null || seconds !== 0) && duration(seconds),
    state === 'review' ? sentenceOf(found) : STATES[state],
    working_since && workingText(working_since),
    holiday && `descanso obligatorio: ${holiday}`,
    paid_seconds !== null && 'pagado',
  ]
  return parts.filter(Boolean).join(', ')
}

interface CellProps {
  cell: Cell
  column: Column
  isFirst: boolean
  axis: Axis
  isActive: boolean
  shown: Shown | undefined
}

/** Its text is a label: a cell has few elements, since a screen of a long list has a thousand. */
const CellView = ({ cell, column, isFirst, axis, isActive, shown }: CellProps) => {
  const look =
    'week' in cell
      ? [styles.week, isOver(cell) && styles.over_limit, cell.pending !== 0 && styles.undecided]
      : [styles[cell.state]]
  const attributes = {
    class: [...look, shown && isOf(cell, shown) && styles.found].filter(Boolean).join(' '),
    tabIndex: isActive ? 0 : undefined,
    'aria-label': cellText(cell),
  }
  if ('week' in cell) {
    const { week, pending } = cell
    return (
      <td {...attributes}>
        {isOver(cell) && <Mark of="over_limit" />}
        {week && <b>{clock(week.week_seconds + pending) || '0'}</b>}
        {week && <small>/{clock(week.limit_seconds).replace(/:00$/, '')}</small>}
      </td>
    )
  }
  const { state, found } = cell
  return (
    <td
      {...attributes}
      data-name={nameOf(column)}
      // On a card, where the days stand by weeks, the first one is below its weekday.
      style={isFirst && 'weekday' in column ? `grid-column:${column.weekday + 1}` : undefined}
    >
      {found &&
        drawnBars(found, axis).map(({ start, end, isOpen, isPending }, i) => (
          <i
            key={i}
            class={isOpen ? styles.open : isPending ? styles.waits : styles.bar}
            style={`left:${place(axis, start)};width:${lengthOf(axis, end - start)}`}
          />
        ))}
      {MARKS[state] && <Mark of={state} />}
    </td>
  )
}

interface RowProps {
  row: PersonDays
  columns: Column[]
  axis: Axis
  index: number
  /** The column of the cell that has the focus. */
  active: number | undefined
  shown: Shown | undefined
  href: string
  /** The person's name, or the branch on the person's own page. */
  name: string
}

/** The same elements as long as nothing of the row changes: scrolling draws only what is new. */
export const Row = ({
  row,
  columns,
  axis,
  index,
  active,
  shown,
  href,
  name: shownName,
}: RowProps) =>
  useMemo(() => {
    const { full_name, employee_id, branch_office, worked_seconds, pending_seconds } = row.total
    const sum = (seconds: number | null, name: string, at: number) => (
      <td class={styles.sum} tabIndex={active === at ? 0 : undefined} data-name={name}>
        {clock(seconds)}
      </td>
    )
    return (
      <tr data-index={index} aria-rowindex={index + 2}>
        <th scope="row" tabIndex={active === 0 ? 0 : undefined}>
          <a href={href} tabIndex={-1} title={`${full_name} · ${employee_id} · ${branch_office}`}>
            {shownName}
          </a>
        </th>
        {row.cells.map((cell, i) => (
          <CellView
            key={i}
            cell={cell}
            column={columns[i] as Column}
            isFirst={i === 0}
            axis={axis}
            isActive={active === i + 1}
            shown={shown}
          />
        ))}
        {sum(worked_seconds, 'Horas', columns.length + 1)}
        {sum(pending_seconds, 'Por aprobar', columns.length + 2)}
      </tr>
    )
  }, [row, columns, axis, index, active, shown, href, shownName])
