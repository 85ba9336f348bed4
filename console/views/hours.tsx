import { useState } from 'hono/jsx/dom'
import type { HoursDay } from '../../sdk/api-types.ts'
import { messageOf } from '../api/client.ts'
import { connection } from '../api/connection.ts'
import { requestHours } from '../api/hours.ts'
import { signedIn } from '../api/session.ts'
import type { Route } from '../routes.ts'
import {
  approveCleanDays,
  type HoursFilter,
  hoursQuery,
  isClean,
  readBranches,
  readHours,
  toHoursFilter,
  withHours,
} from '../state/hours.ts'
import { useStore } from '../state/store.ts'
import { announce, ui } from '../state/ui.ts'
import { useRead } from '../state/use-read.ts'
import { counted } from '../text.ts'
import { addDays, fortnightOf, periodName, today } from '../time.ts'
import { DateField } from '../ui/date-field.tsx'
import { DownloadButton } from '../ui/download-button.tsx'
import { Failure } from '../ui/failure.tsx'
import { Icon } from '../ui/icon.tsx'
import { Paged } from '../ui/paged.tsx'
import { PersonFilter } from '../ui/person-filter.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Days } from './hours-days.tsx'
import { People } from './hours-people.tsx'

const Fields = ({ filter, branches }: { filter: HoursFilter; branches: Map<string, number> }) => {
  const change = (changes: Parameters<typeof withHours>[1]) => {
    location.hash = withHours(filter, changes)
  }
  const { scope_branches } = signedIn().user
  // The chosen one too, where nobody has a log in the period.
  const names = new Set([...branches.keys(), filter.branch_office ?? ''])
  names.delete('')
  return (
    <div class="fields">
      <PersonFilter id={filter.employee_id} onChange={(employee_id) => change({ employee_id })} />
      <div class="field">
        <label for="hours-branch">Sucursal</label>
        <select
          id="hours-branch"
          value={filter.branch_office ?? ''}
          disabled={scope_branches !== null || !!filter.employee_id}
          onChange={(event: Event) =>
            change({ branch_office: (event.target as HTMLSelectElement).value })
          }
        >
          <option value="">Elige una</option>
          {[...names].map((name) => (
            <option key={name} value={name} selected={name === filter.branch_office}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <DateField
        id="hours-from"
        label="Desde"
        value={filter.from}
        onChange={(from) => change({ from, ...(from > filter.to && { to: undefined }) })}
      />
      <DateField
        id="hours-to"
        label="Hasta"
        value={filter.to}
        onChange={(to) => change({ to, ...(addDays(filter.from, 30) < to && { from: undefined }) })}
      />
    </div>
  )
}

/** Approves what needs no look; the number is of days, as the list of hours has them now. */
const ApproveClean = ({ days, filter }: { days: HoursDay[]; filter: HoursFilter }) => {
  const [busy, setBusy] = useState(false)
  const { online } = useStore(connection)
  const count = days.filter(isClean).length
  const approve = async () => {
    setBusy(true)
    const said = await approveCleanDays(filter).catch(messageOf)
    if (said) announce(said)
    setBusy(false)
  }
  if (count === 0 || !signedIn().user.may_decide) return <span />
  return (
    <button type="button" class="primary" onClick={approve} disabled={busy || !online}>
      <Icon name="check" />
      {busy
        ? 'Preparando…'
        : count === 1
          ? 'Aprobar el día sin excepción'
          : `Aprobar los ${count} días sin excepción`}
    </button>
  )
}

/** The days of the period until today, with or without logs. */
const calendarOf = ({ from, to }: HoursFilter, days: HoursDay[]): (HoursDay | string)[] => {
  const byDay = Map.groupBy(days, ({ day }) => day)
  const all: (HoursDay | string)[] = []
  const last = to < today() ? to : today()
  for (let day = from; day <= last; day = addDays(day, 1)) all.push(...(byDay.get(day) ?? [day]))
  return all
}

const Result = ({ filter }: { filter: HoursFilter }) => {
  const { decisions } = useStore(ui)
  const [attempt, setAttempt] = useState(0)
  const { data, problem } = useRead(() => readHours(filter), [decisions, attempt])
  if (problem) {
    return (
      <Failure
        title="No se pudieron calcular las horas"
        text={problem}
        onRetry={() => setAttempt(attempt + 1)}
      />
    )
  }
  if (!data) return <Skeleton rows={8} />
  const { days, totals } = data
  const toRead = days.filter((row) => row.exceptions.length > 0 && !isClean(row))
  const query = hoursQuery(filter)
  return (
    <div class="result">
      <div class="head">
        <ApproveClean days={days} filter={filter} />
        <span>
          <DownloadButton label="CSV por día" request={() => requestHours('csv', query)} />
          <DownloadButton
            label="CSV por persona"
            request={() => requestHours('csv', { ...query, by: 'employee' })}
          />
        </span>
      </div>
      {filter.employee_id ? (
        <section key="days">
          <h2 tabindex={-1} data-after-list>
            {totals[0]?.full_name ?? 'Días'}
          </h2>
          <Days rows={calendarOf(filter, days)} />
        </section>
      ) : (
        <section key="to-read">
          <h2 tabindex={-1} data-after-list>
            {toRead.length > 0
              ? `Para leer uno por uno: ${counted(toRead.length, 'día')}`
              : 'Ningún día con excepción'}
          </h2>
          {toRead.length > 0 && (
            <Paged items={toRead} render={(rows) => <Days rows={rows} named />} />
          )}
        </section>
      )}
      <section>
        <h2>{filter.employee_id ? 'Totales' : counted(totals.length, 'persona')}</h2>
        <Paged
          items={totals}
          render={(rows) => <People totals={rows} days={days} filter={filter} />}
        />
      </section>
    </div>
  )
}

/** Whose hours: nobody is chosen yet. */
const Choice = ({ filter, branches }: { filter: HoursFilter; branches: Map<string, number> }) => (
  <div class="empty">
    <Icon name="clock" />
    <h2>¿De quién son las horas?</h2>
    <p>Busca a una persona, o elige una sucursal:</p>
    {[...branches].map(([branch_office, count]) => (
      <a key={branch_office} class="button" href={withHours(filter, { branch_office })}>
        {branch_office || 'Sin sucursal'}
        <span class="count">{count} por revisar</span>
      </a>
    ))}
  </div>
)

export const HoursView = ({ route }: { route: Route }) => {
  const filter = toHoursFilter(route.query)
  const { employee_id, branch_office, from, to } = filter
  const { data: branches = new Map() } = useRead(() => readBranches(filter), [from, to])
  const step = (label: string, day: string, icon: 'back' | 'next') => (
    <a class="button" href={withHours(filter, fortnightOf(day))} aria-label={label}>
      <Icon name={icon} />
    </a>
  )
  return (
    <main class="hours">
      <header class="head">
        <h1>
          Horas<span class="count">{periodName(filter)}</span>
        </h1>
        <nav aria-label="Quincenas">
          {step('Quincena anterior', addDays(from, -1), 'back')}
          {step('Quincena siguiente', addDays(to, 1), 'next')}
        </nav>
      </header>
      <Fields filter={filter} branches={branches} />
      {employee_id || branch_office !== undefined ? (
        <Result key={JSON.stringify(filter)} filter={filter} />
      ) : (
        <Choice key="choice" filter={filter} branches={branches} />
      )}
    </main>
  )
}
