import { useQuery } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import type { HoursDay, HoursTotal } from '../../sdk/api-types.ts'
import { focusRemembered } from '../review/focus.ts'
import { messageOf } from '../session/client.ts'
import { mayClose, signedIn } from '../session/session.ts'
import { DownloadButton } from '../ui/buttons.tsx'
import { BranchChips, Chips } from '../ui/chips.tsx'
import { Choice } from '../ui/fields.tsx'
import {
  day,
  type FieldsOf,
  type FilterField,
  Filters,
  isFiltered,
  person,
} from '../ui/filters.tsx'
import { EXCEPTIONS } from '../ui/hours-texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Menu } from '../ui/menu.tsx'
import { Page } from '../ui/page.tsx'
import { Paged } from '../ui/paged.tsx'
import { linkToFiltered, linkToPersonPage, type Route, toAddress } from '../ui/routes.ts'
import { type Column, Table } from '../ui/table.tsx'
import { counted } from '../ui/text.ts'
import {
  addDays,
  dayAndMonth,
  duration,
  earlierOf,
  fortnightOf,
  periodName,
  today,
} from '../ui/time.ts'
import { ApproveClean } from './approve-clean.tsx'
import { calendarOf } from './calendar.ts'
import { needsReview } from './clean-days.ts'
import { isInverted } from './day-act.ts'
import { Exceptions } from './exceptions.tsx'
import {
  departmentsQuery,
  groupsQuery,
  type HoursOf,
  hoursOf,
  requestHours,
} from './hours.queries.ts'
import { Days, Worked } from './hours-days.tsx'
import {
  DAYS_MAX,
  type HoursFilter,
  isPicture,
  linkToHours,
  queryOf,
  toHoursFilter,
} from './hours-filter.ts'
import { isOverLimitOnly, newestFirst } from './over-limit.ts'
import { OverLimitLine } from './over-limit-line.tsx'
import { mayReview } from './own-days.ts'
import { PeopleDaysView } from './people-days-view.tsx'
import { groupWithCalendar, lastDayOf, PeriodChoice } from './period-choice.tsx'
import { ReviewAll } from './review-all.tsx'

/** A person's hours are those of all places. */
const department: FilterField = ({ id, value, filter, onChange }) => {
  const { from = '', to = '' } = filter
  const { data, error } = useQuery(departmentsQuery({ from, to }))
  // While they are not known, the chosen one can still be removed.
  const names = data ?? (value === undefined ? [] : [value])
  if (error) {
    return <p class="note">No se pudieron leer los departamentos. {messageOf(error)}</p>
  }
  if (filter.employee_id || (names.length < 2 && value === undefined)) return null
  return (
    <Choice
      {...{ id, onChange }}
      label="Departamento"
      value={toAddress(value)}
      options={names.map((name) => [toAddress(name), name || 'Sin departamento'])}
    />
  )
}

const group: FilterField = ({ id, value, filter, onChange }) => {
  const groups = signedIn().payroll_groups
  if (filter.employee_id || groups.length < 2) return null
  return (
    <Choice
      {...{ id, onChange }}
      label="Grupo de nómina"
      value={toAddress(value)}
      options={groups.map((name) => [toAddress(name), name || 'General'])}
    />
  )
}

const who = {
  employee_id: person(),
  department,
  payroll_group: group,
} satisfies FieldsOf<HoursFilter>
const fields = { ...who, from: day('Desde'), to: day('Hasta') }

const Fields = ({ filter }: { filter: HoursFilter }) => (
  <Filters
    of={{
      fields,
      change: (changes) => {
        const [from, to] = [changes.from ?? filter.from, changes.to ?? filter.to]
        const isLong = from > to || addDays(from, DAYS_MAX - 1) < to
        const other = isLong && { [changes.from ? 'to' : 'from']: undefined }
        location.hash = linkToHours(filter, { ...changes, ...other })
      },
    }}
    filter={{ ...filter }}
    isFolded={!isFiltered(who, filter)}
  />
)

interface DaysProps {
  days: HoursDay[]
  filter: HoursFilter
}

const countsOf = (names: string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/**
 * The list of days that somebody must review. A reviewed day leaves the list. Days that only pass
 * the limit of their week are counted with the others, and shown in one line.
 */
const WorkList = ({ days, filter }: DaysProps) => {
  const { exception } = filter
  const counts = countsOf(days.flatMap(({ exceptions }) => exceptions))
  const has = ({ exceptions }: HoursDay) => (exceptions as string[]).includes(exception ?? '')
  const chosen = exception ? days.filter(has) : days
  const overLimit = chosen.filter(isOverLimitOnly)
  const shown = newestFirst(chosen.filter((row) => !isOverLimitOnly(row)))
  // An inverted day is reviewed alone, because its hours must be confirmed.
  const markable = shown.filter((row) => !isInverted(row) && mayReview(row))
  const name = EXCEPTIONS[exception ?? ''] ?? exception
  return (
    <>
      <h2 tabindex={-1} data-after-list>
        {days.length > 0 ? `${counted(days.length, 'día')} por aclarar` : 'Ningún día por aclarar'}
      </h2>
      {counts.size > 1 && (
        <Chips
          label="Excepción"
          chosen={exception}
          total={days.length}
          counts={[...counts]}
          textOf={(name) => EXCEPTIONS[name] ?? name}
          linkOf={(name) => linkToHours(filter, { exception: name })}
        />
      )}
      {chosen.length === 0 && days.length > 0 && (
        <p>
          Ninguno tiene «{name}». <a href={linkToHours(filter, { exception: '' })}>Ver los demás</a>
        </p>
      )}
      {overLimit.length > 0 && <OverLimitLine key="over-limit" days={overLimit} filter={filter} />}
      {exception && shown.length > 1 && markable.length > 0 && (
        <ReviewAll rows={markable} name={name ?? ''} />
      )}
      {shown.length > 0 && (
        <Paged
          items={shown}
          name={`days ${JSON.stringify(filter)}`}
          render={(rows) => <Days rows={rows.map((found) => ({ found }))} named />}
        />
      )}
    </>
  )
}

/** The reasons why a person may have too few hours. Unsent logs of today alone are no reason. */
const missingOf = ({ exceptions, unsynced_from }: HoursTotal) =>
  exceptions.filter(
    (name) =>
      name === 'sin_checadas' ||
      (name === 'sin_sincronizar' && unsynced_from !== null && unsynced_from < today()),
  )

/** What the approval of everything pending would add. Empty if nothing is pending. */
const pendingText = ({ pending_seconds }: HoursTotal): string => {
  if (pending_seconds === 0) return ''
  const text = duration(pending_seconds)
  return pending_seconds > 0 ? `${text} por aprobar` : `${text} si se aprueba lo pendiente`
}

interface ResultProps extends HoursOf {
  filter: HoursFilter
}

/** The totals of people. A person who changed branch or department has a row for each. */
const Totals = ({ totals, filter, toReview }: ResultProps & { toReview: HoursDay[] }) => {
  const { employee_id } = filter
  const countOf = (row: HoursTotal) =>
    toReview.filter(
      (one) =>
        one.employee_id === row.employee_id &&
        one.branch_office === row.branch_office &&
        one.department === row.department,
    ).length
  const columns: Column<HoursTotal>[] = [
    {
      name: employee_id ? 'Sucursal' : 'Persona',
      cell: (row) => (
        <>
          {employee_id ? (
            row.branch_office
          ) : (
            <a href={linkToHours(filter, { employee_id: row.employee_id })}>{row.full_name}</a>
          )}
          <small>{employee_id ? row.department : row.employee_id}</small>
          <Exceptions names={missingOf(row)} />
        </>
      ),
    },
    { name: 'Días', isNumber: true, cell: ({ days }) => days },
    {
      name: 'Horas',
      isNumber: true,
      cell: (row) => (
        <>
          <Worked seconds={row.worked_seconds} />
          <small>{pendingText(row)}</small>
        </>
      ),
    },
    { name: 'Por aclarar', isNumber: true, cell: (row) => countOf(row) || '–' },
  ]
  return (
    <Paged
      items={totals}
      render={(rows) => (
        <Table
          columns={columns}
          rows={rows}
          keyOf={(row) => JSON.stringify([row.employee_id, row.branch_office, row.department])}
        />
      )}
    />
  )
}

/** Everybody's days, or those that somebody must look at: the same days, of the same people. */
const Views = ({ filter }: { filter: HoursFilter }) => (
  <nav class="tabs" aria-label="Vistas">
    {[['personas', 'Personas y días'] as const, ['', 'Días por aclarar'] as const].map(
      ([ver, name]) => (
        <a
          key={ver}
          href={linkToHours(filter, { ver })}
          aria-current={isPicture(filter) === (ver !== '') ? 'page' : undefined}
        >
          {name}
        </a>
      ),
    )}
  </nav>
)

const Acts = ({ filter, ofPeriod }: { filter: HoursFilter; ofPeriod: HoursDay[] }) => {
  const { branch_office, employee_id, payroll_group, from, to } = filter
  const lastDay = earlierOf(to, today())
  const query = queryOf(filter)
  return (
    <div class="head">
      <ApproveClean days={ofPeriod} filter={filter} />
      <Menu
        summary={
          <>
            Más
            <Icon name="unfold" />
          </>
        }
      >
        <a href={linkToFiltered('tarjeta', { ...query })}>
          {employee_id ? 'Tarjeta' : 'Tarjetas'} para firmar
        </a>
        <a href={linkToFiltered('inspeccion', { employee_id, branch_office, from, to })}>
          Para la inspección
        </a>
        {mayClose() && !employee_id && (
          <a href={linkToFiltered('cierres', { before: addDays(lastDay, 1), payroll_group })}>
            Cerrar hasta el {dayAndMonth(lastDay)}
          </a>
        )}
        <DownloadButton label="CSV por día" request={() => requestHours(query)} />
        <DownloadButton
          label="CSV por semana"
          request={() => requestHours({ ...query, by: 'week' })}
        />
        <DownloadButton
          label="CSV por persona"
          request={() => requestHours({ ...query, by: 'employee' })}
        />
      </Menu>
    </div>
  )
}

const Result = ({ filter, days, totals, weeks }: ResultProps) => {
  const { branch_office, employee_id, from, to } = filter
  const ofPeriod = days.filter((one) => one.day >= from && one.day <= to)
  const toReview = ofPeriod.filter(needsReview)
  const isHere = (row: HoursDay) =>
    branch_office === undefined || row.branch_office === branch_office
  // The row that had the focus, or was decided, or its neighbor.
  useEffect(focusRemembered, [days])
  return (
    <div class="result">
      {!employee_id && <Views filter={filter} />}
      {!employee_id && (
        <BranchChips
          chosen={branch_office}
          total={toReview.length}
          counts={countsOf(toReview.map((row) => row.branch_office))}
          linkOf={(branch) => linkToHours(filter, { branch_office: toAddress(branch) })}
        />
      )}
      <Acts key="acts" filter={filter} ofPeriod={ofPeriod.filter(isHere)} />
      {employee_id ? (
        <section key="days">
          <h2 tabindex={-1} data-after-list>
            {totals[0] ? <a href={linkToPersonPage(employee_id)}>{totals[0].full_name}</a> : 'Días'}
          </h2>
          <Days rows={calendarOf({ from, to: earlierOf(to, today()) }, days, totals[0], weeks)} />
        </section>
      ) : isPicture(filter) ? (
        <PeopleDaysView key="picture" {...{ filter, days, totals, weeks }} />
      ) : (
        <section key="to-review">
          <WorkList days={toReview.filter(isHere)} filter={filter} />
        </section>
      )}
      {!isPicture(filter) && (
        <section key="totals">
          <h2>{employee_id ? 'Totales' : counted(totals.length, 'persona')}</h2>
          <Totals {...{ filter, days, totals, weeks }} toReview={toReview.filter(isHere)} />
        </section>
      )}
    </div>
  )
}

export const HoursView = ({ route }: { route: Route }) => {
  const filter = toHoursFilter(route.query)
  const { from, to, payroll_group, exception, ver } = filter
  const { data: groups, error } = useQuery({ ...groupsQuery(from), enabled: mayClose() })
  const group = groups && groupWithCalendar(groups, payroll_group)
  const step = (label: string, day: string, icon: 'back' | 'next') => (
    <a class="button" href={linkToHours(filter, fortnightOf(day))} aria-label={label}>
      <Icon name={icon} />
    </a>
  )
  return (
    <Page
      class="hours"
      title={
        <>
          Horas<span class={group ? 'count twice' : 'count'}>{periodName(filter)}</span>
        </>
      }
      acts={
        group ? (
          <PeriodChoice
            key={`${group.payroll_group} ${group.next.from}`}
            group={group}
            day={from}
            onChange={(period) => {
              location.hash = linkToHours(filter, { from: period.from, to: lastDayOf(period) })
            }}
          />
        ) : (
          // Until the calendar is known, no period is called a fortnight.
          (groups || error || !mayClose()) && (
            <nav key="fortnights" aria-label="Quincenas">
              {step('Quincena anterior', addDays(from, -1), 'back')}
              {step('Quincena siguiente', addDays(to, 1), 'next')}
            </nav>
          )
        )
      }
    >
      {error && <p class="note">No se pudo leer cada cuánto se paga. {messageOf(error)}</p>}
      <Fields filter={filter} />
      <Loaded
        key={filter.employee_id ? 'person' : isPicture(filter) ? 'picture' : 'list'}
        read={useQuery(hoursOf(filter))}
        failure="No se pudieron calcular las horas"
        rows={8}
      >
        {(read) => <Result {...read} filter={{ ...read.filter, exception, ver }} />}
      </Loaded>
    </Page>
  )
}
