import {
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQueries,
  useQuery,
} from '@tanstack/preact-query'
import { useLayoutEffect } from 'preact/hooks'
import type { LogRow } from '../../sdk/api-types.ts'
import { messageOf } from '../session/client.ts'
import { can } from '../session/session.ts'
import { useStore } from '../session/store.ts'
import { BranchChips } from '../ui/chips.tsx'
import { Icon } from '../ui/icon.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { groupBy } from '../ui/order.ts'
import { Page } from '../ui/page.tsx'
import { linkTo, linkToFiltered, type Route, toAddress } from '../ui/routes.ts'
import { countedLogs, LISTS } from '../ui/text.ts'
import { dayOf, longDay } from '../ui/time.ts'
import { sumOf, totalsOf } from './counts.ts'
import { type Filter, linkToLogs, toFilter } from './filter.ts'
import { LogFilters } from './filters.tsx'
import { focusRemembered } from './focus.ts'
import { LogListRow } from './log-row.tsx'
import { logsQuery, notesQuery, summaryQuery } from './logs.queries.ts'
import { isListDone, openQueue, queue, reloadQueue, shownOf } from './queue.state.ts'
import { SelectionBar, Selector } from './selection.tsx'

/** A note that earlier rows were removed from the screen, with a button to show them again. */
const Dropped = ({ dropped }: { dropped: number }) => (
  <p class="note" hidden={dropped === 0}>
    Se muestran 200 a la vez; {countedLogs(dropped)} de antes ya no están en pantalla.{' '}
    <button type="button" class="quiet" onClick={reloadQueue}>
      Volver al principio
    </button>
  </p>
)

/** A key for the logs that arrived from a source in the same minute. */
const batchOf = ({ source, received_at }: LogRow) => `${source} ${received_at.slice(0, 16)}`

/** In a batch of this size or more, late rows are not highlighted. */
const BATCH_ROWS_MIN = 4

interface DaysProps {
  rows: LogRow[]
  notes: ReadonlyMap<number, string[]>
}

const Days = ({ rows, notes }: DaysProps) => {
  const { marks, selection } = useStore(queue)
  const batches = groupBy(rows, batchOf)
  const days = [...groupBy(rows, ({ local_at }) => dayOf(local_at))]
  return (
    <div>
      {days.map(([day, logs]) => (
        <section key={day} class="of-day">
          <h2 class="head">
            {longDay(day).replace(/^./, (first) => first.toUpperCase())}
            <span class="count note">{countedLogs(logs.length)}</span>
          </h2>
          <ul>
            {logs.map((log) => (
              <LogListRow
                key={log.log_id}
                log={log}
                mark={marks.get(log.log_id)}
                notes={notes.get(log.log_id)}
                isOfBatch={(batches.get(batchOf(log))?.length ?? 0) >= BATCH_ROWS_MIN}
                selected={selection.has(log.log_id)}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

interface AfterProps {
  read: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
  dropped: number
}

/** The button for the next page, or a message if all logs of the list are decided. */
const AfterList = ({ read, dropped }: AfterProps) => {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = read
  if (isListDone()) {
    // Rows that are no longer on the screen may be undecided.
    const isAll = !hasNextPage && dropped === 0
    return (
      <div class="after">
        <p>{isAll ? 'Terminaste esta lista.' : 'Terminaste las que están en pantalla.'}</p>
        <button type="button" class="primary" data-after-list onClick={reloadQueue}>
          {isAll ? 'Actualizar' : 'Seguir con las que faltan'}
        </button>
      </div>
    )
  }
  if (!hasNextPage) return null
  return (
    <div class="after">
      <button
        type="button"
        data-after-list
        onClick={() => fetchNextPage()}
        disabled={isFetchingNextPage}
      >
        {isFetchingNextPage ? 'Cargando…' : 'Mostrar más'}
      </button>
    </div>
  )
}

const isNarrowed = ({ status: _, from: __, ...rest }: Filter): boolean =>
  Object.values(rest).some((value) => value !== undefined)

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

/** What is known of the days of all rows. */
const notesOf = (results: UseQueryResult<Map<number, string[]>>[]) => ({
  notes: new Map(results.flatMap(({ data }) => [...(data ?? [])])),
  problem: results.find(({ error }) => error)?.error,
})

export const QueueView = ({ route }: { route: Route }) => {
  const { selection } = useStore(queue)
  const filter = toFilter(route.query)
  const { branch_office, department, employee_id } = filter
  useLayoutEffect(() => {
    // When the user comes back from a log, the list is still there.
    if (openQueue(filter)) focusRemembered()
  }, [JSON.stringify(filter)])
  const read = useInfiniteQuery(logsQuery(filter))
  const { data: summary } = useQuery(summaryQuery(filter))
  const { notes, problem } = useQueries({
    queries: (read.data?.pages ?? []).map(({ logs }) =>
      notesQuery(logs, { branch_office, department, employee_id }),
    ),
    combine: notesOf,
  })
  const totals = summary && totalsOf(summary, filter, 'branch_office')
  const total =
    totals &&
    (branch_office === undefined ? sumOf(totals.values()) : (totals.get(branch_office) ?? 0))
  return (
    <Page
      title={
        <>
          {filter.status ? LISTS[filter.status] : 'Todas las checadas'}
          {total !== undefined && <span class="count">{total.toLocaleString('es-MX')}</span>}
        </>
      }
      acts={
        <a class="button" href={linkTo('agregar')}>
          <Icon name="plus" />
          Agregar<span> checada</span>
        </a>
      }
    >
      <BranchChips
        chosen={branch_office}
        counts={totals}
        total={totals && sumOf(totals.values())}
        linkOf={(branch) => linkToLogs(filter, { branch_office: toAddress(branch) })}
      />
      {filter.status === 'pending' && can('decide') && (
        <p class="note">
          <a href={linkToFiltered('horas', { branch_office })}>
            Aprobar juntos los días sin excepción
          </a>
        </p>
      )}
      <LogFilters key="filters" filter={filter} />
      <Loaded
        read={read}
        failure="No se pudo cargar la lista"
        note="Lo que ya decidiste está guardado."
        rows={8}
      >
        {(list) => {
          const { rows, dropped } = shownOf(list)
          if (rows.length === 0) return <Empty filter={filter} />
          return (
            <div>
              <Selector total={total} rows={rows} />
              <Dropped dropped={dropped} />
              {problem && (
                <p class="note">
                  No se pudo leer cuáles son de días con excepción. {messageOf(problem)}
                </p>
              )}
              <Days rows={rows} notes={notes} />
              <AfterList read={read} dropped={dropped} />
            </div>
          )
        }}
      </Loaded>
      {selection.size > 0 && <SelectionBar selection={selection} />}
    </Page>
  )
}
