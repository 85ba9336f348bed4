import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Clock, HoursDay, LogSource } from '../../sdk/api-types.ts'
import { offText } from '../clocks/clock-state.tsx'
import { clocksQuery } from '../clocks/clocks.queries.ts'
import { hasWrongTime, isReceiving, isSilent, lookOf } from '../clocks/source-state.ts'
import { sourcesQuery } from '../clocks/sources.queries.ts'
import { linkToPreview } from '../closings/closing-selection.ts'
import { Objections } from '../closings/objections.tsx'
import { ApproveClean } from '../hours/approve-clean.tsx'
import { needsReview } from '../hours/clean-days.ts'
import { groupsQuery, hoursOf } from '../hours/hours.queries.ts'
import { Days } from '../hours/hours-days.tsx'
import { DAYS_MAX, type HoursFilter, linkToHours } from '../hours/hours-filter.ts'
import { isOverLimitOnly, newestFirst } from '../hours/over-limit.ts'
import { OverLimitLine } from '../hours/over-limit-line.tsx'
import { lastDayOf } from '../hours/period-choice.tsx'
import { sumOf } from '../review/counts.ts'
import { focusRemembered } from '../review/focus.ts'
import { can, mayClose } from '../session/session.ts'
import { workingText } from '../ui/hours-texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Rows } from '../ui/list.tsx'
import { Loaded, ReadProblem } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { linkTo, linkToPersonPage } from '../ui/routes.ts'
import { Badge } from '../ui/status.tsx'
import { counted, countedLogs, groupName } from '../ui/text.ts'
import { addDays, dayAndMonth, longDay, periodName, today } from '../ui/time.ts'
import { firstSteps, pendingCount, working } from './today.queries.ts'

/** The page shows this many days to review. The other days are on the page of hours. */
const DAYS_SHOWN = 10

const FirstSteps = ({ hasPeople }: { hasPeople: boolean }) => {
  const { data: steps, error } = useQuery(firstSteps(hasPeople))
  return (
    <section class="stack">
      <h2>Primeros pasos</h2>
      <ReadProblem error={error} />
      <Rows isOrdered>
        {steps?.map(({ name, text, path, isDone }) => (
          <li key={name}>
            <h3>
              <a href={linkTo(path)}>{name}</a>{' '}
              {isDone && <Badge look={['approved', 'check', 'Listo']} />}
            </h3>
            <p class="note">{text}</p>
          </li>
        ))}
      </Rows>
    </section>
  )
}

/** Who is at work now. @param people the number of people who work here today */
const AtWork = ({ people }: { people: number }) => {
  const { data: days, error } = useQuery(working)
  return (
    <section class="stack">
      <h2>
        En turno{' '}
        {days && (
          <span class="count">
            {days.length.toLocaleString('es-MX')} de {counted(people, 'persona')}
          </span>
        )}
      </h2>
      <p>
        <a href={linkTo('horas', { ver: 'personas' })}>Ver personas y días</a>
      </p>
      <ReadProblem error={error} />
      {days && days.length > 0 && (
        <details>
          <summary>Ver quiénes</summary>
          <Rows>
            {days.map(({ employee_id, full_name, branch_office, working_since }) => (
              <li key={employee_id}>
                <p>
                  <a href={linkToPersonPage(employee_id)}>{full_name}</a>{' '}
                  <span class="note">
                    · {branch_office} · {workingText(working_since ?? '')}
                  </span>
                </p>
              </li>
            ))}
          </Rows>
        </details>
      )}
    </section>
  )
}

interface ToReviewProps {
  days: HoursDay[]
  filter: HoursFilter
}

/** The days that somebody must look at, the newest first. */
const ToReview = ({ days, filter }: ToReviewProps) => {
  // The row that had the focus, or was decided, or its neighbor.
  useEffect(focusRemembered, [days.length])
  const overLimit = days.filter(isOverLimitOnly)
  const others = newestFirst(days.filter((row) => !isOverLimitOnly(row)))
  return (
    <section class="stack">
      <h2 tabindex={-1} data-after-list>
        {days.length > 0
          ? `${counted(days.length, 'día')} por aclarar`
          : `Ningún día por aclarar de los últimos ${DAYS_MAX}`}
      </h2>
      {overLimit.length > 0 && <OverLimitLine key="over-limit" days={overLimit} filter={filter} />}
      {others.length > 0 && (
        <Days named rows={others.slice(0, DAYS_SHOWN).map((found) => ({ found }))} />
      )}
      {others.length > DAYS_SHOWN && (
        <p class="after">
          <a class="button" href={linkToHours(filter, {})}>
            Ver los {days.length.toLocaleString('es-MX')}
          </a>
        </p>
      )}
    </section>
  )
}

/** The clocks that are silent, have problems or are new, and the punches that wait. */
const Clocks = () => {
  const { data: sources, error: sourcesError } = useQuery(sourcesQuery)
  const { data: found, error } = useQuery({ ...clocksQuery, enabled: can('keep_people') })
  const isNew = (found?.unknown.length ?? 0) > 0
  const waiting = sumOf(found?.waiting.map(({ count }) => count) ?? [])
  const toMend = (sources ?? []).filter((source) => isSilent(source) || source.problem_count > 0)
  const textOf = ({ problem_count }: LogSource) =>
    problem_count > 0 ? ` · ${counted(problem_count, 'problema')}` : ''
  const wrong = found?.clocks.filter((clock) => !clock.retired && hasWrongTime(clock)) ?? []
  const unknown = (
    <ReadProblem error={sourcesError ?? error} what="No se pudo leer cómo están los relojes." />
  )
  const receiving = found?.clocks.filter((clock) => !clock.retired && isReceiving(clock)) ?? []
  if (toMend.length + wrong.length + receiving.length + waiting === 0 && !isNew) return unknown
  const line = (key: string, link: string, rest: ComponentChildren) => (
    <li key={key}>
      <p>
        <a href={linkTo('relojes')}>{link}</a> {rest}
      </p>
    </li>
  )
  const ofClock = ({ serial, label }: Clock, text: string) =>
    line(`${serial} ${text}`, label ?? serial, <span class="note">{text}</span>)
  return (
    <section class="stack">
      <h2>Relojes</h2>
      {unknown}
      <Rows>
        {isNew &&
          line(
            'new',
            counted(found?.unknown.length ?? 0, 'reloj nuevo', 'relojes nuevos'),
            'por agregar',
          )}
        {waiting > 0 &&
          line(
            'waiting',
            `${countedLogs(waiting)} de relojes`,
            waiting === 1 ? 'espera' : 'esperan',
          )}
        {wrong.map((clock) => ofClock(clock, offText(clock.seconds_off ?? 0)))}
        {receiving.map((clock) =>
          ofClock(clock, 'Todavía envía lo que tiene: no se sabe qué falta.'),
        )}
        {toMend.map((source) =>
          line(
            source.source,
            source.label ?? source.source,
            <>
              {isSilent(source) && <Badge look={lookOf(source)} />}
              <span class="note">{textOf(source)}</span>
            </>,
          ),
        )}
      </Rows>
    </section>
  )
}

/** The next period of each payroll group. A period that is over can be closed. */
const NextClosings = () => {
  const { data: groups, error } = useQuery(groupsQuery())
  const withPeople = groups?.filter(({ people }) => people > 0) ?? []
  if (withPeople.length === 0) {
    return <ReadProblem error={error} what="No se pudo leer el próximo cierre." />
  }
  return (
    <section class="stack">
      <h2>Próximo cierre</h2>
      <Rows>
        {withPeople.map(({ payroll_group, next, pays_from }) => {
          const last = lastDayOf(next)
          const isOver = last < today()
          const selection = { before: next.before, payroll_group, employee_id: undefined }
          return (
            <li key={payroll_group}>
              <p>
                <strong>{groupName(payroll_group)}</strong>: {next.name}, del{' '}
                {periodName({ from: next.from, to: last })}.{' '}
                <span class="note">
                  {isOver ? 'Ya terminó.' : `Termina el ${dayAndMonth(last)}.`}
                </span>
              </p>
              {pays_from === null && (
                <p>
                  Falta decir desde qué día se le paga: <a href={linkTo('empresa')}>Empresa</a>.
                </p>
              )}
              {isOver && pays_from !== null && (
                <p class="acts">
                  <a class="button" href={linkToPreview(selection)}>
                    Ver cómo quedaría
                  </a>
                </p>
              )}
            </li>
          )
        })}
      </Rows>
    </section>
  )
}

/** What waits for the user, the newest first, and who is at work now. */
export const TodayView = () => {
  const filter = { from: addDays(today(), 1 - DAYS_MAX), to: today() }
  const read = useQuery(hoursOf(filter))
  const { data: pending, error } = useQuery(pendingCount)
  const employed = (read.data?.totals ?? []).filter(
    ({ started_at, ended_at }) => started_at <= today() && (ended_at ?? today()) >= today(),
  )
  const people = new Set(employed.map(({ employee_id }) => employee_id)).size
  return (
    <Page
      title={
        <>
          Hoy<span class="count">{longDay(today())}</span>
        </>
      }
    >
      <Loaded read={read} failure="No se pudo leer lo que espera">
        {({ days, totals }) => {
          const isNew = mayClose() && pending === 0 && totals.every((total) => total.days === 0)
          return (
            <>
              {isNew && <FirstSteps hasPeople={people > 0} />}
              <div class="head">
                <ApproveClean days={days} filter={filter} />
                {pending !== undefined && pending > 0 && (
                  <a class="button" href={linkTo('checadas')}>
                    {countedLogs(pending)} por revisar
                    <Icon name="next" />
                  </a>
                )}
                <ReadProblem error={error} what="No se pudieron contar las checadas por revisar." />
              </div>
              {!isNew && <ToReview days={days.filter(needsReview)} filter={filter} />}
            </>
          )
        }}
      </Loaded>
      <Objections />
      <Clocks />
      {people > 0 && <AtWork people={people} />}
      {mayClose() && <NextClosings />}
    </Page>
  )
}
