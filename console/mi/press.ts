import { clockTime } from '../ui/time.ts'
import { announce, ui } from '../ui/ui-state.ts'
import { type CheckIn, checkIns, newCheckIn, storeCheckIn } from './check-ins.ts'
import { phoneZone } from './own.ts'
import { markPressed, sendCheckIns } from './sending.ts'
import { signedIn } from './session.ts'

/** A second press of the same button within a minute is a mistake. */
const REPEATED_MS = 60_000
let lastPress: { checkIn: CheckIn; at: number } | undefined

const isRepeated = (kind: CheckIn['kind']): boolean =>
  lastPress?.checkIn.kind === kind &&
  lastPress.checkIn.user_id === signedIn().user_id &&
  performance.now() - lastPress.at < REPEATED_MS

const outcomeOf = ({ client_id, kind, recorded_at }: CheckIn): string => {
  const { all, unsaved } = checkIns.get()
  const has = (one: CheckIn) => one.client_id === client_id
  const name = `Tu ${kind} de las ${clockTime(recorded_at, phoneZone())}`
  if (!all.some(has)) return `Tu ${kind} quedó registrada.`
  if (all.some((one) => has(one) && one.refusal)) return `${name} no se registró.`
  if (unsaved.some(has)) return `${name} no se pudo guardar: no cierres esta página.`
  return `${name} quedó guardada en este teléfono, por enviar.`
}

/** Announces a check-in's outcome. If it changes while it is shown, announces the new outcome. */
const announceOutcome = (checkIn: CheckIn): void => {
  const text = outcomeOf(checkIn)
  const stored = () => checkIns.get().all.filter((one) => one.client_id === checkIn.client_id)
  const isRefused = stored().some(({ refusal }) => refusal)
  announce(text)
  const stop = checkIns.subscribe(() => {
    if (ui.get().message !== text) return stop()
    if (outcomeOf(checkIn) === text) return
    stop()
    // The person has removed a refused check-in. The service has not recorded it.
    if (isRefused && stored().length === 0) return
    announceOutcome(checkIn)
  })
}

/** Stores a check-in, sends it, and says what became of it. */
export const press = async (kind: CheckIn['kind']): Promise<void> => {
  if (isRepeated(kind)) return announce(`Ya habías marcado tu ${kind}.`)
  const checkIn = newCheckIn(signedIn(), kind)
  lastPress = { checkIn, at: performance.now() }
  markPressed(checkIn)
  await storeCheckIn(checkIn)
  await sendCheckIns()
  announceOutcome(checkIn)
}
