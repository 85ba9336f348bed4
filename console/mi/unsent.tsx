import { phoneTime } from '../ui/phone-time.ts'
import { linkTo } from '../ui/routes.ts'
import { Badge, type Look } from '../ui/status.tsx'
import { KINDS } from '../ui/text.ts'
import { HOUR_MS, shortMoment } from '../ui/time.ts'
import { type CheckIn, removeCheckIn, storeCheckIn } from './check-ins.ts'
import { sendCheckIns } from './sending.ts'

const REFUSALS: Record<string, string> = {
  clock: 'El reloj de este teléfono no da la hora correcta, y por eso no se registró.',
  future: 'Su hora está en el futuro: revisa el reloj de este teléfono.',
  too_old: 'Pasaron más de tres días, y ya no se registra así.',
  ended: 'Es de un día posterior a tu último día de trabajo.',
}

const WAITING: Look = ['pending', 'clock', 'por enviar']
const REFUSED: Look = ['rejected', 'cross', 'no se registró']

const sendAgain = async (checkIn: CheckIn): Promise<void> => {
  await storeCheckIn({ ...checkIn, refusal: undefined, message: undefined })
  await sendCheckIns()
}

const remove = (checkIn: CheckIn): void => {
  if (confirm('Se borra de este teléfono sin quedar registrada. ¿Quitarla?')) {
    void removeCheckIn(checkIn, 'removed')
  }
}

const Refused = ({ checkIn, mayRequest }: { checkIn: CheckIn; mayRequest: boolean }) => {
  const { refusal = '', message, client_id } = checkIn
  const known = REFUSALS[refusal]
  return (
    <div class="refused stack">
      <p class="problem">{known ?? message ?? 'El servicio no la registró.'}</p>
      {!mayRequest && <p class="note">Avisa a quien revisa las checadas.</p>}
      <p class="acts">
        {mayRequest && <a href={linkTo('pedir', { checada: client_id })}>Pedir que se agregue</a>}
        {!known && (
          <button type="button" onClick={() => sendAgain(checkIn)}>
            Enviar otra vez
          </button>
        )}
        <button type="button" class="quiet" onClick={() => remove(checkIn)}>
          Quitar
        </button>
      </p>
    </div>
  )
}

/** The service takes check-ins of the last 72 hours. The person is warned a day before. */
const isAlmostTooOld = ({ recorded_at, refusal }: CheckIn): boolean =>
  !refusal && Date.now() - Date.parse(recorded_at) > 48 * HOUR_MS

interface Props {
  own: CheckIn[]
  /** Why the check-ins are not sent yet. */
  note: string | undefined
  mayRequest: boolean
}

/** The person's check-ins on this phone that the service has not recorded. */
export const UnsentList = ({ own, note, mayRequest }: Props) => (
  <section hidden={own.length === 0}>
    <h2>Sin registrar todavía</h2>
    {note && <p class="note">{note}</p>}
    <p class="note">Con la hora de este teléfono.</p>
    {own.some(isAlmostTooOld) && (
      <p class="problem">Conéctate hoy: después de tres días ya no se registran.</p>
    )}
    <ul class="rows">
      {own.map((checkIn) => (
        <li key={checkIn.client_id}>
          <strong>{KINDS[checkIn.kind]}</strong>
          <span>{shortMoment(phoneTime(checkIn.recorded_at))}</span>
          <Badge look={checkIn.refusal ? REFUSED : WAITING} />
          {checkIn.refusal && <Refused checkIn={checkIn} mayRequest={mayRequest} />}
        </li>
      ))}
    </ul>
  </section>
)
