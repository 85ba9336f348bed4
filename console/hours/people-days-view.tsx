import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { sumOf } from '../review/counts.ts'
import { Icon } from '../ui/icon.tsx'
import { linkTo, linkToPersonPage } from '../ui/routes.ts'
import { duration, longDay, today } from '../ui/time.ts'
import { isClean } from './clean-days.ts'
import { DayActs } from './day-acts.tsx'
import type { HoursOf } from './hours.queries.ts'
import { axisOf } from './hours-bars.tsx'
import { Days } from './hours-days.tsx'
import { linkToHours } from './hours-filter.ts'
import styles from './people-days.module.css'
import {
  type Cell,
  type Column,
  columnsOf,
  countsOf,
  isOf,
  type PersonDays,
  type Shown,
} from './people-days.ts'
import { Mark, nameOf, peopleOf, Row } from './people-days-cells.tsx'
import { useVirtualRows } from './people-days-rows.ts'

const COUNTS: [Shown, string][] = [
  ['review', 'Por aclarar'],
  ['pending', 'Por aprobar'],
  ['approved', 'Aprobados'],
  ['absent', 'Sin checadas'],
  ['working', 'En turno'],
  ['unsynced', 'Falta información del reloj'],
  ['over_limit', 'Semanas sobre el límite'],
  ['holiday', 'Festivos trabajados'],
  ['requested', 'Solicitadas'],
]

/** The heading of a column. A star marks an official rest day, so that who worked is seen below. */
const Head = ({ column }: { column: Column }) => {
  const holiday = 'day' in column && column.holiday
  return (
    <th
      scope="col"
      class={'day' in column ? '' : styles.week}
      title={holiday ? `Descanso obligatorio: ${holiday}` : undefined}
    >
      {nameOf(column)} {holiday && <Mark of="holiday" />}
    </th>
  )
}

/** A day of a person with its acts, also one without logs. */
export const OpenDay = ({ person, cell }: { person: PersonDays; cell: Cell }) => {
  if ('week' in cell) return null
  const { day, found } = cell
  const { employee_id, branch_office, full_name } = person.total
  const query = { employee_id, branch_office, day, back: location.hash.slice(2) }
  return (
    <>
      <strong>
        {full_name}, {longDay(day)}
      </strong>
      {/* Nobody has to look at a clean day, and so its row has no acts. */}
      {found && <Days rows={[{ found }]} named={isClean(found)} />}
      {found && isClean(found) && <DayActs row={found} />}
      {!found && (
        <p class="day-acts">
          {cell.text}{' '}
          <a class="button act" href={linkTo('agregar', query)}>
            <Icon name="plus" />
            Agregar checada…
          </a>
        </p>
      )}
    </>
  )
}

/** `520 h aprobadas, 12 h por aprobar, 480 h pagadas` */
const sumsText = (rows: readonly PersonDays[]): string => {
  const approved = sumOf(rows.map(({ total }) => total.worked_seconds ?? 0))
  const pending = sumOf(rows.map(({ total }) => total.pending_seconds))
  const paid = sumOf(
    rows.flatMap(({ cells }) =>
      cells.map((cell) => ('found' in cell && cell.found?.paid_seconds) || 0),
    ),
  )
  const texts = [`${duration(approved)} aprobadas`, `${duration(pending)} por aprobar`]
  return [...texts, ...(paid === 0 ? [] : [`${duration(paid)} pagadas`])].join(', ')
}

/** On paper all rows are drawn. */
const usePrinting = () => {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    const follow = ({ type }: Event) => setPrinting(type === 'beforeprint')
    addEventListener('beforeprint', follow)
    addEventListener('afterprint', follow)
    return () => {
      removeEventListener('beforeprint', follow)
      removeEventListener('afterprint', follow)
    }
  }, [])
  return isPrinting
}

/** The height of a row as in the styles. */
const rowHeight = () => (matchMedia('(pointer: coarse)').matches ? 28 : 17)

const cardHeight = (weeks: number): number => 94 + weeks * 40

interface Place {
  /** The row's key. */
  row: string
  column: number
}

interface Props extends HoursOf {
  /** Whether it is one person's page, which says whose they are, and begins on a Monday. */
  isOwn?: boolean
}

/** Who worked when: a row a person, or a card, a cell a day. */
export const PeopleDaysView = ({ filter, isOwn = false, ...hours }: Props) => {
  const { days, totals, weeks } = hours
  const { from, to } = filter
  const columns = useMemo(() => columnsOf(from, to), [from, to])
  const people = useMemo(() => peopleOf(columns, hours), [columns, days, totals, weeks])
  const axis = useMemo(() => axisOf(days), [days])
  const counts = useMemo(() => countsOf(people), [people])
  const shown = COUNTS.map(([name]) => name).find((name) => name === filter.ver)
  const rows = useMemo(
    () => (shown ? people.filter(({ cells }) => cells.some((cell) => isOf(cell, shown))) : people),
    [people, shown],
  )
  const indexes = useMemo(() => new Map(rows.map(({ key }, i) => [key, i])), [rows])
  const sums = useMemo(() => sumsText(rows), [rows])
  const isPrinting = usePrinting()
  const isCards = isOwn || (innerWidth <= 820 && !isPrinting)
  const height = isCards ? cardHeight(columns.filter((one) => 'monday' in one).length) : rowHeight()

  const [active, setActive] = useState<Place>()
  const [opened, setOpened] = useState<Place>()
  const wantsFocus = useRef<'cell' | 'day'>()
  const body = useRef<HTMLTableSectionElement>(null)
  const panel = useRef<HTMLElement>(null)
  const activeAt = (active && indexes.get(active.row)) ?? 0
  const activeColumn = active?.column ?? 1
  const person = opened && people.find(({ key }) => key === opened.row)
  const cell = opened && person?.cells[opened.column - 1]

  const virtual = useVirtualRows({ count: rows.length, height, kept: activeAt, body })
  const { drawn, after } = isPrinting
    ? { drawn: rows.map((_, index) => ({ index, before: 0 })), after: 0 }
    : virtual

  useLayoutEffect(() => {
    const name = wantsFocus.current
    wantsFocus.current = undefined
    if (name === 'day') panel.current?.focus({ preventScroll: true })
    if (!name) return
    const row = [...(body.current?.rows ?? [])].find(
      ({ dataset }) => dataset.index === `${activeAt}`,
    )
    const found = row?.cells[activeColumn]
    if (name === 'cell') found?.focus({ preventScroll: true })
    found?.scrollIntoView({ block: 'nearest' })
  })
  // A decided day has other acts: the one that had the focus is gone.
  useEffect(() => {
    if (opened && document.activeElement === document.body) panel.current?.focus()
  }, [days])

  const moveTo = (row: number, column: number) => {
    const at = Math.max(0, Math.min(rows.length - 1, row))
    wantsFocus.current = 'cell'
    setActive({
      row: rows[at]?.key ?? '',
      column: Math.max(0, Math.min(columns.length + 2, column)),
    })
  }
  const close = () => {
    wantsFocus.current = 'cell'
    setOpened(undefined)
  }
  const open = (row: number, column: number) => {
    const chosen = rows[row]
    const its = chosen?.cells[column - 1]
    if (!chosen || !its || 'week' in its) return
    setActive({ row: chosen.key, column })
    if (opened?.row === chosen.key && opened.column === column) return close()
    setOpened({ row: chosen.key, column })
    wantsFocus.current = 'day'
  }
  const linkOf = (at: number) => {
    const employee_id = rows[at]?.total.employee_id ?? ''
    return isOwn ? linkToHours(filter, { employee_id }) : linkToPersonPage(employee_id)
  }

  const onKeyDown = (event: JSX.TargetedKeyboardEvent<HTMLTableElement>) => {
    const { key, ctrlKey } = event
    const page = Math.max(1, Math.floor(innerHeight / height) - 4)
    const last = columns.length + 2
    const moves: Record<string, [row: number, column: number]> = {
      ArrowUp: isOwn ? [activeAt, activeColumn - 8] : [activeAt - 1, activeColumn],
      ArrowDown: isOwn ? [activeAt, activeColumn + 8] : [activeAt + 1, activeColumn],
      PageUp: [activeAt - page, activeColumn],
      PageDown: [activeAt + page, activeColumn],
      ArrowLeft: [activeAt, activeColumn - 1],
      ArrowRight: [activeAt, activeColumn + 1],
      Home: [ctrlKey ? 0 : activeAt, 0],
      End: [ctrlKey ? rows.length - 1 : activeAt, last],
    }
    const move = moves[key]
    if (move) moveTo(...move)
    else if (key === 'Escape') close()
    else if (key !== 'Enter') return
    else if (activeColumn === 0) location.hash = linkOf(activeAt)
    else open(activeAt, activeColumn)
    event.preventDefault()
  }
  const onClick = (event: JSX.TargetedMouseEvent<HTMLTableElement>) => {
    const chosen = (event.target as HTMLElement).closest('td')
    const index = chosen?.closest('tr')?.dataset.index
    if (chosen && index !== undefined) open(Number(index), chosen.cellIndex)
  }
  const onPointerOver = (event: JSX.TargetedPointerEvent<HTMLTableElement>) => {
    const over = (event.target as HTMLElement).closest('td')
    if (over?.ariaLabel) over.title = `${over.dataset.name ?? ''} ${over.ariaLabel}`
  }

  // Who asks who is at work is told that nobody is.
  const isAsked = (name: Shown) => name === 'working' && from <= today() && today() <= to
  const chip = (name: Shown | undefined, label: string, count: number) => (
    <a
      key={label}
      href={linkToHours(filter, { ver: name ?? 'personas' })}
      aria-current={name === shown ? 'true' : undefined}
    >
      {name && <Mark of={name} />} {label}{' '}
      <span class="count">{count.toLocaleString('es-MX')}</span>
    </a>
  )
  const gap = (size: number, key: string) =>
    size > 0 && (
      <tr key={key} class={styles.gap}>
        <td style={`height:${size}px`} />
      </tr>
    )
  return (
    <section class={`${styles.people} ${isCards ? styles.cards : styles.wide}`}>
      {!isOwn && (
        <div class="head">
          <nav class="chips" aria-label="Qué se muestra">
            {chip(undefined, 'Personas', people.length)}
            {COUNTS.filter(([name]) => counts.get(name) || name === shown || isAsked(name)).map(
              ([name, label]) => chip(name, label, counts.get(name) ?? 0),
            )}
          </nav>
          <span class="note">{sums}</span>
          <button type="button" onClick={() => print()}>
            <Icon name="print" />
            Imprimir
          </button>
        </div>
      )}
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrows move in it
        role="grid"
        aria-label="Personas y días"
        aria-rowcount={rows.length + 1}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onPointerOver={onPointerOver}
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">Persona</th>
            {columns.map((column, i) => (
              <Head key={i} column={column} />
            ))}
            <th scope="col" class={styles.sum}>
              Horas
            </th>
            <th scope="col" class={styles.sum}>
              Por aprobar
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {drawn.flatMap(({ index, before }) => {
            const row = rows[index] as PersonDays
            return [
              gap(before, `gap ${row.key}`),
              <Row
                key={row.key}
                {...{ row, columns, axis, index, shown }}
                active={index === activeAt ? activeColumn : undefined}
                href={linkOf(index)}
                name={isOwn ? row.total.branch_office : row.total.full_name}
              />,
            ]
          })}
          {gap(after, 'gap after')}
        </tbody>
      </table>
      {person && cell && (
        <section
          class={styles.day}
          ref={panel}
          tabIndex={-1}
          aria-label="Día abierto"
          onKeyDown={(event: KeyboardEvent) => event.key === 'Escape' && close()}
        >
          <button type="button" class="quiet" onClick={close}>
            <Icon name="cross" />
            Cerrar
          </button>
          <OpenDay person={person} cell={cell} />
        </section>
      )}
    </section>
  )
}
