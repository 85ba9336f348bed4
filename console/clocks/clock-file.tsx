import { useId, useState } from 'preact/hooks'
import type { Clock } from '../../sdk/api-types.ts'
import { messageOf } from '../session/client.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/fields.tsx'
import { Problem } from '../ui/reading.tsx'
import { counted } from '../ui/text.ts'
import { isOfClock, partsOf, uploadPart } from './clocks.queries.ts'

type Counts = Awaited<ReturnType<typeof uploadPart>>

const NONE: Counts = { created: 0, known: 0, waiting: 0, before_from_day: 0, invalid: 0 }

const add = (a: Counts, b: Counts): Counts => ({
  created: a.created + b.created,
  known: a.known + b.known,
  waiting: a.waiting + b.waiting,
  before_from_day: a.before_from_day + b.before_from_day,
  invalid: a.invalid + b.invalid,
})

const TEXTS: Record<keyof Counts, readonly [one: string, several: string]> = {
  created: ['nueva', 'nuevas'],
  known: ['ya estaba', 'ya estaban'],
  waiting: [
    'espera: falta saber de quién es, o su hora no puede ser',
    'esperan: falta saber de quién son, o su hora no puede ser',
  ],
  before_from_day: [
    'anterior al primer día del reloj, que no se toma',
    'anteriores al primer día del reloj, que no se toman',
  ],
  invalid: ['línea que no es una checada', 'líneas que no son checadas'],
}

const Summary = ({ counts }: { counts: Counts }) => (
  <ul class="warnings">
    {(Object.keys(TEXTS) as (keyof Counts)[])
      .filter((name) => name === 'created' || counts[name] > 0)
      .map((name) => (
        <li key={name}>{counted(counts[name], ...TEXTS[name])}.</li>
      ))}
  </ul>
)

const NOT_OF_CLOCK =
  'En ese archivo no hay checadas. Se espera el que termina en attlog.dat, o GLG_001.TXT o AGL_001.TXT.'

interface Props {
  clock: Clock
  onClose: () => void
}

/**
 * Uploads the file of a clock's USB stick in parts. A part that has failed is sent again by the
 * button, and what has arrived already is known then.
 */
export const ClockFile = ({ clock, onClose }: Props) => {
  const id = useId()
  const [sent, setSent] = useState<{ counts: Counts; done: number; of: number }>()
  const [rest, setRest] = useState<string[]>([])
  const [problem, setProblem] = useState('')
  const send = async (parts: string[], before = NONE, done = 0) => {
    setProblem('')
    const of = done + parts.length
    let counts = before
    setSent({ counts, done, of })
    for (const [i, part] of parts.entries()) {
      try {
        counts = add(counts, await uploadPart(clock.serial, part))
        setSent({ counts, done: done + i + 1, of })
      } catch (error) {
        setRest(parts.slice(i))
        setProblem(messageOf(error))
        return
      }
    }
    setRest([])
  }
  const choose = async ({ target }: Event) => {
    setProblem('')
    const file = (target as HTMLInputElement).files?.[0]
    const text = file ? await file.text() : ''
    if (file && !isOfClock(text)) {
      setProblem(NOT_OF_CLOCK)
    } else if (file) await send(partsOf(text))
  }
  const isBusy = sent !== undefined && sent.done < sent.of && !problem
  const isDone = sent !== undefined && sent.done === sent.of
  return (
    <Dialog
      title={`Archivo de ${clock.label ?? clock.serial}`}
      onClose={isBusy ? undefined : onClose}
    >
      <p>
        En el menú del reloj, descarga la asistencia a una memoria USB. El archivo termina en{' '}
        <code>attlog.dat</code>, o se llama <code>GLG_001.TXT</code> o <code>AGL_001.TXT</code>.
        Subirlo dos veces no repite nada.
      </p>
      {!sent && (
        <Field id={id} label="Archivo">
          <input id={id} type="file" accept=".dat,.txt" onChange={choose} />
        </Field>
      )}
      {sent && !isDone && (
        <p aria-live="polite">
          <progress value={sent.done} max={sent.of} /> {sent.done} de {sent.of} partes,{' '}
          {counted(sent.counts.created, ...TEXTS.created)}.
        </p>
      )}
      {sent && isDone && <Summary counts={sent.counts} />}
      <Problem text={problem} />
      <footer>
        <button type="button" onClick={onClose} disabled={isBusy}>
          Cerrar
        </button>
        {sent && problem && (
          <button type="button" class="primary" onClick={() => send(rest, sent.counts, sent.done)}>
            Seguir
          </button>
        )}
      </footer>
    </Dialog>
  )
}
