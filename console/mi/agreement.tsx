import { dataOf } from '../../sdk/api-client.ts'
import type { CurrentAgreement } from '../../sdk/api-types.ts'
import { TextField } from '../ui/fields.tsx'
import { Heading } from '../ui/heading.tsx'
import { Icon } from '../ui/icon.tsx'
import { phoneTime } from '../ui/phone-time.ts'
import { sha256 } from '../ui/sha256.ts'
import { longDay, shortMoment } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { Form, useForm } from '../ui/use-form.tsx'
import { useRead } from '../ui/use-read.ts'
import { Waiting } from '../ui/waiting.tsx'
import { readAgreement } from './own.ts'
import { api } from './session.ts'

/** The person signs the hash of the text on the screen. The service refuses any other hash. */
const acceptAgreement = async (agreement: CurrentAgreement, password: string) => {
  const { title, valid_from, text } = agreement
  const json = { sha256: await sha256(`${title}\n${valid_from}\n${text}`), password }
  const param = { id: agreement.id }
  return dataOf(api().v2.agreements[':id'].accept.$post({ param, json }))
}

interface FormProps {
  agreement: CurrentAgreement
  onDone: () => void
}

const AcceptForm = ({ agreement, onDone }: FormProps) => {
  const form = useForm({
    initial: { password: '' },
    check: ({ password }) => ({ password: !password && 'Escribe tu contraseña.' }),
    send: async ({ password }) => {
      await acceptAgreement(agreement, password)
      announce('Quedó registrado que lo aceptaste.')
      onDone()
    },
  })
  return (
    <Form form={form} act="Lo leí y lo acepto">
      <TextField
        {...form.field('password')}
        label="Tu contraseña"
        hint="Con ella queda registrado que lo leíste y lo aceptaste desde tu cuenta."
        type="password"
        autocomplete="current-password"
      />
    </Form>
  )
}

const Agreement = ({ agreement, onDone }: FormProps) => (
  <article class="result">
    <Heading>{agreement.title}</Heading>
    <p class="note">Vale desde el {longDay(agreement.valid_from)}.</p>
    <p class="terms">{agreement.text}</p>
    {agreement.accepted_at ? (
      <p key="accepted" class="done">
        <span>
          <Icon name="check" /> Lo aceptaste el {shortMoment(phoneTime(agreement.accepted_at))}.
        </span>
      </p>
    ) : (
      <AcceptForm key="form" agreement={agreement} onDone={onDone} />
    )}
  </article>
)

export const AgreementView = () => {
  const read = useRead(readAgreement)
  const { data, again } = read
  return (
    <main class="one">
      <Waiting key="wait" isPage read={read} failure="No se pudo leer" rows={3} />
      {data === null && (
        <div class="empty">
          <h1>No hay un acuerdo por leer</h1>
          <p>Cuando tu empresa publique uno, lo lees y lo aceptas aquí.</p>
        </div>
      )}
      {data && <Agreement key={data.id} agreement={data} onDone={again} />}
    </main>
  )
}
