import { queue } from './queue.ts'

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

/** Moves the focus to the next undecided row, or to the element after the list. */
export const focusAfter = (ids: readonly number[]): void => {
  const decided = new Set(ids)
  const rows = rowElements()
  const { marks } = queue.get()
  const last = rows.findLastIndex((row) => decided.has(idOf(row)))
  const isOpen = (row: HTMLElement) => !decided.has(idOf(row)) && !marks.has(idOf(row))
  const next = rows.slice(last + 1).find(isOpen) ?? rows.find(isOpen)
  if (next) focusRow(next)
  else document.querySelector<HTMLElement>('[data-after-list], [data-after], .neighbors a')?.focus()
}

let remembered = ''

/** Remembers the row that a link was followed from. It gets the focus when the user comes back. */
export const rememberRow = (id: string): void => {
  remembered = id
}

export const focusRemembered = (): void => {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-log], [data-day]')]
  const row = rows.find(({ dataset }) => (dataset.log ?? dataset.day) === remembered)
  if (!row) return
  focusRow(row)
  remembered = ''
}
