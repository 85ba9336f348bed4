import { dataOf } from '../../sdk/api-client.ts'
import type { Objection } from '../../sdk/api-types.ts'
import { DAYS_MAX, linkToHours } from '../hours/hours-filter.ts'
import { api, encodePath } from '../session/api.ts'
import { can } from '../session/session.ts'
import { ActDialog } from '../ui/act-dialog.tsx'
import { DialogButton } from '../ui/dialog-button.tsx'
import { Failure, Skeleton } from '../ui/reading.tsx'
import { addDays, dayAndMonth, shortMoment } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { useRead } from '../ui/use-read.ts'

const { closings, objections } = api.v2.incidents
const { answer } = closings[':id'].objections[':employee_id']

const OneObjection = ({ objection, onDone }: { objection: Objection; onDone: () => void }) => {
  const { closing_id, before, employee_id, full_name, branch_office, at, comment } = objection
  const to = addDays(before, -1)
  const days = { employee_id, from: addDays(before, -DAYS_MAX), to }
  return (
    <li>
      <p>
        <strong>{full_name}</strong> ({employee_id}, {branch_office}) objetó sus renglones del
        cierre {closing_id}, hasta el {dayAndMonth(to)}: «{comment}»
      </p>
      <p class="note">
        {shortMoment(at)} · <a href={linkToHours(days, {})}>Ver sus días</a>
      </p>
      {can('pay') && (
        <div class="acts">
          <DialogButton
            label={`Responder a ${full_name}`}
            dialog={(close) => (
              <ActDialog
                title={`Responder a ${full_name}`}
                act="Responder"
                label="Respuesta"
                missingText="Escribe la respuesta: la persona la verá."
                onClose={close}
                onDone={onDone}
                send={async (given) => {
                  const param = encodePath({ id: closing_id, employee_id })
                  const json = { comment: given('comment') }
                  await dataOf(answer.$post({ param, json }))
                  announce(`Se respondió a ${full_name}.`)
                }}
              >
                <p>
                  Responder no cambia ninguna cifra. Si tiene razón, corrige sus checadas: el
                  próximo cierre paga o descuenta la diferencia.
                </p>
              </ActDialog>
            )}
          />
        </div>
      )}
    </li>
  )
}

/** The unanswered objections of workers to their lines of a closing. */
export const Objections = () => {
  const { data, problem, again } = useRead(() => dataOf(objections.$get()))
  if (problem) {
    return <Failure title="No se pudieron leer las objeciones" text={problem} onRetry={again} />
  }
  if (!data) return <Skeleton rows={1} />
  if (data.objections.length === 0) return null
  return (
    <section>
      <h2>Objeciones sin responder</h2>
      <ul class="clocks">
        {data.objections.map((objection) => (
          <OneObjection
            key={`${objection.closing_id} ${objection.employee_id}`}
            objection={objection}
            onDone={again}
          />
        ))}
      </ul>
    </section>
  )
}
