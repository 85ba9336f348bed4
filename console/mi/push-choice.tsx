import { useEffect } from 'preact/hooks'
import { useStore } from '../session/store.ts'
import { ActButton } from '../ui/buttons.tsx'
import { Remark } from '../ui/reading.tsx'
import {
  acceptPush,
  keepRegistered,
  type PushState,
  pushChoice,
  pushStateOf,
  refusePush,
  stopPush,
} from './push.ts'

const usePushState = (pushKey: string | null): PushState =>
  pushStateOf(pushKey, useStore(pushChoice).choice)

const ABOUT = 'cuando se decida una checada tuya o haya una tarjeta por firmar'

const INSTALL = `Para que te avisemos ${ABOUT}, agrega esta página a tu inicio: toca Compartir y luego «Agregar a inicio».`

/** Asks once whether the person wants messages, after the first check-in. */
export const PushQuestion = ({ pushKey }: { pushKey: string }) => {
  const state = usePushState(pushKey)
  if (state !== 'unasked' && state !== 'ask-install') return null
  return (
    <section class="box stack" aria-label="Avisos">
      <p>{state === 'unasked' ? `¿Te avisamos en este teléfono ${ABOUT}?` : INSTALL}</p>
      <p class="acts">
        {state === 'unasked' && (
          <ActButton label="Avisarme" class="primary" act={() => acceptPush(pushKey)} />
        )}
        <button type="button" onClick={refusePush}>
          {state === 'unasked' ? 'Ahora no' : 'Entendido'}
        </button>
      </p>
    </section>
  )
}

interface SwitchProps {
  pushKey: string
  token: string
}

/** Switches the messages on and off. Registers the phone again for each session. */
export const PushSwitch = ({ pushKey, token }: SwitchProps) => {
  const { problem } = useStore(pushChoice)
  const state = usePushState(pushKey)
  useEffect(() => {
    if (state === 'on') void keepRegistered(pushKey)
  }, [pushKey, token])
  if (state === 'blocked') {
    return <Remark>Los avisos están bloqueados en los ajustes de este teléfono.</Remark>
  }
  if (state === 'must-install') return <Remark>{INSTALL}</Remark>
  if (state === 'on' && !problem) {
    return <ActButton label="No avisarme en este teléfono" class="quiet" act={stopPush} />
  }
  if (state !== 'off' && state !== 'on') return null
  return (
    <>
      {state === 'on' && <Remark>Los avisos no llegan a este teléfono. {problem}</Remark>}
      <ActButton label="Avisarme en este teléfono" class="quiet" act={() => acceptPush(pushKey)} />
    </>
  )
}
