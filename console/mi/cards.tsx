import { dataOf } from '../../sdk/api-client.ts'
import type { OwnClosing, OwnClosingLines, SignatureBody } from '../../sdk/api-types.ts'
import { DownloadButton } from '../ui/buttons.tsx'
import { Definitions } from '../ui/definitions.tsx'
import { RadioField, TextField } from '../ui/fields.tsx'
import { Heading } from '../ui/heading.tsx'
import { compare } from '../ui/order.ts'
import { phoneTime } from '../ui/phone-time.ts'
import { Remark } from '../ui/reading.tsx'
import { linkTo, type Route } from '../ui/routes.ts'
import { sha256 } from '../ui/sha256.ts'
import { Badge, type Look } from '../ui/status.tsx'
import { addDays, dayAndMonth, exactDuration, shortDay, shortMoment } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { Form, useForm } from '../ui/use-form.tsx'
import { useRead } from '../ui/use-read.ts'
import { Waiting } from '../ui/waiting.tsx'
import { readOwnClosings } from './own.ts'
import { api } from './session.ts'

const readOwnClosing = (id: number) =>
  dataOf(api().v2.incidents.my_closings[':id'].$get({ param: { id } }))

/** Requests the file that proves the person's logs and closings. */
const requestEvidence = async () => {
  const { employee } = await dataOf(api().auth.me.$get())
  const employee_id = employee?.employee_id ?? ''
  return api().v2.audit.evidence.$get({ query: { employee_id } })
}

/** The person signs the hash of the lines on the screen. The service refuses any other hash. */
const signClosing = async (
  { id, lines }: OwnClosingLines,
  signature: Omit<SignatureBody, 'hash'>,
) => {
  const byDay = [...lines].sort((a, b) => compare(a.day, b.day))
  const texts = byDay.map((line) => `${JSON.stringify(line, Object.keys(line).sort())}\n`)
  const json = { ...signature, hash: await sha256(texts.join('')) }
  return dataOf(api().v2.incidents.my_closings[':id'].sign.$post({ param: { id }, json }))
}

/** The name includes the closing's number, since several closings may end on the same day. */
const nameOf = ({ id, before }: OwnClosing): string =>
  `Cierre ${id}, hasta el ${dayAndMonth(addDays(before, -1))}`

const lookOf = ({ cancelled, signed }: OwnClosing): Look => {
  if (cancelled) return ['absent', 'cross', 'Anulada']
  if (signed) return ['approved', 'check', signed.agrees ? 'Conforme' : 'No conforme']
  return ['pending', 'dot', 'Por firmar']
}

const List = () => {
  const read = useRead(readOwnClosings)
  return (
    <main class="one">
      <Heading>Mis tarjetas</Heading>
      <Waiting key="wait" read={read} failure="No se pudo leer" rows={4} />
      {read.data?.length === 0 && <p>Todavía no se ha cerrado ningún periodo tuyo.</p>}
      <ul class="rows">
        {read.data?.map((closing) => (
          <li key={closing.id}>
            <a class="target" href={linkTo(`tarjetas/${closing.id}`)}>
              {nameOf(closing)}
            </a>
            <span>{exactDuration(closing.total_seconds)} h</span>
            <Badge look={lookOf(closing)} />
          </li>
        ))}
      </ul>
      <section>
        <h2>Mi evidencia</h2>
        <p>
          Un archivo con tus checadas del último año, quién las decidió y lo que se te pagó,
          sellado: <a href="/verificar">aquí se verifica</a>, también sin este servicio.
        </p>
        <p>
          <DownloadButton label="Descargar mi evidencia" request={requestEvidence} />
        </p>
      </section>
    </main>
  )
}

const Lines = ({ lines }: Pick<OwnClosingLines, 'lines'>) => (
  <table class="lines">
    <thead>
      <tr>
        <th scope="col">Día</th>
        <th scope="col">Entradas y salidas</th>
        <th scope="col">Horas</th>
        <th scope="col">Paga</th>
      </tr>
    </thead>
    <tbody>
      {lines.map((line) => (
        <tr key={line.day}>
          <th scope="row">
            {shortDay(line.day, '')}
            {line.of_period === 0 && <small>día anterior</small>}
          </th>
          <td>{line.detail}</td>
          <td>{line.worked_seconds === null ? '' : exactDuration(line.worked_seconds)}</td>
          <td>{exactDuration(line.difference_seconds)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const SignForm = ({ closing, onDone }: { closing: OwnClosingLines; onDone: () => void }) => {
  const form = useForm({
    initial: { agrees: '', comment: '', password: '' },
    check: ({ agrees, comment, password }) => ({
      agrees: !agrees && 'Elige una respuesta.',
      comment: agrees === 'no' && !comment && 'Escribe qué no está bien.',
      password: !password && 'Escribe tu contraseña.',
    }),
    send: async ({ agrees: answer, comment, password }) => {
      const agrees = answer === 'yes'
      await signClosing(closing, { agrees, password, comment: agrees ? null : comment })
      announce(agrees ? 'Tu conformidad quedó registrada.' : 'Tu objeción quedó registrada.')
      onDone()
    },
  })
  return (
    <Form form={form} act="Enviar" busyAct="Enviando…">
      <RadioField
        {...form.field('agrees')}
        legend="¿Estás conforme con estos días y horas?"
        options={[
          ['yes', 'Sí, estoy conforme'],
          ['no', 'No estoy conforme'],
        ]}
      />
      {form.values.agrees === 'no' && (
        <TextField
          {...form.field('comment')}
          label="Qué no está bien"
          rows={3}
          hint="Lo revisa otra persona y ves su respuesta aquí."
        />
      )}
      <TextField
        {...form.field('password')}
        label="Tu contraseña"
        hint="Con ella queda registrado que respondiste desde tu cuenta."
        type="password"
        autocomplete="current-password"
      />
    </Form>
  )
}

const Signed = ({ signed, answer }: OwnClosing) =>
  signed && (
    <div class="done">
      <p>
        {signed.agrees ? 'Conforme' : 'No conforme'}, desde tu cuenta, el{' '}
        {shortMoment(phoneTime(signed.at))}.
      </p>
      {signed.comment && <p>«{signed.comment}»</p>}
      {answer && (
        <p>
          Respuesta del {shortMoment(phoneTime(answer.at))}: «{answer.comment}»
        </p>
      )}
    </div>
  )

const Card = ({ closing, onDone }: { closing: OwnClosingLines; onDone: () => void }) => {
  const { signed, cancelled, lines } = closing
  const form = <SignForm key={signed?.at ?? ''} closing={closing} onDone={onDone} />
  return (
    <article class="result">
      <Definitions
        class="figures"
        items={[
          ['Horas del periodo', exactDuration(closing.period_seconds)],
          ['De días anteriores', exactDuration(closing.added_seconds)],
          ['A descontar', exactDuration(closing.deducted_seconds)],
          ['Total', <strong>{exactDuration(closing.total_seconds)}</strong>],
        ]}
      />
      <Lines lines={lines} />
      <Signed {...closing} />
      {cancelled && <Remark>Este cierre se anuló: no se firma.</Remark>}
      {!cancelled && !signed && form}
      {!cancelled && signed && (
        <details class="stack">
          <summary>Cambiar mi respuesta</summary>
          {form}
        </details>
      )}
    </article>
  )
}

const OneCard = ({ id }: { id: number }) => {
  const read = useRead(() => readOwnClosing(id), [id])
  const { data, again } = read
  return (
    <main class="one">
      <p>
        <a class="target" href={linkTo('tarjetas')}>
          Mis tarjetas
        </a>
      </p>
      <Heading about={data?.id}>{data ? nameOf(data) : 'Tarjeta'}</Heading>
      <Waiting key="wait" read={read} failure="No se pudo leer" rows={5} />
      {data && <Card closing={data} onDone={again} />}
    </main>
  )
}

/** Shows what closings pay the person. The person can sign each closing that is not cancelled. */
export const CardsView = ({ route: { path } }: { route: Route }) =>
  path[1] ? <OneCard key={path[1]} id={Number(path[1])} /> : <List key="list" />
