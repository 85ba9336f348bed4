import { useEffect, useState } from 'preact/hooks'
import type { OwnLog } from '../../sdk/api-types.ts'
import { connection } from '../session/connection.ts'
import { useStore } from '../session/store.ts'
import { Heading } from '../ui/heading.tsx'
import { Icon } from '../ui/icon.tsx'
import { phoneDay } from '../ui/phone-time.ts'
import { Remark } from '../ui/reading.tsx'
import { linkTo } from '../ui/routes.ts'
import { counted, KINDS } from '../ui/text.ts'
import { dayAndMonth, dayOf, HOUR_MS } from '../ui/time.ts'
import { useRead } from '../ui/use-read.ts'
import { type CheckIn, checkIns } from './check-ins.ts'
import { BranchTimeNote, LogList } from './log-list.tsx'
import { readAgreement, readOwnClosings, readOwnLogs } from './own.ts'
import { press } from './press.ts'
import { pushChoice } from './push.ts'
import { PushQuestion, PushSwitch } from './push-choice.tsx'
import { sendingProblem } from './sending.ts'
import { signedIn } from './session.ts'
import { OthersUnsent } from './sign-in.tsx'
import { UnsentList } from './unsent.tsx'

const CheckInButtons = ({ first }: { first: CheckIn['kind'] }) => {
  const [busy, setBusy] = useState(false)
  const run = async (kind: CheckIn['kind']) => {
    setBusy(true)
    await press(kind).finally(() => setBusy(false))
  }
  return (
    <div class="check">
      {(['entrada', 'salida'] as const).map((kind) => (
        <button
          key={kind}
          type="button"
          class={kind === first ? 'primary' : ''}
          aria-disabled={busy ? 'true' : undefined}
          onClick={() => busy || run(kind)}
        >
          <Icon name={kind === 'entrada' ? 'in' : 'out'} />
          {KINDS[kind]}
        </button>
      ))}
    </div>
  )
}

const isOfThisWeek = (moment: string): boolean => Date.now() - Date.parse(moment) < 7 * 24 * HOUR_MS

/** Links to the days of the logs that were rejected in the last seven days. */
const Rejected = ({ logs }: { logs: OwnLog[] }) => {
  const rejected = logs.filter(
    ({ status, decided_at }) => status === 'rejected' && decided_at && isOfThisWeek(decided_at),
  )
  const days = [...new Set(rejected.map(({ local_at }) => dayOf(local_at)))]
  return (
    <>
      {days.map((day) => (
        <Remark key={day}>
          <a class="target" href={linkTo('dias', { dia: day })}>
            Se rechazó una checada tuya del {dayAndMonth(day)}
          </a>
          .
        </Remark>
      ))}
    </>
  )
}

/**
 * Links to the text that the person must still agree to, to the closings to sign, and to the new
 * answers to objections.
 */
const ToSign = () => {
  const { data: agreement, problem: agreementProblem } = useRead(readAgreement)
  const { data: closings, problem: closingsProblem } = useRead(readOwnClosings)
  const problem = agreementProblem ?? closingsProblem
  const unsigned = closings?.filter(({ signed, cancelled }) => !signed && !cancelled) ?? []
  const answered = closings?.filter(({ answer }) => answer && isOfThisWeek(answer.at)) ?? []
  return (
    <>
      {problem && <p class="note">No se pudo leer si tienes algo por firmar. {problem}</p>}
      {agreement?.accepted_at === null && (
        <Remark>
          Hay un acuerdo por leer: <a href={linkTo('acuerdo')}>{agreement.title}</a>.
        </Remark>
      )}
      {answered.map(({ id }) => (
        <Remark key={id}>
          <a class="target" href={linkTo(`tarjetas/${id}`)}>
            Respondieron tu objeción al cierre {id}
          </a>
          .
        </Remark>
      ))}
      {unsigned.length > 0 && (
        <Remark>
          <a class="target" href={linkTo('tarjetas')}>
            Tienes {counted(unsigned.length, 'tarjeta')} por firmar
          </a>
          .
        </Remark>
      )}
    </>
  )
}

const isRecent = ({ recorded_at }: { recorded_at: string }): boolean =>
  Date.now() - Date.parse(recorded_at) < 24 * HOUR_MS

export const HomeView = () => {
  const { all, gone, isUnreadable } = useStore(checkIns)
  const { online } = useStore(connection)
  const { problem } = useStore(sendingProblem)
  const { choice } = useStore(pushChoice)
  const { user_id, name, token } = signedIn()
  const own = all.filter((one) => one.user_id === user_id)
  const read = useRead(readOwnLogs, [gone, online, token])
  // A clock, a decision or another tab may have changed them meanwhile.
  useEffect(() => {
    const readAgain = () => document.hidden || read.again()
    document.addEventListener('visibilitychange', readAgain)
    return () => document.removeEventListener('visibilitychange', readAgain)
  }, [])
  const recent = read.data?.logs.filter(isRecent) ?? []
  // A refused check-in is not the last thing that the person did.
  const newest = own.filter(({ refusal }) => !refusal).at(-1) ?? recent.at(-1)
  const pushKey = read.data?.push_key ?? null
  const unsentNote = token
    ? problem && `No se han podido enviar: ${problem} Se intenta de nuevo solo.`
    : 'Se envían cuando entres de nuevo.'
  return (
    <main class="one">
      <Heading about={choice?.wants}>Hola, {name}</Heading>
      {token && <ToSign key={`sign ${online}`} />}
      <Rejected key="rejected" logs={read.data?.logs ?? []} />
      {read.data?.may_check_in === false ? (
        <p key="off">En tu empresa no se checa desde el teléfono.</p>
      ) : (
        <CheckInButtons key="check" first={newest?.kind === 'entrada' ? 'salida' : 'entrada'} />
      )}
      {pushKey && recent.length > 0 && <PushQuestion key="question" pushKey={pushKey} />}
      {isUnreadable && (
        <p class="problem">No se pudo leer si este teléfono tiene checadas por enviar.</p>
      )}
      <UnsentList own={own} note={unsentNote} mayRequest={read.data?.may_request ?? false} />
      <section>
        <h2>Últimas 24 horas</h2>
        {read.problem && !recent.length && (
          <p class="note">
            {token
              ? `Lo que ya se registró se ve aquí cuando haya conexión. ${read.problem}`
              : 'Lo que ya se registró se ve aquí cuando entres de nuevo.'}
          </p>
        )}
        {read.data && !recent.length && <p>No hay checadas.</p>}
        <BranchTimeNote logs={recent} />
        <LogList logs={recent} day={phoneDay()} />
      </section>
      <OthersUnsent but={user_id} />
      {token && (
        <p key="password">
          <a class="target" href={linkTo('contrasena')}>
            Cambiar mi contraseña
          </a>
        </p>
      )}
      {token && pushKey && <PushSwitch key="push" pushKey={pushKey} token={token} />}
    </main>
  )
}
