import { useQuery } from '@tanstack/preact-query'
import { restDayOf } from '../../src/payroll/hours/rest-days.ts'
import { calendarOf, limitText } from '../hours/calendar.ts'
import { clockChangeNote } from '../hours/hours-bars.tsx'
import { sumOf } from '../review/counts.ts'
import { Definitions } from '../ui/definitions.tsx'
import { EXCEPTIONS, NOTICES } from '../ui/hours-texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { groupBy } from '../ui/order.ts'
import { Page } from '../ui/page.tsx'
import type { Route } from '../ui/routes.ts'
import { counted } from '../ui/text.ts'
import {
  dayAndMonth,
  exactDuration,
  inHours,
  periodName,
  shortDay,
  shortMoment,
  today,
} from '../ui/time.ts'
import { type Card, type CardDay, type Cards, cardsQuery, type Paid } from './cards.queries.ts'

const Hours = ({ seconds }: { seconds: number | null }) =>
  seconds === null ? (
    <td>–</td>
  ) : (
    <td>
      {exactDuration(seconds)} <small>{inHours(seconds)}</small>
    </td>
  )

/** The sum of the days' seconds, or null if no day has any. */
const secondsOf = (days: CardDay[]): number | null => {
  const seconds = days.flatMap((day) => day.seconds ?? [])
  return seconds.length === 0 ? null : sumOf(seconds)
}

const paidWords = (paid: Paid[]): string =>
  paid
    .filter(({ seconds }) => seconds !== 0 || paid.length === 1)
    .map(({ seconds, closing_id }) => `${exactDuration(seconds)}, cierre ${closing_id}`)
    .join('; ')

/** The seconds that each closing pays for the days. Deducted seconds are a separate sum. */
const paidSums = (days: CardDay[]): Paid[] => {
  const all = days.flatMap(({ paid }) => paid)
  const sums = groupBy(all, ({ seconds, closing_id }) => `${closing_id} ${seconds < 0}`)
  return [...sums.values()].map((same) => ({
    closing_id: same[0]?.closing_id ?? 0,
    seconds: sumOf(same.map(({ seconds }) => seconds)),
  }))
}

export const dayRemarks = ({ day, spans, seconds, exceptions, request }: CardDay): string => {
  const holiday = restDayOf(day)
  const words = exceptions.map((name) => EXCEPTIONS[name] ?? NOTICES[name] ?? name)
  const notes = [
    holiday && `Descanso obligatorio: ${holiday}`,
    clockChangeNote(spans, seconds),
    ...words,
    request,
  ]
  return notes.filter(Boolean).join('; ')
}

const DayRow = ({ day, to }: { day: CardDay; to: string }) => (
  <tr>
    <th scope="row">{shortDay(day.day, to)}</th>
    <td>{day.detail}</td>
    <Hours seconds={day.seconds} />
    <td>{paidWords(day.paid)}</td>
    <td>{dayRemarks(day)}</td>
  </tr>
)

interface TotalProps {
  text: string
  days: CardDay[]
  seconds?: number | null
}

/** A row with the sums that closings pay for the days. `seconds` are the days' hours. */
const Total = ({ text, days, seconds }: TotalProps) => (
  <tr>
    <th scope="row" colspan={2}>
      {text}
    </th>
    {seconds === undefined ? <td /> : <Hours seconds={seconds} />}
    <td colspan={2}>{paidWords(paidSums(days))}</td>
  </tr>
)

const Rows = ({ card }: { card: Card }) => (
  <tbody>
    {calendarOf(card, [...card.days, ...card.earlier], card.presence, card.weeks).map((row) => {
      if ('week' in row) {
        const { name, isCut, days, judged } = row.week
        return (
          <tr key={name} class="week">
            <th scope="row" colspan={2}>
              Semana del {name}
            </th>
            <Hours seconds={secondsOf(days)} />
            <td colspan={2}>
              {isCut && 'Incluye días de otro periodo. '}
              {judged && limitText(judged, secondsOf(days) ?? 0, exactDuration)}
            </td>
          </tr>
        )
      }
      if ('found' in row) return <DayRow key={row.found.day} day={row.found} to={card.to} />
      const { day, className, text } = row.empty
      return (
        <tr key={day} class={className}>
          <th scope="row">{shortDay(day, card.to)}</th>
          <td colspan={4}>{text}</td>
        </tr>
      )
    })}
    {card.earlier.length > 0 && (
      <tr class="week">
        <th scope="rowgroup" colspan={5}>
          Días anteriores
        </th>
      </tr>
    )}
    {card.earlier.map((day) => (
      <DayRow key={day.day} day={day} to={card.to} />
    ))}
  </tbody>
)

/** The line to sign on, or the signature that the person has given in an app. */
const Signature = ({ full_name, signature }: Card) => {
  if (!signature) return <p>Firma de {full_name}</p>
  const { at, agrees, seal } = signature
  const act = agrees ? 'Conforme' : 'No conforme'
  return (
    <p class="signed">
      {act}, desde su cuenta, el {shortMoment(at)}
      {seal === null ? '; todavía sin sello' : `, sello ${seal}`}
    </p>
  )
}

export const OneCard = ({ card, cards }: { card: Card; cards: Omit<Cards, 'cards'> }) => {
  const { company, closing } = cards
  const { from, to } = card
  const hasPeriod = from <= to
  const ofPeriod = card.days.filter(({ day }) => day >= from && day <= to)
  return (
    <section class="card">
      <header class="head">
        <h2>Tarjeta de asistencia</h2>
        <p>{company || 'Empresa: ______________________'}</p>
      </header>
      <Definitions
        items={[
          ['Nombre', card.full_name],
          ['Número', card.employee_id],
          ['RFC', card.rfc],
          ['Sucursal', card.branch_office],
          ['Periodo', hasPeriod ? periodName(card) : 'Solo días anteriores'],
        ]}
      />
      <table>
        <thead>
          <tr>
            <th scope="col">Día</th>
            <th scope="col">Entradas y salidas</th>
            <th scope="col">Horas</th>
            <th scope="col">Pagado</th>
            <th scope="col">Notas</th>
          </tr>
        </thead>
        <Rows card={card} />
        <tfoot>
          {hasPeriod && (
            <Total text="Total del periodo" days={ofPeriod} seconds={secondsOf(ofPeriod)} />
          )}
          {card.earlier.length > 0 && <Total text="Días anteriores" days={card.earlier} />}
          {card.earlier.length > 0 && hasPeriod && (
            <Total text="Total pagado" days={[...ofPeriod, ...card.earlier]} />
          )}
        </tfoot>
      </table>
      <p class="hash">
        Las horas tienen segundos que las checadas no muestran. Las semanas se compararon con el
        límite de la ley el {dayAndMonth(today())} de {today().slice(0, 4)}.
      </p>
      {closing && (
        <p class="hash">
          Cierre {closing.id} · {closing.hash}
        </p>
      )}
      <div class="signatures">
        <Signature {...card} />
        <p>Por la empresa</p>
      </div>
    </section>
  )
}

/** Time cards to print and sign, one page per person. */
export const CardsView = ({ route: { query } }: { route: Route }) => {
  const read = useQuery(cardsQuery(query))
  const { data } = read
  return (
    <Page
      class="cards"
      title={
        <>
          Tarjetas de asistencia
          {data && (
            <span class="count">
              {data.closing ? `cierre ${data.closing.id}, ` : ''}
              {data.to && `hasta el ${dayAndMonth(data.to)}`}
            </span>
          )}
        </>
      }
      acts={
        data &&
        data.cards.length > 0 && (
          <button type="button" class="primary" onClick={() => print()}>
            <Icon name="print" />
            Imprimir {counted(data.cards.length, 'tarjeta')}
          </button>
        )
      }
    >
      <Loaded read={read} failure="No se pudieron leer las tarjetas">
        {(cards) => (
          <>
            {cards.cards.length === 0 && <p class="note">Nadie tiene horas en este periodo.</p>}
            {cards.cards.map((card) => (
              <OneCard key={card.employee_id} card={card} cards={cards} />
            ))}
          </>
        )}
      </Loaded>
    </Page>
  )
}
