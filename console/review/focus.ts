import { isDialogOpen } from '../ui/dialog.tsx'
import { shownRoute } from '../ui/routes.ts'
import { queue } from './queue.state.ts'

/** The links of the rows on the screen: of logs by their ids, and of days. */
const links = new Map<string, HTMLElement>()

type LinkRef = (link: HTMLElement | null) => void

/** The refs are kept, since a row that is drawn again must not seem to go. */
const refs = new Map<string, LinkRef>()

/**
 * A ref for the link of a row, which gets the focus of the row. If the row goes while it has the
 * focus, its place is remembered.
 */
export const linkOfRow = (id: string): LinkRef => {
  const ref: LinkRef = (link) => {
    if (link) return void links.set(id, link)
    if (links.get(id)?.closest('li')?.contains(document.activeElement)) rememberRow(id)
    links.delete(id)
  }
  if (!refs.has(id)) refs.set(id, ref)
  return refs.get(id) ?? ref
}

const isBefore = (one: HTMLElement, other: HTMLElement): boolean =>
  (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) > 0

/** The rows in the order in which they are on the screen. */
const rowsInOrder = () =>
  [...links]
    .map(([id, link]) => ({ id, link, row: link.closest('li') ?? link }))
    .sort((a, b) => Number(isBefore(b.link, a.link)) - Number(isBefore(a.link, b.link)))

type Row = ReturnType<typeof rowsInOrder>[number]

const hasFocus = ({ row }: Row): boolean => row.contains(document.activeElement)

/** The id of the log whose row has the focus, or 0. */
export const focusedRow = (): number => Number(rowsInOrder().find(hasFocus)?.id ?? 0)

const focusRow = (row: Row | undefined): void => {
  row?.link.focus({ preventScroll: true })
  row?.row.scrollIntoView({ block: 'nearest' })
}

/** Moves the focus by one row, or to the first row if no row has it. */
export const moveFocus = (step: 1 | -1): void => {
  const rows = rowsInOrder()
  const at = rows.findIndex(hasFocus)
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
  const rows = rowsInOrder()
  const { marks } = queue.get()
  const isDecided = ({ id }: Row) => ids.includes(Number(id))
  const isOpen = (row: Row) => !isDecided(row) && !marks.has(Number(row.id))
  const last = rows.findLastIndex(isDecided)
  const next = rows.slice(last + 1).find(isOpen) ?? rows.find(isOpen)
  if (next) focusRow(next)
  else if (!remembered)
    document.querySelector<HTMLElement>('[data-after-list], [data-after], .neighbors a')?.focus()
}

interface RememberedRow {
  id: string
  index: number
  /** The distance from the top of the window, in pixels. Undefined if the row was not on screen. */
  top?: number
}

let remembered: RememberedRow | undefined

/** Remembers where a row is. The row gets the focus when its list is shown or read again. */
export const rememberRow = (id: string): void => {
  const rows = rowsInOrder()
  const index = rows.findIndex((row) => row.id === id)
  const top = rows[index]?.row.getBoundingClientRect().top
  if (top !== undefined) remembered = { id, index, top }
  else if (remembered?.id !== id) remembered = { id, index: 0 }
}

/**
 * Focuses the remembered row and scrolls it to its old position. If the row is gone, the row that
 * is now at its index is focused instead.
 */
export const focusRemembered = (): void => {
  // Behind an open dialog no row can get the focus.
  if (!remembered || isDialogOpen()) return
  const { id, index, top } = remembered
  const rows = rowsInOrder()
  const found = rows.find((row) => row.id === id) ?? rows[Math.min(index, rows.length - 1)]
  if (!found) return
  remembered = undefined
  found.link.focus({ preventScroll: true })
  if (top === undefined) found.row.scrollIntoView({ block: 'nearest' })
  else scrollBy(0, found.row.getBoundingClientRect().top - top)
}
