import { useId, useRef, useState } from 'hono/jsx/dom'
import { dataOf } from '../../sdk/api-client.ts'
import type { FoundEmployee, LogKind } from '../../sdk/api-types.ts'
import { api } from '../api/api.ts'
import { connection } from '../api/connection.ts'
import { findEmployee } from '../api/employees.ts'
import { linkTo, type Route } from '../routes.ts'
import { readByPeople } from '../state/decisions.ts'
import { queue, reloadQueue } from '../state/queue.ts'
import { useStore } from '../state/store.ts'
import { announce } from '../state/ui.ts'
import { useRead } from '../state/use-read.ts'
import { KINDS, OFFLINE } from '../text.ts'
import { addDays, dayOfMonth, hasZones, today, toInstant, zoneName, zoneOf } from '../time.ts'
import { fieldProblems, type Problems, problemsOf } from '../ui/field-problems.tsx'
import { PersonSearch } from '../ui/person-search.tsx'

const fieldValue = (form: HTMLFormElement, name: string): string =>
  String(new FormData(form).get(name) ?? '')

/**
 * How many days a missing log is from the day of its pair: an exit before its entrada is of the next
 * one, and an entrada after its salida of the one before.
 */
const shiftOf = (detail: string, kind: string, time: string): number => {
  const [, entrada = '', salida = ':'] = /(\d\d:\d\d)–\?|\?–(\d\d:\d\d)/.exec(detail) ?? []
  if (!time) return 0
  if (kind === 'salida') return time < entrada ? 1 : 0
  return time > salida ? -1 : 0
}

/** A missing log, added with its reason. A repeated request with the same id adds nothing twice. */
export const ManualLogView = ({ route: { query } }: { route: Route }) => {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const clientId = useRef(crypto.randomUUID())
  const [person, setPerson] = useState<FoundEmployee | null | undefined>(undefined)
  const { data: given, problem: notFound } = useRead(async () =>
    query.employee_id ? findEmployee(query.employee_id) : undefined,
  )
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState(false)
  const [shift, setShift] = useState(0)
  const { online } = useStore(connection)

  const chosen = person === undefined ? given : (person ?? undefined)
  const zone = zoneOf(chosen?.branch_office)
  const back = query.back ? `#/${query.back}` : linkTo('checadas')
  const submit = async (event: globalThis.Event) => {
    event.preventDefault()
    if (!form.current || busy) return
    const [kind, day, time, comment] = ['kind', 'day', 'time', 'comment'].map((name) =>
      fieldValue(form.current as HTMLFormElement, name).trim(),
    )
    const found = {
      ...(!chosen && { employee_id: 'Elige a la persona de la lista.' }),
      ...(!kind && { kind: 'Elige si fue entrada o salida.' }),
      ...((!day || !time) && { recorded_at: 'Pon el día y la hora.' }),
      ...(!comment && { comment: 'Escribe por qué falta: queda en el historial.' }),
    }
    setProblems(found)
    if (Object.keys(found).length > 0 || !chosen || !day || !time || !comment) return
    setBusy(true)
    try {
      const json = {
        client_id: clientId.current,
        employee_id: chosen.employee_id,
        kind: kind as LogKind,
        recorded_at: toInstant(day, time, zone),
        comment,
      }
      const { result } = await dataOf(api.v2.incidents.manual_logs.$post({ json }))
      const when = `${kind} del ${dayOfMonth(day)} a las ${time}`
      announce(
        result === 'created'
          ? `Se agregó: ${chosen.full_name}, ${when}. Queda por revisar.`
          : `Ya estaba: ${chosen.full_name}, ${when}. No se agregó otra.`,
      )
      if (queue.get().rows.length > 0) void reloadQueue()
      location.hash = back
    } catch (error) {
      setProblems(problemsOf(error))
    }
    setBusy(false)
  }

  const { problem, about } = fieldProblems(id, problems)
  return (
    <main class="manual">
      <h1>Agregar una checada</h1>
      <p class="lead">
        Para la que falta: un olvido, un reloj sin corriente. Queda por revisar, con tu nombre y su
        motivo en el historial.
      </p>
      <form
        ref={form}
        onSubmit={submit}
        onInput={({ currentTarget }: Event) => {
          const field = (name: string) => fieldValue(currentTarget as HTMLFormElement, name)
          setShift(shiftOf(query.detail ?? '', field('kind'), field('time')))
        }}
        novalidate
      >
        <PersonSearch
          key={given ? 'given' : 'search'}
          label="Persona"
          required
          value={chosen?.full_name}
          invalid={problems.employee_id ?? notFound}
          onChoose={(one) => setPerson(one ?? null)}
        />
        <fieldset {...about('kind')}>
          <legend>Tipo</legend>
          {(['entrada', 'salida'] as const).map((kind) => (
            <label key={kind} class="pick">
              <input type="radio" name="kind" value={kind} checked={query.kind === kind} />
              {KINDS[kind]}
            </label>
          ))}
        </fieldset>
        {problem('kind')}
        {!person && query.day && query.detail && (
          <p key="detail">
            Checadas del {dayOfMonth(query.day)}: {query.detail}
          </p>
        )}
        <div class="pair">
          <div class="field">
            <label for={`${id}-day`}>Día</label>
            <input
              id={`${id}-day`}
              name="day"
              type="date"
              max={today()}
              value={query.day ? addDays(query.day, shift) : ''}
              {...about('recorded_at')}
            />
          </div>
          <div class="field">
            <label for={`${id}-time`}>Hora</label>
            <input
              id={`${id}-time`}
              name="time"
              type="time"
              autofocus={query.day !== undefined}
              {...about('recorded_at')}
            />
          </div>
        </div>
        <p class="note" role="status">
          {shift !== 0 && `Se puso el día ${shift > 0 ? 'siguiente' : 'anterior'}.`}
        </p>
        {hasZones() && (
          <p class="note" key="zone">
            {chosen
              ? `En ${zoneName(zone)}, la de ${chosen.branch_office}.`
              : 'En la hora de la sucursal de la persona.'}
          </p>
        )}
        {problem('recorded_at')}
        <div class="field">
          <label for={`${id}-comment`}>Motivo</label>
          <textarea
            id={`${id}-comment`}
            name="comment"
            rows={3}
            maxlength={500}
            {...about('comment')}
          />
          <p class="note">{readByPeople(1)}No escribas datos de salud.</p>
        </div>
        {problem('comment')}
        <p class="problem" role="alert">
          {problems.all ?? (online ? '' : OFFLINE)}
        </p>
        <footer>
          <a class="button" href={back}>
            Cancelar
          </a>
          <button type="submit" class="primary" disabled={!online || busy}>
            {busy ? 'Agregando…' : 'Agregar checada'}
          </button>
        </footer>
      </form>
    </main>
  )
}
