import { useEffect } from 'hono/jsx/dom'
import type { LogRow, LogStatus } from '../../sdk/api-types.ts'
import { linkTo, type Route } from '../routes.ts'
import { sumOf, totalsOf } from '../state/counts.ts'
import { toFilter } from '../state/filter.ts'
import { focusRemembered } from '../state/focus.ts'
import { lastBranch } from '../state/last-branch.ts'
import { isListDone, loadMore, loadQueue, queue, reloadQueue } from '../state/queue.ts'
import { useStore } from '../state/store.ts'
import { countLogs } from '../text.ts'
import { dayOf, longDay } from '../time.ts'
import { Icon } from '../ui/icon.tsx'
import { Failure, Skeleton } from '../ui/reading.tsx'
import { Branches } from './branches.tsx'
import { Filters } from './filters.tsx'
import { Row } from './log-row.tsx'
import { Empty } from './queue-messages.tsx'
import { SelectionBar, Selector } from './selection.tsx'

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

/** Logs that a source sent at once: where a whole batch is late, no row is louder than another. */
const batchOf = ({ source, received_at }: LogRow) => `${source} ${received_at.slice(0, 16)}`

const BATCH = 4

const Days = () => {
  const { rows, marks, notes, selection } = useStore(queue)
  const batches = Map.groupBy(rows, batchOf)
  const days = [...Map.groupBy(rows, ({ local_at }) => dayOf(local_at))]
  return (
    <div class="days">
      {days.map(([day, logs]) => (
        <section key={day} class="of-day">
          <h2>
            {longDay(day).replace(/^./, (first) => first.toUpperCase())}
            <span class="total">{countLogs(logs.length)}</span>
          </h2>
          <ul>
            {logs.map((log) => (
              <Row
                key={log.log_id}
                log={log}
                mark={marks.get(log.log_id)}
                notes={notes.get(log.log_id)}
                isOfBatch={(batches.get(batchOf(log))?.length ?? 0) >= BATCH}
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
  const { next, loading } = useStore(queue)
  if (isListDone()) {
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

const TITLES: Record<LogStatus | 'all', string> = {
  pending: 'Por revisar',
  approved: 'Aprobadas',
  rejected: 'Rechazadas',
  all: 'Todas las checadas',
}

export const QueueView = ({ route }: { route: Route }) => {
  const { rows, loading, error, summary, selection, filter } = useStore(queue)
  const key = JSON.stringify(route.query)
  useEffect(() => {
    const branch_office = lastBranch()
    // The first view opens where the person was last.
    if (!location.hash.slice(2) && branch_office) {
      return location.replace(linkTo('checadas', { branch_office }))
    }
    const wanted = toFilter(route.query)
    const { filter, rows } = queue.get()
    // Coming back from one log, the list is as it was left.
    if (rows.length > 0 && JSON.stringify(filter) === JSON.stringify(wanted))
      return focusRemembered()
    void loadQueue(wanted)
  }, [key])

  const { branch_office } = filter
  const totals = summary && totalsOf(summary, filter, 'branch_office')
  const total =
    totals &&
    (branch_office === undefined ? sumOf(totals.values()) : (totals.get(branch_office) ?? 0))
  const title = TITLES[filter.status ?? 'all']
  return (
    <div class="queue">
      <Branches filter={filter} totals={totals} />
      <main>
        <header class="head">
          <h1>
            {title}
            {total !== undefined && <span class="count">{total.toLocaleString('es-MX')}</span>}
          </h1>
          <a class="button" href={linkTo('agregar')}>
            <Icon name="plus" />
            Agregar<span> checada</span>
          </a>
        </header>
        <Filters filter={filter} summary={summary} />
        <div aria-busy={loading ? 'true' : 'false'}>
          {rows.length > 0 && <Selector total={total} />}
          <Dropped />
          <Days />
          {loading && rows.length === 0 && <Skeleton rows={8} />}
          {error !== undefined && (
            <Failure
              title="No se pudo cargar la lista"
              text={`${error} Lo que ya decidiste está guardado.`}
              onRetry={reloadQueue}
            />
          )}
          {!loading && error === undefined && rows.length === 0 && <Empty filter={filter} />}
          {rows.length > 0 && <AfterList />}
        </div>
      </main>
      {selection.size > 0 && <SelectionBar selection={selection} />}
    </div>
  )
}
