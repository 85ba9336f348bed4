import { useQuery } from '@tanstack/preact-query'
import type { Objection } from '../../sdk/api-types.ts'
import { DAYS_MAX, linkToHours } from '../hours/hours-filter.ts'
import { can } from '../session/session.ts'
import { CommentButton } from '../ui/dialog-button.tsx'
import { Rows } from '../ui/list.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { linkToPersonPage } from '../ui/routes.ts'
import { addDays, dayAndMonth, shortMoment } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { answerObjection, objectionsQuery } from './closings.queries.ts'

const OneObjection = ({ objection }: { objection: Objection }) => {
  const { closing_id, before, employee_id, full_name, branch_office, at, comment } = objection
  const to = addDays(before, -1)
  const days = { employee_id, from: addDays(before, -DAYS_MAX), to }
  return (
    <li>
      <p>
        <strong>
          <a href={linkToPersonPage(employee_id)}>{full_name}</a>
        </strong>{' '}
        ({employee_id}, {branch_office}) objetó sus renglones del cierre {closing_id}, hasta el{' '}
        {dayAndMonth(to)}: «{comment}»
      </p>
      <p class="note">
        {shortMoment(at)} · <a href={linkToHours(days, {})}>Ver sus días</a>
      </p>
      {can('pay') && (
        <div class="acts">
          <CommentButton
            label={`Responder a ${full_name}`}
            act="Responder"
            fieldLabel="Respuesta"
            missingText="Escribe la respuesta: la persona la verá."
            send={async (text) => {
              await answerObjection(objection, text)
              announce(`Se respondió a ${full_name}.`)
            }}
          >
            <p>
              Responder no cambia ninguna cifra. Si tiene razón, corrige sus checadas: el próximo
              cierre paga o descuenta la diferencia.
            </p>
          </CommentButton>
        </div>
      )}
    </li>
  )
}

/** The unanswered objections of workers, or of one of them, to their lines of a closing. */
export const Objections = ({ id }: { id?: string }) => (
  <Loaded read={useQuery(objectionsQuery)} failure="No se pudieron leer las objeciones" rows={1}>
    {(all) => {
      const objections = all.filter(({ employee_id }) => (id ?? employee_id) === employee_id)
      return (
        objections.length > 0 && (
          <section>
            <h2>Objeciones sin responder</h2>
            <Rows>
              {objections.map((one) => (
                <OneObjection key={`${one.closing_id} ${one.employee_id}`} objection={one} />
              ))}
            </Rows>
          </section>
        )
      )
    }}
  </Loaded>
)
