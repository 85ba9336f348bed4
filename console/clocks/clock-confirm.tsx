import type { Clock } from '../../sdk/api-types.ts'
import { signedIn } from '../session/session.ts'
import { ConfirmButton } from '../ui/dialog-button.tsx'
import { announce } from '../ui/ui-state.ts'
import { authorsText } from './clock-authors.ts'
import { confirmClock } from './clocks.queries.ts'

interface Props {
  clock: Clock
}

/** Who added a clock, and the button of who may confirm it. */
export const ClockAuthors = ({ clock }: Props) => {
  const text = authorsText(clock, signedIn().forbid_self_approval)
  const name = clock.label ?? clock.serial
  if (!text) return null
  return (
    <>
      <p class="note">{text}</p>
      {clock.may_confirm && (
        <ConfirmButton
          class="quiet"
          label="Confirmar"
          about={name}
          title={`Confirmar ${name}`}
          act="Confirmar"
          send={async () => {
            await confirmClock(clock.serial)
            announce(`${name} quedó confirmado.`)
          }}
        >
          Confirma que este reloj está en {clock.branch_office || 'su lugar'} y que sus números son
          de quien se dijo. Tu nombre queda en la evidencia.
        </ConfirmButton>
      )}
    </>
  )
}
