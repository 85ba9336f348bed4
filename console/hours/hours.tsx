import type { HoursDay, HoursTotal } from '../../sdk/api-types.ts'
import { rememberBranch } from '../session/last-branch.ts'
import { branchNames, mayClose, signedIn } from '../session/session.ts'
import { DownloadButton } from '../ui/buttons.tsx'
import { Choice, DateField, MoreFilters } from '../ui/fields.tsx'
import { EXCEPTIONS } from '../ui/hours-texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { Paged } from '../ui/paged.tsx'
import { PersonFilter } from '../ui/person-search.tsx'
import { Failure, Skeleton } from '../ui/reading.tsx'
import { linkToFiltered, type Route, toAddress } from '../ui/routes.ts'
import { counted } from '../ui/text.ts'
import {
  addDays,
  dayAndMonth,
  duration,
  earlierOf,
  fortnightOf,
  hasZones,
  periodName,
  today,
  zoneName,
  zoneOf,
} from '../ui/time.ts'
import { useKept } from '../ui/use-read.ts'
import { ApproveClean } from './approve-clean.tsx'
import { calendarOf } from './calendar.ts'
import { needsReview, readDepartments } from './clean-days.ts'
import { isInverted } from './day-act.ts'
import { Exceptions } from './exceptions.tsx'
import { requestHours } from './hours.api.ts'
import { Days, Worked } from './hours-days.tsx'
import { type HoursFilter, hoursQuery, linkToHours, toHoursFilter } from './hours-filter.ts'
import { removeReviewed, useHours } from './hours-list.state.ts'
import { isOverLimitOnly, newestFirst } from './over-limit.ts'
import { OverLimitLine } from './over-limit-line.tsx'
import { mayReview } from './own-days.ts'
import { readPayrollGroups } from './payroll-groups.api.ts'
import { groupWithCalendar, lastDayOf, PeriodChoice } from './period-choice.tsx'
import { ReviewAll } from './review-all.tsx'

const Fields = ({ filter }: { filter: HoursFilter }) => {
  const { employee_id, department, payroll_group, from, to } = filter
  const { data, problem } = useKept(`departments ${from} ${to}`, () => readDepartments(filter))
  // While they are not known, the chosen one can still be removed.
  const departments = data ?? (department === undefined ? [] : [department])
  const groups = signedIn().payroll_groups
  const change = (changes: Parameters<typeof linkToHours>[1]) => {
    location.hash = linkToHours(filter, changes)
  }
  const isFiltered = [employee_id, department, payroll_group].some((one) => one !== undefined)
  return (
    <MoreFilters isFolded={!isFiltered}>
      <PersonFilter id={employee_id} onChange={(id) => change({ employee_id: id })} />
      {problem && <p class="note">No se pudieron leer los departamentos. {problem}</p>}
      {!employee_id && (departments.length > 1 || department !== undefined) && (
        <Choice
          id="hours-department"
          label="Departamento"
          value={toAddress(department)}
          options={departments.map((name) => [toAddress(name), name || 'Sin departamento'])}
          onChange={(name) => change({ department: name })}
        />
      )}
      {!employee_id && groups.length > 1 && (
        <Choice
          id="hours-group"
          label="Grupo de nómina"
          value={toAddress(payroll_group)}
          options={groups.map((name) => [toAddress(name), name || 'General'])}
          onChange={(name) => change({ payroll_group: name })}
        />
      )}
      <DateField
        id="hours-from"
        label="Desde"
        value={from}
        onChange={(day) => change({ from: day, ...(day > to && { to: undefined }) })}
      />
      <DateField
        id="hours-to"
        label="Hasta"
        value={to}
        onChange={(day) => change({ to: day, ...(addDays(from, 30) < day && { from: undefined }) })}
      />
    </MoreFilters>
  )
}

interface DaysProps {
  days: HoursDay[]
  filter: HoursFilter
}

const countsOf = (names: string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

interface ChipsProps {
  label: string
  filter: HoursFilter
  field: 'branch_office' | 'exception'
  total: number
  counts: [value: string, count: number][]
}

/** Links that filter by the values of a field, each with its number of days. */
const Chips = ({ label, filter, field, total, counts }: ChipsProps) => {
  const isBranch = field === 'branch_office'
  const textOf = (value: string) =>
    isBranch ? value || 'Sin sucursal' : (EXCEPTIONS[value] ?? value)
  return (
    <nav class="chips" aria-label={label}>
      {[[undefined, total] as const, ...counts].map(([value, count]) => (
        <a
          key={value ?? 'all'}
          href={linkToHours(filter, { [field]: toAddress(value) })}
          aria-current={filter[field] === value ? 'true' : undefined}
          onClick={() => isBranch && rememberBranch(value)}
        >
          {value === undefined ? 'Todas' : textOf(value)}{' '}
          <span class="count">{count.toLocaleString('es-MX')}</span>
          {isBranch && value && hasZones() && <small>{zoneName(zoneOf(value))}</small>}
        </a>
      ))}
    </nav>
  )
}

/**
 * The list of days that somebody must review. A reviewed day leaves the list. Days that only pass
 * the limit of their week are counted with the others, and shown in one line.
 */
const WorkList = (props: DaysProps & { onReviewed: (...rows: HoursDay[]) => void }) => {
  const { days, filter, onReviewed } = props
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
          filter={filter}
          field="exception"
          total={days.length}
          counts={[...counts]}
        />
      )}
      {chosen.length === 0 && days.length > 0 && (
        <p>
          Ninguno tiene «{name}». <a href={linkToHours(filter, { exception: '' })}>Ver los demás</a>
        </p>
      )}
      {overLimit.length > 0 && (
        <OverLimitLine key="over-limit" days={overLimit} filter={filter} onReviewed={onReviewed} />
      )}
      {exception && shown.length > 1 && markable.length > 0 && (
        <ReviewAll rows={markable} name={name ?? ''} onReviewed={onReviewed} />
      )}
      {shown.length > 0 && (
        <Paged
          items={shown}
          name={`days ${JSON.stringify(filter)}`}
          render={(rows) => (
            <Days rows={rows.map((found) => ({ found }))} named onReviewed={onReviewed} />
          )}
        />
      )}
    </>
  )
}

const BranchChips = ({ days, filter }: DaysProps) => {
  const branches = branchNames()
  if (branches.length < 2) return <span />
  const counts = countsOf(days.map(({ branch_office }) => branch_office))
  const names = new Set([...branches, ...counts.keys()])
  return (
    <Chips
      label="Sucursales"
      filter={filter}
      field="branch_office"
      total={days.length}
      counts={[...names].map((name) => [name, counts.get(name) ?? 0])}
    />
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

interface PeopleProps {
  totals: HoursTotal[]
  filter: HoursFilter
  /** The days of the heading's count, of which each row has its own. */
  toReview: HoursDay[]
}

/** The totals of people. A person who changed branch or department has a row for each. */
const People = ({ totals, filter, toReview }: PeopleProps) => (
  <table>
    <thead>
      <tr>
        <th scope="col">{filter.employee_id ? 'Sucursal' : 'Persona'}</th>
        <th scope="col">Días</th>
        <th scope="col">Horas</th>
        <th scope="col">Por aclarar</th>
      </tr>
    </thead>
    <tbody>
      {totals.map((row) => {
        const { employee_id, branch_office, department } = row
        const isOpen = filter.employee_id === employee_id
        const count = toReview.filter(
          (day) =>
            day.employee_id === employee_id &&
            day.branch_office === branch_office &&
            day.department === department,
        ).length
        return (
          <tr key={JSON.stringify([employee_id, branch_office, department])}>
            <th scope="row">
              {isOpen ? (
                branch_office
              ) : (
                <a href={linkToHours(filter, { employee_id })}>{row.full_name}</a>
              )}
              <small>{isOpen ? department : employee_id}</small>
              <Exceptions names={missingOf(row)} />
            </th>
            <td>{row.days}</td>
            <td>
              <Worked seconds={row.worked_seconds} />
              <small>{pendingText(row)}</small>
            </td>
            <td>{count || '–'}</td>
          </tr>
        )
      })}
    </tbody>
  </table>
)

const Result = ({ filter: wanted }: { filter: HoursFilter }) => {
  const { data, filter = wanted, isCurrent, problem, readAgain } = useHours(wanted)
  const { branch_office, employee_id, payroll_group, from, to } = filter
  if (problem) {
    return <Failure title="No se pudieron calcular las horas" text={problem} onRetry={readAgain} />
  }
  if (!data || wanted.employee_id !== employee_id) return <Skeleton rows={8} />
  const { days, totals, weeks } = data
  const ofPeriod = days.filter(({ day }) => day >= from && day <= to)
  const toReview = ofPeriod.filter(needsReview)
  const isHere = (row: HoursDay) =>
    branch_office === undefined || row.branch_office === branch_office
  const lastDay = earlierOf(to, today())
  const query = hoursQuery(filter)
  const onReviewed = (...rows: HoursDay[]) => {
    if (employee_id) void readAgain()
    else removeReviewed(rows)
  }
  // Until the hours of the new filter have come, those of the one before are shown as such.
  const inert = !isCurrent
  return (
    <div class="result" aria-busy={inert ? 'true' : 'false'}>
      {!employee_id && <BranchChips filter={filter} days={toReview} />}
      <div class="head" key="acts" inert={inert}>
        <ApproveClean days={ofPeriod.filter(isHere)} filter={filter} />
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
      {employee_id ? (
        <section key="days" inert={inert}>
          <h2 tabindex={-1} data-after-list>
            {totals[0]?.full_name ?? 'Días'}
          </h2>
          <Days
            rows={calendarOf({ from, to: lastDay }, days, totals[0], weeks)}
            onReviewed={onReviewed}
          />
        </section>
      ) : (
        <section key="to-review" inert={inert}>
          <WorkList days={toReview.filter(isHere)} filter={filter} onReviewed={onReviewed} />
        </section>
      )}
      <section key="totals" inert={inert}>
        <h2>{employee_id ? 'Totales' : counted(totals.length, 'persona')}</h2>
        <Paged
          items={totals}
          render={(rows) => (
            <People totals={rows} filter={filter} toReview={toReview.filter(isHere)} />
          )}
        />
      </section>
    </div>
  )
}

export const HoursView = ({ route }: { route: Route }) => {
  const filter = toHoursFilter(route.query)
  const { from, to, payroll_group } = filter
  const { data: groups, problem } = useKept(`groups ${from}`, async () =>
    mayClose() ? await readPayrollGroups(from) : [],
  )
  const group = groups && groupWithCalendar(groups, payroll_group)
  const step = (label: string, day: string, icon: 'back' | 'next') => (
    <a class="button" href={linkToHours(filter, fortnightOf(day))} aria-label={label}>
      <Icon name={icon} />
    </a>
  )
  return (
    <main class="hours">
      <header class="head">
        <h1>
          Horas<span class={group ? 'count twice' : 'count'}>{periodName(filter)}</span>
        </h1>
        {group ? (
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
          (groups || problem) && (
            <nav key="fortnights" aria-label="Quincenas">
              {step('Quincena anterior', addDays(from, -1), 'back')}
              {step('Quincena siguiente', addDays(to, 1), 'next')}
            </nav>
          )
        )}
      </header>
      {problem && <p class="note">No se pudo leer cada cuánto se paga. {problem}</p>}
      <Fields filter={filter} />
      <Result key={filter.employee_id ? 'person' : 'all'} filter={filter} />
    </main>
  )
}
