import { useState } from 'preact/hooks'
import { dataOf } from '../../sdk/api-client.ts'
import type { OwnDay, OwnWeek } from '../../sdk/api-types.ts'
import { Heading } from '../ui/heading.tsx'
import { EXCEPTIONS, NOTICES } from '../ui/hours-texts.ts'
import { Icon } from '../ui/icon.tsx'
import { phoneDay } from '../ui/phone-time.ts'
import { linkTo, type Route } from '../ui/routes.ts'
import {
  addDays,
  dayOf,
  fortnightOf,
  longDay,
  nightEndOf,
  type Period,
  periodName,
} from '../ui/time.ts'
import { useRead } from '../ui/use-read.ts'
import { Waiting } from '../ui/waiting.tsx'
import { sentenceOf } from './day-sentence.ts'
import { BranchTimeNote, LogList } from './log-list.tsx'
import { hoursText, weekText } from './own-hours.ts'
import { api } from './session.ts'

/** Reads the person's days of a period with their logs, the newest day first. */
const readOwnDays = async ({ from, to }: Period) => {
  const { my_days, my_logs } = api().v2.incidents
  const [{ days, weeks }, { logs, may_request, requests_since }] = await Promise.all([
    dataOf(my_days.$get({ query: { from, to } })),
    dataOf(my_logs.$get({ query: { from, to: nightEndOf(to) } })),
  ])
  const dayOfLog = new Map(days.flatMap(({ day, log_ids }) => log_ids.map((id) => [id, day])))
  const dated = logs.map((log) => ({
    day: dayOfLog.get(log.log_id) ?? dayOf(log.local_at),
    log,
  }))
  const names = new Set([...days, ...dated].map(({ day }) => day).filter((day) => day <= to))
  const own = [...names].sort().reverse()
  return {
    may_request,
    weeks: [...weeks].reverse(),
    days: own.map((day) => ({
      day,
      // The first day of all is not requestable as a whole. Version 2.0 does not say the day.
      mayRequest: may_request && day > (requests_since ?? '').slice(0, 10),
      hours: days.filter((one) => one.day === day),
      logs: dated.filter((one) => one.day === day).map(({ log }) => log),
    })),
  }
}

const Hours = ({ day, mayRequest }: { day: OwnDay; mayRequest: boolean }) => {
  const { text, request } = sentenceOf(day, mayRequest)
  const notes = [
    ...day.exceptions.map((name) => EXCEPTIONS[name] ?? name),
    ...day.notices.map((name) => NOTICES[name] ?? name),
  ]
  return (
    <>
      {text && (
        <p class="late">
          {text}
          {request && (
            <>
              {' '}
              <a class="target" href={linkTo('pedir', { ...request })}>
                pide la corrección
              </a>
              .
            </>
          )}
        </p>
      )}
      <p class="note">{hoursText(day)}</p>
      {notes.length > 0 && (
        <details class="more">
          <summary>Ver detalle</summary>
          <p class="note">{notes.join(' · ')}</p>
        </details>
      )}
    </>
  )
}

/** The hours of each week beside the law's limit, the newest first. */
const Weeks = ({ weeks }: { weeks: OwnWeek[] }) => (
  <ul>
    {weeks.map((week) => (
      <li key={week.week_from} class={week.week_seconds > week.limit_seconds ? 'late' : 'note'}>
        {weekText(week)}
      </li>
    ))}
  </ul>
)

/**
 * Shows the person's days with hours, logs and decisions. At first, it shows the fortnight that
 * contains the day `dia` of the address. Without `dia`, it shows the current fortnight.
 */
export const DaysView = ({ route }: { route: Route }) => {
  const [period, setPeriod] = useState(fortnightOf(route.query.dia ?? phoneDay()))
  const read = useRead(() => readOwnDays(period), [period.from])
  const { data } = read
  return (
    <main class="one">
      <Heading>Mis días</Heading>
      <nav class="period" aria-label="Quincenas">
        <button
          type="button"
          aria-label="Quincena anterior"
          onClick={() => setPeriod(fortnightOf(addDays(period.from, -1)))}
        >
          <Icon name="back" />
        </button>
        <span role="status">{periodName(period)}</span>
        <button
          type="button"
          aria-label="Quincena siguiente"
          disabled={period.to >= phoneDay()}
          onClick={() => setPeriod(fortnightOf(addDays(period.to, 1)))}
        >
          <Icon name="next" />
        </button>
      </nav>
      {data?.may_request && (
        <p>
          <a class="target" href={linkTo('pedir')}>
            Pedir una corrección
          </a>
        </p>
      )}
      <Waiting key="wait" read={read} failure="No se pudo leer" rows={5} />
      {data && data.weeks.length > 0 && <Weeks weeks={data.weeks} />}
      <BranchTimeNote logs={data?.days.flatMap(({ logs }) => logs) ?? []} />
      {data?.days.length === 0 && <p>No hay checadas en estos días.</p>}
      {data?.days.map(({ day, mayRequest, hours, logs }) => (
        <section key={day}>
          <h2>{longDay(day)}</h2>
          {hours.map((one, i) => (
            <Hours key={i} day={one} mayRequest={mayRequest} />
          ))}
          <LogList logs={logs} day={day} mayRequest={mayRequest} />
        </section>
      ))}
    </main>
  )
}
