import { phoneTime } from '../ui/phone-time.ts'
import { clockTime } from '../ui/time.ts'
import { announce, ui } from '../ui/ui-state.ts'
import { type CheckIn, checkIns, newCheckIn, storeCheckIn } from './check-ins.ts'
import { markPressed, sendCheckIns } from './sending.ts'
import { signedIn } from './session.ts'
import { steadyNow } from './steady-clock.ts'

/** A second press of the same button within a minute is a mistake. */
const REPEATED_MS = 60_000
/** The buttons wait for an answer for this long. */
const ANSWER_MS = 8_000
let lastPress: { checkIn: CheckIn; at: number } | undefined

const isRepeated = (kind: CheckIn['kind']): boolean =>
  lastPress?.checkIn.kind === kind &&
  lastPress.checkIn.user_id === signedIn().user_id &&
  steadyNow() - lastPress.at < REPEATED_MS

/** What became of a check-in. Undefined if the person has removed it, or asked for a correction. */
const outcomeOf = ({ client_id, kind }: CheckIn): string | undefined => {
  const { all, unsaved, recorded } = checkIns.get()
  if (recorded.has(client_id)) return `Tu ${kind} quedó registrada.`
  const checkIn = all.find((one) => one.client_id === client_id)
  if (!checkIn) return undefined
  const name = `Tu ${kind} de las ${clockTime(phoneTime(checkIn.recorded_at))}`
  if (checkIn.refusal) return `${name} no se registró.`
  if (unsaved.includes(checkIn)) return `${name} no se pudo guardar: no cierres esta página.`
  return `${name} quedó guardada en este teléfono, por enviar.`
}

/** Announces a check-in's outcome. If it changes while it is shown, announces the new outcome. */
const announceOutcome = (checkIn: CheckIn): void => {
  const text = outcomeOf(checkIn)
  if (!text) return
  announce(text)
  const stop = checkIns.subscribe(() => {
    if (ui.get().message !== text) return stop()
    if (outcomeOf(checkIn) === text) return
    stop()
    announceOutcome(checkIn)
  })
}

/** Stores a check-in, sends it, and says what became of it. */
export const press = async (kind: CheckIn['kind']): Promise<void> => {
  if (isRepeated(kind)) return announce(`Ya habías marcado tu ${kind}.`)
  const checkIn = markPressed(newCheckIn(signedIn(), kind))
  lastPress = { checkIn, at: steadyNow() }
  await storeCheckIn(checkIn)
  const late = new Promise((resolve) => setTimeout(resolve, ANSWER_MS))
  await Promise.race([sendCheckIns(), late])
  announceOutcome(checkIn)
}
