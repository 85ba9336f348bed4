import { type Card, type CardDay, type Cards, type Paid, readCards } from '../api/cards.ts'
import { calendarOf, emptyDay } from '../calendar.ts'
import { restDayOf } from '../rest-days.ts'
import type { Route } from '../routes.ts'
import { useRead } from '../state/use-read.ts'
import { counted } from '../text.ts'
import { addDays, dayOfMonth, duration, inHours, periodName, shortDay } from '../time.ts'
import { Failure } from '../ui/failure.tsx'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { EXCEPTIONS, NOTICES } from './hours-words.ts'

const Hours = ({ seconds }: { seconds: number | null }) =>
  seconds === null ? (
    <td>–</td>
  ) : (
    <td>
      {duration(seconds)} <small>{inHours(seconds)}</small>
    </td>
  )

const sumOf = (days: CardDay[]): number | null => {
  const seconds = days.flatMap((day) => day.seconds ?? [])
  return seconds.length === 0 ? null : seconds.reduce((sum, one) => sum + one)
}

/** What was paid, and by which closing; what is deducted is said apart. */
const paidWords = (paid: Paid[]): string =>
  paid
    .filter(({ seconds }) => seconds !== 0 || paid.length === 1)
    .map(({ seconds, closing_id }) => `${duration(seconds)}, cierre ${closing_id}`)
    .join('; ')

/** The sum of each closing, with what it deducts as a sum of its own. */
const paidSums = (days: CardDay[]): Paid[] => {
  const sums = Map.groupBy(
    days.flatMap(({ paid }) => paid),
    ({ seconds, closing_id }) => `${closing_id} ${seconds < 0}`,
  )
  return [...sums.values()].map((all) => ({
    closing_id: all[0]?.closing_id ?? 0,
    seconds: all.reduce((sum, { seconds }) => sum + seconds, 0),
  }))
}

const remarks = ({ day, exceptions }: CardDay): string => {
  const holiday = restDayOf(day)
  const words = exceptions.map((name) => EXCEPTIONS[name] ?? NOTICES[name] ?? name)
  return [holiday && `Descanso obligatorio: ${holiday}`, ...words].filter(Boolean).join('; ')
}

const DayRow = ({ day }: { day: CardDay }) => (
  <tr>
    <th scope="row">{shortDay(day.day)}</th>
    <td>{day.detail}</td>
    <Hours seconds={day.seconds} />
    <td>{paidWords(day.paid)}</td>
    <td>{remarks(day)}</td>
  </tr>
)

const Heading = ({ text }: { text: string }) => (
  <tr class="week">
    <th scope="rowgroup" colspan={5}>
      {text}
    </th>
  </tr>
)

const Rows = ({ card, cards }: { card: Card; cards: Cards }) => (
  <tbody>
    {calendarOf(cards, card.days).map((row) => {
      if ('week' in row) {
        const { monday, isCut, days } = row.week
        return (
          <tr key={`week ${monday}`} class="week">
            <th scope="row" colspan={2}>
              Semana del {periodName({ from: monday, to: addDays(monday, 6) })}
            </th>
            <Hours seconds={sumOf(days)} />
            <td colspan={2}>{isCut && 'Con sus días fuera del periodo'}</td>
          </tr>
        )
      }
      if (row.found) return <DayRow key={row.day} day={row.found} />
      const { look, words } = emptyDay(row.day, card.presence, cards.branch)
      return (
        <tr key={row.day} class={look}>
          <th scope="row">{shortDay(row.day)}</th>
          <td colspan={4}>{words}</td>
        </tr>
      )
    })}
    {card.earlier.length > 0 && <Heading key="earlier" text="Días anteriores" />}
    {card.earlier.map((day) => (
      <DayRow key={day.day} day={day} />
    ))}
  </tbody>
)

const OneCard = ({ card, cards }: { card: Card; cards: Cards }) => {
  const { from, to, company, closing } = cards
  const ofPeriod = card.days.filter(({ day }) => day >= from && day <= to)
  return (
    <section class="card">
      <header>
        <h2>Tarjeta de asistencia</h2>
        <p>{company || 'Empresa: ______________________'}</p>
      </header>
      <dl>
        {[
          ['Nombre', card.full_name],
          ['Número', card.employee_id],
          ['RFC', card.rfc],
          ['Sucursal', card.branch_office],
          ['Periodo', `${periodName({ from, to })} de ${to.slice(0, 4)}`],
        ].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
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
        <Rows card={card} cards={cards} />
        <tfoot>
          <tr>
            <th scope="row" colspan={2}>
              Total
            </th>
            <Hours seconds={sumOf(ofPeriod)} />
            <td colspan={2}>{paidWords(paidSums([...ofPeriod, ...card.earlier]))}</td>
          </tr>
        </tfoot>
      </table>
      {closing && (
        <p class="hash">
          Cierre {closing.id} · {closing.hash}
        </p>
      )}
      <div class="signatures">
        <p>Firma de {card.full_name}</p>
        <p>Por la empresa</p>
      </div>
    </section>
  )
}

/** Cards to print and to sign, one page a person. */
export const CardsView = ({ route: { query } }: { route: Route }) => {
  const { data, problem } = useRead(() => readCards(query), [JSON.stringify(query)])
  return (
    <main class="cards" aria-busy={data || problem ? 'false' : 'true'}>
      <header class="head">
        <h1>
          Tarjetas de asistencia
          {data && (
            <span class="count">
              {data.closing ? `cierre ${data.closing.id}, ` : ''}
              {data.to && `hasta el ${dayOfMonth(data.to)}`}
            </span>
          )}
        </h1>
        {data && data.cards.length > 0 && (
          <button type="button" class="primary" onClick={() => print()}>
            <Icon name="print" />
            Imprimir {counted(data.cards.length, 'tarjeta')}
          </button>
        )}
      </header>
      {problem && (
        <Failure
          title="No se pudieron leer las tarjetas"
          text={problem}
          onRetry={() => location.reload()}
        />
      )}
      {!data && !problem && <Skeleton rows={6} />}
      {data?.cards.length === 0 && <p class="note">Nadie tiene horas en este periodo.</p>}
      {data?.cards.map((card) => (
        <OneCard key={card.employee_id} card={card} cards={data} />
      ))}
    </main>
  )
}
