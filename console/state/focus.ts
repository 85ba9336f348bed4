import { queue } from './queue.ts'

/** The row with the focus, and how it moves. */

const rowElements = () => [...document.querySelectorAll<HTMLElement>('[data-log]')]

const idOf = (row: HTMLElement | null | undefined): number => Number(row?.dataset.log ?? 0)

export const focusedRow = (): number =>
  idOf(document.activeElement?.closest<HTMLElement>('[data-log]'))

const focusRow = (row: HTMLElement | undefined): void => {
  const link = row?.querySelector<HTMLElement>('.who a')
  link?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
}

/** Moves the focus by rows; from elsewhere it goes to the first one. */
export const moveFocus = (step: 1 | -1): void => {
  const rows = rowElements()
  const at = rows.findIndex((row) => idOf(row) === focusedRow())
  focusRow(at === -1 ? rows[0] : rows[Math.min(rows.length - 1, Math.max(0, at + step))])
}

/** Moves the focus to the next row that is still to be decided, else to what follows the list. */
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

let opened = 0

/** Remembers the log that was opened from the list, whose row gets the focus on the way back. */
export const rememberOpened = (log_id: number): void => {
  opened = log_id
}

export const focusOpened = (): void => {
  focusRow(rowElements().find((row) => idOf(row) === opened))
  opened = 0
}

let openedDay = ''

/** Remembers the day of the list of hours that was left, which is shown on the way back. */
export const rememberDay = (key: string): void => {
  openedDay = key
}

export const focusOpenedDay = (): void => {
  const row = [...document.querySelectorAll<HTMLElement>('[data-day]')].find(
    ({ dataset }) => dataset.day === openedDay,
  )
  openedDay = ''
  row?.querySelector('a')?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
}
