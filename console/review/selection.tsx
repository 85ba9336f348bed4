import type { LogRow, LogStatus } from '../../sdk/api-types.ts'
import { can } from '../session/session.ts'
import { useStore } from '../session/store.ts'
import { ActButton } from '../ui/buttons.tsx'
import { Checkbox } from '../ui/fields.tsx'
import { ACTS, counted, countedLogs } from '../ui/text.ts'
import { isDecidable } from './abilities.ts'
import { readDecidableLogs } from './logs.queries.ts'
import { byId, queue, reloadQueue, shownRows } from './queue.state.ts'
import { requestDecision } from './request-decision.tsx'

export const toggleSelected = (log: LogRow, selected: boolean): void => {
  const selection = new Map(queue.get().selection)
  if (selected) selection.set(log.log_id, log)
  else selection.delete(log.log_id)
  queue.set({ selection })
}

/** The rows on the screen that have no mark and that can be decided. */
const openRows = (): LogRow[] => {
  const { marks } = queue.get()
  return shownRows().filter((log) => !marks.has(log.log_id) && isDecidable(log))
}

const selectPage = (selected: boolean): void =>
  queue.set({ selection: byId(selected ? openRows() : []) })

/** Selects every log of the list that can be decided, and returns their number. */
const selectAllMatching = async (): Promise<number> => {
  const { filter } = queue.get()
  const logs = await readDecidableLogs(filter)
  if (queue.get().filter === filter) queue.set({ selection: byId(logs) })
  return logs.length
}

export const SelectionBar = ({ selection }: { selection: ReadonlyMap<number, LogRow> }) => {
  const selected = [...selection.values()]
  const numberOf = (status: LogStatus) => selected.filter((log) => log.status !== status).length
  const offered = (['approved', 'rejected', 'pending'] as const).filter(
    (status) =>
      numberOf(status) > 0 && (status !== 'pending' || numberOf('pending') === selected.length),
  )
  return (
    <section class="selection" aria-label="Selección">
      <p>
        <strong>{counted(selected.length, 'seleccionada')}</strong>
      </p>
      {offered.map((status) => (
        <button
          key={status}
          type="button"
          class={status === 'approved' ? 'primary' : ''}
          onClick={() => requestDecision(selected, status)}
        >
          {ACTS[status].act} {countedLogs(numberOf(status))}
        </button>
      ))}
      <button type="button" class="quiet" onClick={() => selectPage(false)}>
        Quitar selección
      </button>
    </section>
  )
}

interface SelectorProps {
  total: number | undefined
  rows: LogRow[]
}

/** A checkbox that selects the logs on the screen, and a button for all logs of the filter. */
export const Selector = ({ total, rows }: SelectorProps) => {
  const { selection } = useStore(queue)
  const canDecide = can('decide')
  const open = openRows()
  const all = open.every(({ log_id }) => selection.has(log_id))
  const more = total !== undefined && total > rows.length && selection.size < total
  const selectAll = async () => {
    const count = await selectAllMatching()
    if (total === undefined || count >= total) return undefined
    return `Se seleccionaron ${count.toLocaleString('es-MX')} de ${countedLogs(total)}: las demás las decide otra persona.`
  }
  return (
    <div class="selector">
      {canDecide && open.length > 0 && (
        <Checkbox checked={all} onChange={selectPage}>
          Seleccionar {countedLogs(open.length)} de la lista
        </Checkbox>
      )}
      {open.length > 0 && all && more && (
        <ActButton
          label={`Seleccionar las ${total?.toLocaleString('es-MX')} que coinciden`}
          busyLabel="Seleccionando…"
          class="quiet"
          act={selectAll}
        />
      )}
      <button type="button" class="quiet" onClick={reloadQueue}>
        Actualizar
      </button>
    </div>
  )
}
