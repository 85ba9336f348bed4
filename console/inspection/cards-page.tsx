import { render } from 'preact'
import type { Card } from '../closings/cards.queries.ts'
import { OneCard } from '../closings/cards.tsx'
import { Page } from '../ui/page.tsx'
import { addDays, fortnightOf, type Period, periodName } from '../ui/time.ts'

/** The months of a period. The first and the last month may be incomplete. */
export const monthsOf = ({ from, to }: Period): Period[] => {
  const { to: end } = fortnightOf(`${from.slice(0, 8)}16`)
  if (end >= to) return [{ from, to }]
  return [{ from, to: end }, ...monthsOf({ from: addDays(end, 1), to })]
}

/** The page's start. Its security policy lets the page load nothing, wherever it is opened. */
const HEAD = `<!doctype html>
<html lang="es-MX"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Tarjetas de asistencia</title>`

/** Returns an HTML page with the cards. The page needs no other file. */
export const cardsPage = async (cards: Card[], company: string, period: Period) => {
  const styles = await fetch('styles.css')
  if (!styles.ok) throw new Error('The styles could not be read.')
  const container = document.createElement('div')
  render(
    <Page class="cards" title="Tarjetas de asistencia" acts={periodName(period)}>
      {cards.map((card) => (
        <OneCard
          key={`${card.employee_id} ${card.from}`}
          card={card}
          cards={{ company, to: period.to }}
        />
      ))}
    </Page>,
    container,
  )
  return `${HEAD}<style>${await styles.text()}</style></head><body>${container.innerHTML}</body></html>\n`
}
