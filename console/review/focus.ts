import { isDialogOpen } from '../ui/dialog.tsx'
import { shownRoute } from '../ui/routes.ts'
import { queue } from './queue.state.ts'

const rowElements = () => [...document.querySelectorAll<HTMLElement>('[data-log]')]

const idOf = (row: HTMLElement | null | undefined): number => Number(row?.dataset.log ?? 0)

export const focusedRow = (): number =>
  idOf(document.activeElement?.closest<HTMLElement>('[data-log]'))

const focusRow = (row: HTMLElement | undefined): void => {
  row?.querySelector('a')?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
}

/** Moves the focus by one row, or to the first row if no row has it. */
export const moveFocus = (step: 1 | -1): void => {
  const rows = rowElements()
  const at = rows.findIndex((row) => idOf(row) === focusedRow())
  focusRow(at === -1 ? rows[0] : rows[Math.min(rows.length - 1, Math.max(0, at + step))])
}

/**
 * Moves the focus to the next row that is not decided. If there is none and no row is remembered,
 * moves the focus to the element after the list.
 */
export const focusAfterDecision = (ids: readonly number[]): void => {
  // In the list of days, the focus goes to the row whose button opened the dialog.
  if (remembered && shownRoute().path[0] !== 'checadas') {
    focusRemembered()
    return
  }
  const decided = new Set(ids)
  const rows = rowElements()
  const { marks } = queue.get()
  const last = rows.findLastIndex((row) => decided.has(idOf(row)))
  const isOpen = (row: HTMLElement) => !decided.has(idOf(row)) && !marks.has(idOf(row))
  const next = rows.slice(last + 1).find(isOpen) ?? rows.find(isOpen)
  if (next) focusRow(next)
  else if (!remembered)
    document.querySelector<HTMLElement>('[data-after-list], [data-after], .neighbors a')?.focus()
}

const places = () => [...document.querySelectorAll<HTMLElement>('li[data-log], li[data-day]')]

const placeId = ({ dataset }: HTMLElement): string | undefined => dataset.log ?? dataset.day

interface Place {
  id: string
  index: number
  /** The distance from the top of the window, in pixels. Undefined if the row was not on screen. */
  top?: number
}

let remembered: Place | undefined

/** Remembers where a row is. The row gets the focus when its list is shown or read again. */
export const rememberRow = (id: string): void => {
  const rows = places()
  const index = rows.findIndex((row) => placeId(row) === id)
  const top = rows[index]?.getBoundingClientRect().top
  if (top !== undefined) remembered = { id, index, top }
  else if (remembered?.id !== id) remembered = { id, index: 0 }
}

export const rememberFocus = (): void => {
  const row = places().find((each) => each.contains(document.activeElement))
  const id = row && placeId(row)
  if (id) rememberRow(id)
}

/**
 * Focuses the remembered row and scrolls it to its old position. If the row is gone, the row that
 * is now at its index is focused instead.
 */
export const focusRemembered = (): void => {
  // Behind an open dialog no row can get the focus.
  if (!remembered || isDialogOpen()) return
  const { id, index, top } = remembered
  const rows = places()
  const row = rows.find((each) => placeId(each) === id) ?? rows[Math.min(index, rows.length - 1)]
  if (!row) return
  remembered = undefined
  row.querySelector('a')?.focus({ preventScroll: true })
  if (top === undefined) row.scrollIntoView({ block: 'nearest' })
  else scrollBy(0, row.getBoundingClientRect().top - top)
}
