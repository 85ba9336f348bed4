import { useEffect, useState } from 'hono/jsx/dom'
import type { LogRow } from '../../sdk/api-types.ts'
import { messageOf } from '../api/client.ts'
import { planChanges, type Status } from '../api/decide.ts'
import { signedIn } from '../api/session.ts'
import { linkTo, type Route } from '../routes.ts'
import { requestDecision } from '../state/decisions.ts'
import { focusOpened } from '../state/focus.ts'
import {
  type Filter,
  loadMore,
  loadQueue,
  openRows,
  queue,
  reloadQueue,
  selectAllMatching,
  selectPage,
  toFilter,
} from '../state/queue.ts'
import { useStore } from '../state/store.ts'
import { announce } from '../state/ui.ts'
import { ACTS, counted, logs as countLogs } from '../text.ts'
import { dayHeading, dayOf } from '../time.ts'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Branches, branchTotals, Filters, matchingTotal } from './filters.tsx'
import { Row } from './log-row.tsx'

const isNarrowed = ({ status: _, from: __, ...rest }: Filter): boolean =>
  Object.values(rest).some((value) => value !== undefined)

/** What an empty list means, and what to do. */
const Empty = ({ filter }: { filter: Filter }) => {
  const waits = filter.status === 'pending'
  if (isNarrowed(filter)) {
    return (
      <div class="empty">
        <h2>Nada coincide con estos filtros</h2>
        <p>Puede haber checadas en otras sucursales, fechas o personas.</p>
        <a class="button" href={linkTo('checadas', { status: filter.status ?? 'all' })}>
          Quitar los filtros
        </a>
      </div>
    )
  }
  return (
    <div class="empty">
      <Icon name="check" />
      <h2>{waits ? 'No queda nada por revisar' : 'No hay checadas en este periodo'}</h2>
      <p>
        {waits
          ? 'Lo que llegue de los relojes y las apps aparecerá aquí. ¿Falta una checada? Agrégala con su motivo.'
          : 'Cambia las fechas o mira lo que está por revisar.'}
      </p>
      <a class="button" href={waits ? linkTo('agregar') : linkTo('checadas')}>
        {waits ? 'Agregar una checada' : 'Ver lo que está por revisar'}
      </a>
    </div>
  )
}

const Problem = ({ text }: { text: string }) => (
  <div class="empty" role="alert">
    <Icon name="alert" />
    <h2>No se pudo cargar la lista</h2>
    <p>{text} Lo que ya decidiste está guardado.</p>
    <button type="button" onClick={reloadQueue}>
      Reintentar
    </button>
  </div>
)

const SelectionBar = ({ selection }: { selection: ReadonlyMap<number, LogRow> }) => {
  const selected = [...selection.values()]
  const numberOf = (status: Status) =>
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
          class={status === 'approved' ? 'primary' : status}
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
const Selector = ({ total }: { total: number | undefined }) => {
  const { selection, rows } = useStore(queue)
  const mayDecide = signedIn().user.may_decide
  const [busy, setBusy] = useState(false)
  const open = openRows()
  const all = open.length > 0 && open.every(({ log_id }) => selection.has(log_id))
  const more = total !== undefined && total > rows.length && selection.size < total
  const selectAll = async () => {
    setBusy(true)
    await selectAllMatching().catch((error) => announce(messageOf(error)))
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
          Seleccionar las {open.length} de la lista
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

/** Nothing that waits disappears unsaid: where rows made place for later ones, the way back. */
const Dropped = () => {
  const { dropped } = useStore(queue)
  return (
    <p class="note dropped" hidden={dropped === 0}>
      Se muestran 200 a la vez; {countLogs(dropped)} de antes ya no están en pantalla.{' '}
      <button type="button" class="quiet" onClick={reloadQueue}>
        Volver al principio
      </button>
    </p>
  )
}

const Days = () => {
  const { rows, marks, selection } = useStore(queue)
  const days = [...Map.groupBy(rows, ({ recorded_at }) => dayOf(recorded_at))]
  return (
    <div class="days">
      {days.map(([day, logs]) => (
        <section key={day} class="of-day">
          <h2>
            {dayHeading(logs[0]?.recorded_at ?? '')}
            <span class="total">{countLogs(logs.length)}</span>
          </h2>
          <ul>
            {logs.map((log) => (
              <Row
                key={log.log_id}
                log={log}
                mark={marks.get(log.log_id)}
                selected={selection.has(log.log_id)}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** What follows the list: the next page, or the end of the work. */
const AfterList = () => {
  const { next, loading, rows, filter, marks } = useStore(queue)
  const allDecided = rows.every(({ log_id }) => marks.get(log_id)?.state === 'decided')
  if (filter.status === 'pending' && allDecided) {
    return (
      <div class="after">
        <p>Terminaste esta lista.</p>
        <button type="button" class="primary" data-after-list onClick={reloadQueue}>
          {next ? 'Seguir con las que faltan' : 'Actualizar'}
        </button>
      </div>
    )
  }
  if (!next) return null
  return (
    <div class="after">
      <button type="button" data-after-list onClick={loadMore} disabled={loading}>
        {loading ? 'Cargando…' : 'Mostrar más'}
      </button>
    </div>
  )
}

const TITLES: Record<Status | 'all', string> = {
  pending: 'Por revisar',
  approved: 'Aprobadas',
  rejected: 'Rechazadas',
  all: 'Todas las checadas',
}

export const QueueView = ({ route }: { route: Route }) => {
  const { rows, loading, error, summary, selection, filter } = useStore(queue)
  const key = JSON.stringify(route.query)
  useEffect(() => {
    const wanted = toFilter(route.query)
    const { filter, rows } = queue.get()
    // Coming back from one log, the list is as it was left.
    if (rows.length > 0 && JSON.stringify(filter) === JSON.stringify(wanted)) return focusOpened()
    void loadQueue(wanted)
  }, [key])

  const total = matchingTotal(summary, filter)
  const title = TITLES[filter.status ?? 'all']
  return (
    <div class="queue">
      <Branches filter={filter} totals={branchTotals(summary, filter)} />
      <main>
        <header class="head">
          <h1>
            {title}
            {total !== undefined && <span class="count">{total.toLocaleString('es-MX')}</span>}
          </h1>
          {signedIn().user.may_decide && (
            <a class="button" href={linkTo('agregar')}>
              <Icon name="plus" />
              Agregar<span> checada</span>
            </a>
          )}
        </header>
        <Filters filter={filter} summary={summary} />
        <div aria-busy={loading ? 'true' : 'false'}>
          {rows.length > 0 && <Selector total={total} />}
          <Dropped />
          <Days />
          {loading && rows.length === 0 && <Skeleton rows={8} />}
          {error !== undefined && <Problem text={error} />}
          {!loading && error === undefined && rows.length === 0 && <Empty filter={filter} />}
          {rows.length > 0 && <AfterList />}
        </div>
      </main>
      {selection.size > 0 && <SelectionBar selection={selection} />}
    </div>
  )
}
