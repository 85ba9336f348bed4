import { useState } from 'hono/jsx/dom'
import type { Adjustment, Closing } from '../../sdk/api-types.ts'
import { readAdjustments, readClosings, requestAdjustments, requestHours } from '../api/hours.ts'
import { signedIn } from '../api/session.ts'
import { linkTo, type Route } from '../routes.ts'
import { useRead } from '../state/use-read.ts'
import { addDays, dayOfMonth, shortDay, shortMoment } from '../time.ts'
import { DownloadButton } from '../ui/download-button.tsx'
import { Paged } from '../ui/paged.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { ClosingForm } from './closing-form.tsx'

const inHours = (seconds: number | null): string =>
  seconds === null ? '–' : `${(seconds / 3600).toFixed(2)} h`

const Adjusted = ({ rows }: { rows: Adjustment[] }) => (
  <table>
    <thead>
      <tr>
        <th scope="col">Persona</th>
        <th scope="col">Al cerrar</th>
        <th scope="col">Ahora</th>
        <th scope="col">Ajuste</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ employee_id, day, ...row }) => (
        <tr key={employee_id + day}>
          <th scope="row">
            <a href={linkTo('horas', { employee_id, from: day, to: day })}>{row.full_name}</a>,{' '}
            {shortDay(day)}
          </th>
          <td>{inHours(row.closed_seconds)}</td>
          <td>{inHours(row.worked_seconds)}</td>
          <td>
            {row.difference_seconds > 0 && '+'}
            {inHours(row.difference_seconds)}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** What has changed since a closing, to be paid in the next payroll. */
const Adjustments = ({ since }: { since: number }) => {
  const { data: rows, problem } = useRead(() => readAdjustments(since), [since])
  return (
    <div aria-busy={rows || problem ? 'false' : 'true'}>
      <p class="problem" role="alert">
        {problem}
      </p>
      {rows?.length === 0 && <p class="note">Nada ha cambiado desde este cierre.</p>}
      {rows && rows.length > 0 && (
        <Paged items={rows} render={(shown) => <Adjusted rows={shown} />} />
      )}
      {!rows && !problem && <Skeleton rows={2} />}
    </div>
  )
}

const groupName = (group: string | null): string =>
  group === null ? 'Todos' : group === '' ? 'Quienes no tienen grupo' : `Grupo ${group}`

interface Props {
  closing: Closing
  /** The closing of the same people before this one. */
  previous: Closing | undefined
  isOpen: boolean
}

const Item = ({ closing, previous, isOpen }: Props) => {
  const { id, before, payroll_group, user, comment, created_at } = closing
  const from = previous && previous.before < before ? previous.before : undefined
  return (
    <li>
      <h2>
        Hasta el {dayOfMonth(addDays(before, -1))}
        <span class="note">{groupName(payroll_group)}</span>
      </h2>
      <p class="note">
        {user.full_name}, {shortMoment(created_at)}
        {comment && `: «${comment}»`}
      </p>
      <p class="acts">
        <DownloadButton label="Horas" request={() => requestHours('csv', { closing: id, from })} />
        <DownloadButton
          label="Por persona"
          request={() => requestHours('csv', { closing: id, from, by: 'employee' })}
        />
        <DownloadButton label="Ajustes" request={() => requestAdjustments('csv', id)} />
        <a class="button" href={linkTo(isOpen ? 'cierres' : `cierres/${id}`)}>
          {isOpen ? 'Ocultar ajustes' : 'Ver ajustes'}
        </a>
      </p>
      {isOpen && <Adjustments since={id} />}
    </li>
  )
}

export const ClosingsView = ({ route }: { route: Route }) => {
  const [closed, setClosed] = useState(0)
  const { data: closings, problem } = useRead(readClosings, [closed])
  return (
    <main class="closings">
      <h1>Cierres</h1>
      <p class="lead">
        Un cierre fija las horas que se pagan: lo decidido hasta ese día ya no cambia, y lo que
        llegue después sale en sus ajustes.
      </p>
      <p class="problem" role="alert">
        {problem}
      </p>
      {!closings && !problem && <Skeleton rows={3} />}
      {closings && signedIn().user.may_close && (
        <ClosingForm key="form" closings={closings} onClosed={() => setClosed(closed + 1)} />
      )}
      {closings?.length === 0 && <p class="note">Todavía no se ha cerrado ningún periodo.</p>}
      <ul class="clocks">
        {closings?.map((closing, i) => (
          <Item
            key={closing.id}
            closing={closing}
            previous={closings
              .slice(i + 1)
              .find(({ payroll_group }) => [null, closing.payroll_group].includes(payroll_group))}
            isOpen={route.path[1] === String(closing.id)}
          />
        ))}
      </ul>
    </main>
  )
}
