import type { ComponentChildren } from 'preact'
import type { Clock, WaitingPunches } from '../../sdk/api-types.ts'
import { can } from '../session/session.ts'
import { CommentButton, DialogButton } from '../ui/dialog-button.tsx'
import { Rows } from '../ui/list.tsx'
import { groupBy } from '../ui/order.ts'
import { linkTo } from '../ui/routes.ts'
import { countedLogs } from '../ui/text.ts'
import { shortMoment } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { dismissAll, dismissNumber } from './clocks.queries.ts'
import { NameDialog } from './name-dialog.tsx'

const QUESTIONS: Record<WaitingPunches['reason'], string> = {
  number: '¿De quién son?',
  branch: 'Ese número es de alguien de otra sucursal: ¿de quién son aquí?',
  own: 'Son de quien subió el archivo: las toma otra persona.',
  too_old: 'Tenían más de 45 días al llegar.',
  future: 'Su hora estaba en el futuro al llegar: ajusta el reloj. Se pueden tomar cuando llegue.',
  time: 'El reloj perdió la fecha, o esa hora no existe.',
}

const OVER_BOUND = 'En un día tenía ya 50 en este reloj. ¿Son de verdad?'

const momentsText = (group: WaitingPunches): string => {
  const { reason, over_bound, first_local_at, last_local_at } = group
  const moments =
    first_local_at === last_local_at
      ? shortMoment(first_local_at)
      : `${shortMoment(first_local_at)} a ${shortMoment(last_local_at)}`
  return reason === 'time' && !over_bound ? `Llegaron el ${moments}` : moments
}

const dismissedText = (count: number): string =>
  count === 1 ? 'Se descartó 1 checada.' : `Se descartaron ${countedLogs(count)}.`

interface DismissProps {
  label: string
  about?: string
  title?: string
  /** Dismisses the punches, and returns how many they were. */
  dismiss: (comment: string) => Promise<number>
  /** What the act means. */
  children: ComponentChildren
}

const DismissButton = ({ dismiss, children, ...button }: DismissProps) => (
  <CommentButton
    {...button}
    class="quiet"
    act="Descartar"
    isDangerous
    send={async (comment) => announce(dismissedText(await dismiss(comment)))}
  >
    <p>{children}</p>
  </CommentButton>
)

interface Props {
  punches: WaitingPunches
  clock: Clock | undefined
}

/** Punches of one number of a clock that have become no log yet, with what can be done. */
const WaitingNumber = ({ punches, clock }: Props) => {
  const { serial, number, reason, over_bound, count, last_at } = punches
  const about = `las del número ${number}`
  const isTakeable = (reason !== 'time' || over_bound) && Date.parse(last_at) <= Date.now()
  return (
    <li>
      <p>
        <strong>
          {countedLogs(count)} del número {number}
        </strong>
        : {over_bound ? OVER_BOUND : QUESTIONS[reason]}{' '}
        <span class="note">
          {clock?.label ?? serial}. {momentsText(punches)}.
        </span>
      </p>
      {!can('keep_people') && <p class="note">Lo dice quien lleva a las personas.</p>}
      {can('keep_people') && (
        <div class="acts">
          {isTakeable && (
            <DialogButton
              class="primary"
              label="Decir de quién son"
              about={about}
              dialog={(close) => (
                <NameDialog
                  serial={serial}
                  number={number}
                  note={`${countedLogs(count)}: ${momentsText(punches)}.`}
                  punches={punches}
                  onClose={close}
                />
              )}
            />
          )}
          {!isTakeable && (
            <a class="button" href={linkTo('agregar')}>
              Agregar a mano<span class="sr"> {about}</span>
            </a>
          )}
          <DismissButton
            label="Descartar"
            about={about}
            title={`Descartar ${countedLogs(count)}`}
            dismiss={(comment) => dismissNumber(punches, comment)}
          >
            No se registran ni se pagan. Las que el reloj envíe después con el número {number}{' '}
            vuelven a esperar.
          </DismissButton>
        </div>
      )}
    </li>
  )
}

interface ListProps {
  waiting: WaitingPunches[]
  clocks: Clock[]
}

/** From this many groups on, a clock's punches can be dismissed together. */
const MANY = 20

/** The punches that wait, by clock and number. */
export const WaitingNumbers = ({ waiting, clocks }: ListProps) => {
  const clockOf = (serial: string) => clocks.find((clock) => clock.serial === serial)
  const groups = groupBy(waiting, ({ serial }) => serial)
  const crowded = [...groups].filter(([, ofClock]) => ofClock.length >= MANY)
  return (
    <section class="stack">
      <h2>Checadas que esperan</h2>
      <Rows>
        {waiting.map((punches) => (
          <WaitingNumber
            key={`${punches.serial} ${punches.number} ${punches.reason} ${punches.over_bound}`}
            punches={punches}
            clock={clockOf(punches.serial)}
          />
        ))}
      </Rows>
      {can('keep_people') &&
        crowded.map(([serial]) => (
          <div class="acts" key={serial}>
            <DismissButton
              label={`Descartar todo lo que espera en ${clockOf(serial)?.label ?? serial}`}
              dismiss={(comment) => dismissAll(serial, comment)}
            >
              De todos los números, también los que aquí no caben. No se registran ni se pagan.
            </DismissButton>
          </div>
        ))}
    </section>
  )
}
