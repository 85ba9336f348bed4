import type { LogRow } from '../../sdk/api-types.ts'
import { isDialogOpen } from '../ui/dialog.tsx'
import { queries } from '../ui/queries.ts'
import { linkTo, shownRoute } from '../ui/routes.ts'
import { ui } from '../ui/ui-state.ts'
import { undoLast } from './decisions.ts'
import { findPerson } from './find-person.tsx'
import { focusedRow, moveFocus } from './focus.ts'
import { logQuery } from './logs.queries.ts'
import { neighborsOf, queue, shownRows } from './queue.state.ts'
import { requestDecision } from './request-decision.tsx'
import { toggleSelected } from './selection.tsx'
import { showShortcuts } from './shortcuts-dialog.tsx'

/** The id of the log that the page shows. Undefined if it shows the list or another page. */
const openLog = (): number | undefined => {
  const [section, id] = shownRoute().path
  return section === 'checadas' && id ? Number(id) : undefined
}

/** What a key decides: the open log, the selected logs, or the row that has the focus. */
const chosenLogs = (): LogRow[] => {
  // An open log is decided even if logs of the list are selected.
  const open = openLog()
  if (open) {
    const log = queries.getQueryData(logQuery(open).queryKey)
    return log ? [log] : []
  }
  // The logs stay selected while another page is open.
  if (shownRoute().path[0] !== 'checadas') return []
  const { selection } = queue.get()
  const id = focusedRow()
  return selection.size > 0
    ? [...selection.values()]
    : shownRows().filter((log) => log.log_id === id)
}

const select = (): void => {
  const log = shownRows().find(({ log_id }) => log_id === focusedRow())
  if (log) toggleSelected(log, !queue.get().selection.has(log.log_id))
}

/** Moves to the next or previous row, or from an open log to the next or previous log. */
const move = (step: 1 | -1): void => {
  const open = openLog()
  if (!open) {
    moveFocus(step)
    return
  }
  const [before, after] = neighborsOf(open)
  const log = step === 1 ? after : before
  if (log) location.hash = linkTo(`checadas/${log.log_id}`)
}

/** In the list of logs, a person filters it. Everywhere else the person's page opens. */
const search = (): void => {
  if (shownRoute().path.join() !== 'checadas') return void findPerson()
  const field = document.querySelector<HTMLElement>('.filters :is([role=combobox], .token)')
  field?.closest('details')?.setAttribute('open', '')
  field?.focus()
}

const KEYS: Record<string, () => void> = {
  j: () => move(1),
  k: () => move(-1),
  x: select,
  a: () => requestDecision(chosenLogs(), 'approved'),
  r: () => requestDecision(chosenLogs(), 'rejected'),
  z: () => void undoLast(),
  '/': search,
  '?': () => void showShortcuts(),
}

/** Submits the form that has the focus. */
const send = (event: KeyboardEvent): void => {
  const { target } = event
  if (!(target instanceof HTMLElement)) return
  const fields = [...(target.closest('form')?.elements ?? [])] as HTMLButtonElement[]
  const button = fields.find(({ type, disabled }) => type === 'submit' && !disabled)
  if (!button) return
  event.preventDefault()
  button.click()
}

const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.matches('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]')

export const listenToShortcuts = (): void =>
  addEventListener('keydown', (event) => {
    // A key that is held acts once, so that no row is decided unseen.
    if (event.repeat) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return send(event)
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (!ui.get().shortcuts || isTextField(event.target)) return
    if (isDialogOpen()) return
    const act = KEYS[event.key.toLowerCase()]
    if (!act) return
    event.preventDefault()
    act()
  })
