import { useState } from 'preact/hooks'
import type { FoundEmployee, LogKind, ManualLogBody } from '../../sdk/api-types.ts'
import { markPeopleChanged } from '../review/changed-people.ts'
import { readersNote } from '../review/decisions.state.ts'
import { findEmployee } from '../session/employees.ts'
import { newId } from '../session/new-id.ts'
import { Field, useSuggestedValue } from '../ui/fields.tsx'
import { FormEnd, FormField, useForm } from '../ui/form.tsx'
import { PersonSearch } from '../ui/person-search.tsx'
import { linkTo, type Route } from '../ui/routes.ts'
import { SecondTime, timeProblems } from '../ui/second-time.tsx'
import { KINDS } from '../ui/text.ts'
import { dayAndMonth, hasZones, today, zoneName, zoneOf } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { useRead } from '../ui/use-read.ts'
import { addLog } from './hours.api.ts'
import { findListed } from './hours-list.state.ts'

const addedText = (what: string) => `Se agregó: ${what}. Queda por revisar.`

/** The form that adds a missing log. Because of `client_id`, a repeated request adds nothing. */
export const ManualLogView = ({ route: { query } }: { route: Route }) => {
  const [clientId] = useState(newId())
  const [person, setPerson] = useState<FoundEmployee | null>()
  const { data: found, problem: notFound } = useRead(async () =>
    query.employee_id
      ? (findListed(query.employee_id) ?? findEmployee(query.employee_id))
      : undefined,
  )
  /** The log that was added at the first of two equal hours, with the service's warning. */
  const [twice, setTwice] = useState<{ json: ManualLogBody; what: string; message: string }>()

  const chosen = person === undefined ? found : (person ?? undefined)
  // The times of a day are those of the branch where the person was on that day.
  const branchOfDay = (!person && query.branch_office) || undefined
  const branch = branchOfDay ?? chosen?.branch_office
  const zone = zoneOf(branch)
  const back = query.back ? `#/${query.back}` : linkTo('checadas')
  const end = (text: string) => {
    location.hash = back
    announce(text)
  }
  const form = useForm({
    // Without a day, the draft's name has no person, since the person is chosen in the form.
    draft: query.day ? `${query.employee_id} ${query.day} ${query.kind}` : 'agregar',
    check: (given) => ({
      ...(!chosen && { employee_id: 'Elige a la persona de la lista.' }),
      ...(!given('kind') && { kind: 'Elige si fue entrada o salida.' }),
      ...(!(given('day') && given('time')) && { time: 'Pon el día y la hora.' }),
      ...(!given('comment') && { comment: 'Escribe por qué falta: queda en el historial.' }),
    }),
    send: async (given) => {
      const [kind, day, time] = [given('kind'), given('day'), given('time')]
      const json = {
        client_id: given('client_id'),
        employee_id: chosen?.employee_id ?? '',
        kind: kind as LogKind,
        local_time: `${day}T${time}`,
        ...(branchOfDay && { branch_office: branchOfDay }),
        comment: given('comment'),
      }
      const { result, warnings } = await addLog(json)
      const what = `${chosen?.full_name}, ${kind} del ${dayAndMonth(day)} a las ${time}`
      markPeopleChanged([json.employee_id])
      const [warning] = warnings
      if (warning) setTwice({ json, what, message: warning.message })
      else if (result === 'created') end(addedText(what))
      else end(`Ya estaba: ${what}. No se agregó otra.`)
    },
    describe: timeProblems,
  })
  const { id, problem, about } = form
  const day = useSuggestedValue(query.day ?? '')
  if (twice) {
    const { json, what, message } = twice
    return (
      <main class="manual">
        <h1>Agregar una checada</h1>
        <SecondTime
          message={message}
          onFirst={() => end(addedText(what))}
          sendSecond={async (client_id) => {
            await addLog({ ...json, client_id, second: true })
            end(`Se agregó también la segunda: ${what}. Falta rechazar la primera.`)
          }}
        />
      </main>
    )
  }
  return (
    <main class="manual">
      <h1>Agregar una checada</h1>
      <p class="lead">
        Para la que falta: un olvido, un reloj sin corriente. Queda por revisar, con tu nombre y su
        motivo en el historial.
      </p>
      <form
        {...form.props}
        onInput={(event: Event) => {
          form.props.onInput(event)
          if (['day', 'time'].includes((event.target as HTMLInputElement).name)) {
            form.clear('time')
          }
        }}
      >
        <input type="hidden" name="client_id" defaultValue={clientId} />
        <PersonSearch
          key={found ? 'given' : 'search'}
          label="Persona"
          required
          value={chosen?.full_name}
          invalid={form.problems.employee_id ?? notFound}
          onChoose={(one) => {
            setPerson(one ?? null)
            if (!one) return
            form.clear('employee_id')
            // After a reload the form opens with the same person.
            const link = linkTo('agregar', { ...query, employee_id: one.employee_id })
            history.replaceState(null, '', link)
          }}
        />
        <fieldset {...about('kind')}>
          <legend>Tipo</legend>
          {(['entrada', 'salida'] as const).map((kind) => (
            <label key={kind} class="pick">
              <input type="radio" name="kind" value={kind} defaultChecked={query.kind === kind} />
              {KINDS[kind]}
            </label>
          ))}
        </fieldset>
        {problem('kind')}
        <div class="pair">
          <Field id={`${id}-day`} label="Día">
            <input
              id={`${id}-day`}
              name="day"
              type="date"
              ref={day}
              max={today()}
              {...about('time')}
            />
          </Field>
          <Field id={`${id}-time`} label="Hora">
            <input
              id={`${id}-time`}
              name="time"
              type="time"
              autofocus={query.day !== undefined}
              {...about('time')}
            />
          </Field>
        </div>
        {hasZones() && (
          <p class="note">
            {chosen
              ? `En ${zoneName(zone)}, la de ${branch}.`
              : 'En la hora de la sucursal de la persona.'}
          </p>
        )}
        {problem('time')}
        <FormField
          form={form}
          name="comment"
          label="Motivo"
          rows={3}
          hint={`${readersNote(1)}No escribas datos de salud.`}
        />
        <FormEnd form={form} problem={form.problems.all} act="Agregar checada" busyAct="Agregando…">
          <a class="button" href={back} onClick={form.forget}>
            Cancelar
          </a>
        </FormEnd>
      </form>
    </main>
  )
}
