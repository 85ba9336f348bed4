import { useState } from 'preact/hooks'
import { dataOf } from '../../sdk/api-client.ts'
import { useStore } from '../session/store.ts'
import { Field } from '../ui/fields.tsx'
import { FormEnd, FormField, useForm } from '../ui/form.tsx'
import { Heading } from '../ui/heading.tsx'
import { Remark } from '../ui/reading.tsx'
import { linkTo, type Route } from '../ui/routes.ts'
import { addDays, clockTime, dayOf, toInstant, zoneName } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { type CheckIn, checkIns, removeCheckIn } from './check-ins.ts'
import { phoneDay, phoneZone } from './own.ts'
import { api, signedIn } from './session.ts'

const REQUIRED = { day: 'Elige el día.', time: 'Escribe la hora.', comment: 'Escribe qué pasó.' }

/**
 * The day of a log at its branch. It may differ from the day on the phone, if their zones differ.
 * Without a network, it is the phone's day.
 */
const dayAtBranch = async (log_id: number | null, day: string): Promise<string> => {
  const query = { from: addDays(day, -1), to: addDays(day, 1) }
  const read = dataOf(api().v2.incidents.my_logs.$get({ query }))
  const { logs } = await read.catch(() => ({ logs: [] }))
  return dayOf(logs.find((log) => log.log_id === log_id)?.local_at ?? day)
}

/** A form that requests a missing log, such as a check-in that the service refused. */
const RequestForm = ({ refused }: { refused: CheckIn | undefined }) => {
  const zone = phoneZone()
  // A wrong clock of the phone has given the check-in a wrong day or hour.
  const isWrong = refused?.refusal === 'clock'
  const [client_id] = useState(refused?.client_id ?? crypto.randomUUID())
  const form = useForm({
    check: (given) =>
      Object.fromEntries(Object.entries(REQUIRED).filter(([name]) => given(name) === '')),
    send: async (given) => {
      const recorded_at = toInstant(given('day'), `${given('time')}:00`, zone)
      const kind = given('kind') === 'salida' ? 'salida' : 'entrada'
      const json = { client_id, kind, recorded_at, comment: given('comment') } as const
      const { log_id, result } = await dataOf(api().v2.incidents.my_requests.$post({ json }))
      if (refused) await removeCheckIn(refused)
      const day = await dayAtBranch(log_id, given('day'))
      // The address changes first, because `endMessage` ends the messages of the previous page.
      location.hash = linkTo('dias', { dia: day })
      announce(
        result === 'known'
          ? 'Esa checada ya estaba registrada.'
          : 'Tu solicitud quedó por revisar.',
      )
    },
  })
  const problem = form.problems.all ?? form.problems.recorded_at
  return (
    <form {...form.props}>
      <Field id={`${form.id}-kind`} label="Qué falta">
        <select id={`${form.id}-kind`} name="kind">
          <option value="entrada">Entrada</option>
          <option value="salida" selected={refused?.kind === 'salida'}>
            Salida
          </option>
        </select>
      </Field>
      <FormField
        form={form}
        name="day"
        label="Día"
        type="date"
        value={isWrong ? '' : refused ? dayOf(refused.recorded_at, zone) : phoneDay()}
      />
      <FormField
        form={form}
        name="time"
        label="Hora"
        hint={`Es ${zoneName(zone)}, la de este teléfono.`}
        type="time"
        value={refused && !isWrong ? clockTime(refused.recorded_at, zone) : ''}
      />
      <FormField form={form} name="comment" label="Qué pasó" rows={3} />
      <FormEnd form={form} problem={problem} act="Enviar solicitud" busyAct="Enviando…" />
    </form>
  )
}

export const RequestView = ({ route }: { route: Route }) => {
  const { all } = useStore(checkIns)
  const { user_id } = signedIn()
  const [refused] = useState(
    all.find((one) => one.user_id === user_id && one.client_id === route.query.checada),
  )
  return (
    <main class="one">
      <Heading>Pedir una corrección</Heading>
      <p class="lead">Otra persona la revisa. Ves su decisión en «Mis días».</p>
      {refused?.refusal === 'clock' && (
        <Remark>Escribe el día y la hora: el reloj de este teléfono no era el correcto.</Remark>
      )}
      <RequestForm key="form" refused={refused} />
    </main>
  )
}
