import { useEffect, useState } from 'preact/hooks'
import { dataOf } from '../../sdk/api-client.ts'
import type { AddedLog, RequestBody } from '../../sdk/api-types.ts'
import { newId } from '../session/new-id.ts'
import { useStore } from '../session/store.ts'
import { Choice, TextField } from '../ui/fields.tsx'
import { Heading } from '../ui/heading.tsx'
import { phoneDay, phoneTime } from '../ui/phone-time.ts'
import { Remark, Skeleton } from '../ui/reading.tsx'
import { linkTo, type Route } from '../ui/routes.ts'
import { SecondTime, timeProblems } from '../ui/second-time.tsx'
import { shortMoment } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { Form, useForm } from '../ui/use-form.tsx'
import { type CheckIn, checkIns, removeCheckIn } from './check-ins.ts'
import { api, signedIn } from './session.ts'

type Added = Pick<AddedLog, 'result' | 'day'>

const showDay = ({ result, day }: Added): void => {
  // The address changes first, because `endMessage` ends the messages of the previous page.
  location.hash = linkTo('dias', { dia: day })
  announce(
    result === 'known' ? 'Esa checada ya estaba registrada.' : 'Tu solicitud quedó por revisar.',
  )
}

const sendRequest = (json: RequestBody) => dataOf(api().v2.incidents.my_requests.$post({ json }))

const hasWrongTime = (refused: CheckIn | undefined): boolean =>
  refused?.refusal === 'clock' || refused?.refusal === 'future'

interface FormProps {
  refused: CheckIn | undefined
  /** What a link says: `hora` is of the log that is wrong. */
  about: Route['query']
  /** Called if the hour came twice, and the service took the first. */
  onTwice: (json: RequestBody, added: AddedLog) => void
}

/** A form that requests a missing log, such as a check-in that the service refused. */
const RequestForm = ({ refused, about, onTwice }: FormProps) => {
  const { dia, tipo, hora } = about
  const [client_id] = useState(refused?.client_id ?? newId())
  // A wrong clock of the phone has given the check-in a wrong day or hour.
  const known = hasWrongTime(refused) ? undefined : refused?.recorded_at
  const [pressedAt, setPressedAt] = useState(known)
  const form = useForm({
    initial: {
      kind: (refused?.kind ?? tipo) === 'salida' ? 'salida' : 'entrada',
      day: refused ? '' : (dia ?? phoneDay()),
      time: hora ?? '',
      comment: hora ? `La ${tipo} de las ${hora} está mal: ` : '',
    },
    check: ({ kind, day, time, comment }) => {
      const isSame = day === dia && time === hora && kind === tipo
      return {
        day: !pressedAt && !day && 'Elige el día.',
        time:
          !pressedAt &&
          (time ? isSame && 'Es la hora que está mal: escribe la correcta.' : 'Escribe la hora.'),
        comment: !comment && 'Escribe qué pasó.',
      }
    },
    send: async ({ kind: given, day, time, comment }) => {
      const kind = given === 'salida' ? given : 'entrada'
      const moment = pressedAt ? { recorded_at: pressedAt } : { local_time: `${day}T${time}` }
      const json = { client_id, kind, ...moment, comment } as const
      const added = await sendRequest(json)
      if (refused) await removeCheckIn(refused, 'removed')
      if (added.warnings.length > 0) onTwice(json, added)
      else showDay(added)
    },
    describe: timeProblems,
  })
  useEffect(() => {
    // The button that had the focus is gone.
    if (known && !pressedAt) form.focus('day')
  }, [pressedAt])
  return (
    <Form form={form} act="Enviar solicitud" busyAct="Enviando…">
      <Choice
        {...form.field('kind')}
        label={hora ? 'Qué fue' : 'Qué falta'}
        empty={null}
        options={[
          ['entrada', 'Entrada'],
          ['salida', 'Salida'],
        ]}
      />
      {pressedAt ? (
        <div key="pressed">
          <p>La marcaste el {shortMoment(phoneTime(pressedAt))}, según este teléfono.</p>
          <button type="button" class="quiet" onClick={() => setPressedAt(undefined)}>
            Fue a otra hora
          </button>
        </div>
      ) : (
        <>
          <TextField {...form.field('day')} label="Día" type="date" />
          <TextField
            {...form.field('time')}
            label="Hora"
            hint="Es la hora de tu sucursal."
            type="time"
          />
        </>
      )}
      <TextField {...form.field('comment')} label="Qué pasó" rows={3} />
    </Form>
  )
}

/** A form about a check-in waits until the phone has said what it has stored. */
export const RequestView = ({ route }: { route: Route }) => {
  const { isRead } = useStore(checkIns)
  return isRead || !route.query.checada ? <Request route={route} /> : <Skeleton rows={3} />
}

const Request = ({ route }: { route: Route }) => {
  const { all } = useStore(checkIns)
  const { user_id } = signedIn()
  const [refused] = useState(
    all.find((one) => one.user_id === user_id && one.client_id === route.query.checada),
  )
  const [twice, setTwice] = useState<{ json: RequestBody; added: AddedLog; message: string }>()
  return (
    <main class="one">
      <Heading>Pedir una corrección</Heading>
      <p class="lead">Otra persona la revisa. Ves su decisión en «Mis días».</p>
      {hasWrongTime(refused) && (
        <Remark>Escribe el día y la hora: el reloj de este teléfono no era el correcto.</Remark>
      )}
      {route.query.hora && (
        <Remark>
          Escribe la hora correcta. Se agrega, y quien la revisa rechaza la que está mal.
        </Remark>
      )}
      {twice ? (
        <SecondTime
          key="twice"
          message={twice.message}
          onFirst={() => showDay(twice.added)}
          sendSecond={async (client_id) =>
            showDay(await sendRequest({ ...twice.json, client_id, second: true }))
          }
        />
      ) : (
        <RequestForm
          key="form"
          refused={refused}
          about={route.query}
          onTwice={(json, added) =>
            setTwice({ json, added, message: added.warnings[0]?.message ?? '' })
          }
        />
      )}
    </main>
  )
}
