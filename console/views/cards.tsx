import { type Card, type CardDay, type Cards, readCards } from '../api/cards.ts'
import { restDayOf } from '../rest-days.ts'
import type { Route } from '../routes.ts'
import { useRead } from '../state/use-read.ts'
import { counted } from '../text.ts'
import { addDays, dayOfMonth, duration, mondayOf, periodName, shortDay } from '../time.ts'
import { Failure } from '../ui/failure.tsx'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { EXCEPTIONS } from './hours-words.ts'

const sum = (days: CardDay[]): string => {
  const seconds = days.reduce((total, day) => total + (day.seconds ?? 0), 0)
  return seconds === 0 ? '–' : duration(seconds)
}

const remarks = ({ day, exceptions }: CardDay): string => {
  const holiday = restDayOf(day)
  const words = exceptions.map((name) => EXCEPTIONS[name] ?? name)
  return [holiday && `Descanso obligatorio: ${holiday}`, ...words].filter(Boolean).join('; ')
}

const Rows = ({ days }: { days: CardDay[] }) => (
  <tbody>
    {[...Map.groupBy(days, ({ day }) => mondayOf(day))].flatMap(([monday, week]) => [
      ...week.map((day) => (
        <tr key={day.day}>
          <th scope="row">{shortDay(day.day)}</th>
          <td>{day.detail}</td>
          <td>{day.seconds === null ? '–' : duration(day.seconds)}</td>
          <td>{remarks(day)}</td>
        </tr>
      )),
      <tr key={`week ${monday}`} class="week">
        <th scope="row" colspan={2}>
          Semana del {periodName({ from: monday, to: addDays(monday, 6) })}
        </th>
        <td>{sum(week)}</td>
        <td />
      </tr>,
    ])}
  </tbody>
)

const OneCard = ({ card, cards }: { card: Card; cards: Cards }) => {
  const { from, to, company, closing } = cards
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
            <th scope="col">Observaciones</th>
          </tr>
        </thead>
        <Rows days={card.days} />
        <tfoot>
          <tr>
            <th scope="row" colspan={2}>
              Total
            </th>
            <td>{sum(card.days)}</td>
            <td />
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
