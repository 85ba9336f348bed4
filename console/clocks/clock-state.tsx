import type { Clock } from '../../sdk/api-types.ts'
import { can, seesAllBranches } from '../session/session.ts'
import { DialogButton } from '../ui/dialog-button.tsx'
import { duration } from '../ui/time.ts'
import { ClockCorrections } from './clock-correction.tsx'
import { ClockDialog } from './clock-dialog.tsx'
import { ClockFile } from './clock-file.tsx'
import { RejectButton } from './clock-misuse.tsx'
import { ClockNumbers } from './clock-numbers.tsx'
import { saveClock } from './clocks.queries.ts'
import { RetireButton } from './source-acts.tsx'

const HOUR_S = 3600

/** A smaller error is not shown. */
const OFF_MIN_S = 60

/** An error of whole hours, give or take as much, is that of another time zone. */
const ZONE_S = 5 * 60

export const offText = (seconds: number): string => {
  if (Math.abs(seconds) < OFF_MIN_S) return ''
  const hours = Math.round(Math.abs(seconds) / HOUR_S)
  const isOtherZone = hours > 0 && Math.abs(Math.abs(seconds) - hours * HOUR_S) <= ZONE_S
  const text = `Va ${duration(Math.abs(seconds))} ${seconds > 0 ? 'adelantado' : 'atrasado'}`
  return isOtherZone
    ? `${text}, como si fuera la hora de otra zona: revisa la de su sucursal y la del reloj.`
    : `${text}: ponlo en hora.`
}

/** What is known of a clock that connects by itself. */
export const ClockState = ({ clock }: { clock: Clock }) => {
  const { serial, branch_office, address, seconds_off, time_zone } = clock
  return (
    <p class="note">
      Serie {serial}, {branch_office || 'sin sucursal'}. {address && `Llama desde ${address}. `}
      {time_zone && `Sus horas son de ${time_zone.split('/').at(-1)?.replaceAll('_', ' ')}. `}
      {seconds_off !== null && offText(seconds_off)}
    </p>
  )
}

interface Props {
  clock: Clock
}

/** The buttons that change a clock, upload its file, retire it, or end its retirement. */
export const ClockActs = ({ clock }: Props) => {
  const { serial, label, branch_office, uses_keys, from_day, retired, version } = clock
  const name = label ?? serial
  const mayKeep = can('keep_people')
  return (
    <div class="acts">
      {can('decide') && (
        <DialogButton
          class="quiet"
          label="Corregir la hora"
          about={`de las checadas de ${name}`}
          dialog={(close) => <ClockCorrections clock={clock} onClose={close} />}
        />
      )}
      {mayKeep && !retired && (
        <DialogButton
          class="quiet"
          label="Subir archivo"
          about={`de ${name}`}
          dialog={(close) => <ClockFile clock={clock} onClose={close} />}
        />
      )}
      {mayKeep && (
        <DialogButton
          class="quiet"
          label="Números"
          about={`de ${name}`}
          dialog={(close) => <ClockNumbers clock={clock} onClose={close} />}
        />
      )}
      {can('decide') && <RejectButton clock={clock} />}
      {mayKeep && seesAllBranches() && (
        <DialogButton
          class="quiet"
          label="Cambiar"
          about={name}
          dialog={(close) => <ClockDialog clock={clock} onClose={close} />}
        />
      )}
      {mayKeep && seesAllBranches() && (
        <RetireButton
          name={name}
          isRetired={retired}
          retire={(retired) =>
            saveClock(serial, {
              ...{ label, branch_office, uses_keys, from_day, retired },
              expected_version: version,
            })
          }
        >
          {retired
            ? 'Se toman otra vez sus checadas, y se espera que esté al día antes de cerrar.'
            : 'Ya no se toma ni se espera nada de este reloj. Sus checadas se conservan.'}
        </RetireButton>
      )}
    </div>
  )
}
