import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { FoundEmployee, LogKind, ManualLogBody } from '../../sdk/api-types.ts'
import { readersNote } from '../review/decision-texts.ts'
import { messageOf } from '../session/client.ts'
import { newId } from '../session/new-id.ts'
import { RadioField, TextField } from '../ui/fields.tsx'
import { Page } from '../ui/page.tsx'
import { foundPeople } from '../ui/person.queries.ts'
import { PersonSearch } from '../ui/person-search.tsx'
import { write } from '../ui/queries.ts'
import { linkTo, type Route } from '../ui/routes.ts'
import { SecondTime, timeProblems } from '../ui/second-time.tsx'
import { KINDS } from '../ui/text.ts'
import { dayAndMonth, hasZones, today, zoneName, zoneOf } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { Form, useForm } from '../ui/use-form.tsx'
import { ADDED, sendLog } from './hours.queries.ts'

const addLog = write(ADDED, sendLog)

const addedText = (what: string) => `Se agregó: ${what}. Queda por revisar.`

/** The form that adds a missing log. Because of `client_id`, a repeated request adds nothing. */
export const ManualLogView = ({ route: { query } }: { route: Route }) => {
  const { employee_id = '' } = query
  const [person, setPerson] = useState<FoundEmployee | null>()
  const { data, error: notFound } = useQuery(foundPeople(employee_id))
  const found = data?.find((one) => one.employee_id === employee_id)
  /** The log that was added at the first of two equal hours, with the service's warning. */
  const [twice, setTwice] = useState<{ json: ManualLogBody; what: string; message: string }>()

  const chosen = person === undefined ? found : (person ?? undefined)
  /** The person of the address is known by the number before the name is found. */
  const isNamed = person === undefined && employee_id !== '' && !data && !notFound
  // The times of a day are those of the branch where the person was on that day.
  const branchOfDay = (!person && query.branch_office) || undefined
  const branch = branchOfDay ?? chosen?.branch_office
  const back = query.back ? `#/${query.back}` : linkTo('checadas')
  const end = (text: string) => {
    location.hash = back
    announce(text)
  }
  const form = useForm({
    // Without a day, the draft's name has no person, since the person is chosen in the form.
    draft: query.day ? `${query.employee_id} ${query.day} ${query.kind}` : 'agregar',
    initial: {
      client_id: newId(),
      employee_id: '',
      kind: query.kind ?? '',
      day: query.day ?? '',
      time: '',
      comment: '',
    },
    check: ({ kind, day, time, comment }) => ({
      employee_id: !chosen && !isNamed && 'Elige a la persona de la lista.',
      kind: !kind && 'Elige si fue entrada o salida.',
      time: !(day && time) && 'Pon el día y la hora.',
      comment: !comment && 'Escribe por qué falta: queda en el historial.',
    }),
    send: async ({ client_id, kind, day, time, comment }) => {
      const json = {
        client_id,
        employee_id: chosen?.employee_id ?? employee_id,
        kind: kind as LogKind,
        local_time: `${day}T${time}`,
        ...(branchOfDay && { branch_office: branchOfDay }),
        comment,
      }
      const { result, warnings } = await addLog(json)
      const what = `${chosen?.full_name ?? employee_id}, ${kind} del ${dayAndMonth(day)} a las ${time}`
      const [warning] = warnings
      if (warning) setTwice({ json, what, message: warning.message })
      else if (result === 'created') end(addedText(what))
      else end(`Ya estaba: ${what}. No se agregó otra.`)
    },
    describe: timeProblems,
  })
  if (twice) {
    const { json, what, message } = twice
    return (
      <Page title="Agregar una checada">
        <SecondTime
          message={message}
          onFirst={() => end(addedText(what))}
          sendSecond={async (client_id) => {
            await addLog({ ...json, client_id, second: true })
            end(`Se agregó también la segunda: ${what}. Falta rechazar la primera.`)
          }}
        />
      </Page>
    )
  }
  return (
    <Page
      title="Agregar una checada"
      lead="Para la que falta: un olvido, un reloj sin corriente. Queda por revisar, con tu nombre y su motivo en el historial."
    >
      <Form
        form={form}
        act="Agregar checada"
        busyAct="Agregando…"
        beside={
          <a class="button" href={back} onClick={form.forget}>
            Cancelar
          </a>
        }
      >
        <PersonSearch
          key={found ? 'given' : 'search'}
          label="Persona"
          required
          name="employee_id"
          value={chosen?.full_name}
          invalid={
            form.field('employee_id').problem ?? (notFound ? messageOf(notFound) : undefined)
          }
          onChoose={(one) => {
            setPerson(one ?? null)
            if (!one) return
            form.set({ employee_id: one.employee_id })
            // After a reload the form opens with the same person.
            const link = linkTo('agregar', { ...query, employee_id: one.employee_id })
            history.replaceState(null, '', link)
          }}
        />
        <RadioField
          {...form.field('kind')}
          legend="Tipo"
          options={[
            ['entrada', KINDS.entrada],
            ['salida', KINDS.salida],
          ]}
        />
        <div class="pair">
          <TextField
            {...form.field('day')}
            label="Día"
            type="date"
            max={today()}
            // The error about the hour may be about the day.
            onChange={(day) => form.set({ day, time: form.values.time })}
          />
          <TextField
            {...form.field('time')}
            label="Hora"
            type="time"
            autofocus={query.day !== undefined}
          />
        </div>
        {hasZones() && (
          <p class="note">
            {chosen
              ? `En ${zoneName(zoneOf(branch))}, la de ${branch}.`
              : 'En la hora de la sucursal de la persona.'}
          </p>
        )}
        <TextField
          {...form.field('comment')}
          label="Motivo"
          rows={3}
          hint={`${readersNote(1)}No escribas datos de salud.`}
        />
      </Form>
    </Page>
  )
}
