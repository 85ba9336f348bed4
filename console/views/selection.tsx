import { useState } from 'hono/jsx/dom'
import type { LogRow, LogStatus } from '../../sdk/api-types.ts'
import { messageOf } from '../api/client.ts'
import { planChanges } from '../api/decide.ts'
import { signedIn } from '../api/session.ts'
import { requestDecision } from '../state/decisions.ts'
import { openRows, queue, reloadQueue, selectAllMatching, selectPage } from '../state/queue.ts'
import { useStore } from '../state/store.ts'
import { announce } from '../state/ui.ts'
import { ACTS, counted, countLogs } from '../text.ts'

/** What can be done with the selected logs: each button says the number and the act. */
export const SelectionBar = ({ selection }: { selection: ReadonlyMap<number, LogRow> }) => {
  const selected = [...selection.values()]
  const numberOf = (status: LogStatus) =>
    planChanges(selected, status).reduce((sum, { log_ids }) => sum + log_ids.length, 0)
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
          {ACTS[status].act} {countLogs(numberOf(status))}
        </button>
      ))}
      <button type="button" class="quiet" onClick={() => selectPage(false)}>
        Quitar selección
      </button>
    </section>
  )
}

/** Selects what is on screen, or everything that matches. */
export const Selector = ({ total }: { total: number | undefined }) => {
  const { selection, rows } = useStore(queue)
  const mayDecide = signedIn().user.may_decide
  const [busy, setBusy] = useState(false)
  const open = openRows()
  const all = open.length > 0 && open.every(({ log_id }) => selection.has(log_id))
  const more = total !== undefined && total > rows.length && selection.size < total
  const selectAll = async () => {
    setBusy(true)
    await selectAllMatching().then(
      (count) =>
        total !== undefined &&
        count < total &&
        announce(
          `Se seleccionaron ${count.toLocaleString('es-MX')} de ${countLogs(total)}: las demás las decide otra persona.`,
        ),
      (error) => announce(messageOf(error)),
    )
    setBusy(false)
  }
  return (
    <div class="selector">
      {mayDecide && (
        <label class="pick">
          <input
            type="checkbox"
            checked={all}
            onChange={(event: Event) => selectPage((event.target as HTMLInputElement).checked)}
          />
          Seleccionar {countLogs(open.length)} de la lista
        </label>
      )}
      {all && more && (
        <button type="button" class="quiet" onClick={selectAll} disabled={busy}>
          {busy
            ? 'Seleccionando…'
            : `Seleccionar las ${total?.toLocaleString('es-MX')} que coinciden`}
        </button>
      )}
      <button type="button" class="quiet" onClick={reloadQueue}>
        Actualizar
      </button>
    </div>
  )
}
