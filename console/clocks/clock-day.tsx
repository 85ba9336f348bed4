import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { Amounts } from '../ui/amounts.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { countedLogs } from '../ui/text.ts'
import { dayAndMonth } from '../ui/time.ts'
import { punchesByHour } from './punches-by-hour.ts'
import { type DayOfSource, punchesQuery } from './sources.queries.ts'

const Hours = (props: DayOfSource) => (
  <Loaded read={useQuery(punchesQuery(props))} failure="No se pudieron leer sus checadas" rows={3}>
    {(times) => {
      if (times === null) return <p>Ese día hay demasiadas checadas para contarlas aquí.</p>
      if (times.length === 0) return <p>Ninguna checada de ese día.</p>
      return (
        <Amounts
          label="Checadas por hora"
          rows={punchesByHour(times).map(({ hour, count }) => ({
            key: String(hour),
            name: `${String(hour).padStart(2, '0')}:00`,
            text: count === 0 ? 'ninguna' : countedLogs(count),
            parts: [['whole', count]],
          }))}
        />
      )
    }}
  </Loaded>
)

/** The punches an hour of the last day of a clock, read when it is unfolded. */
export const ClockDay = (props: DayOfSource) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="more" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Checadas por hora, {dayAndMonth(props.day)}</summary>
      {isOpen && <Hours {...props} />}
    </details>
  )
}
