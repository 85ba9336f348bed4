import { useState } from 'preact/hooks'
import { forgetHours } from '../hours/hours-list.state.ts'
import { savePaysFrom } from '../hours/payroll-groups.api.ts'
import { messageOf } from '../session/client.ts'
import { DateField } from '../ui/fields.tsx'
import { Problem } from '../ui/reading.tsx'
import { groupName } from '../ui/text.ts'

interface Props {
  name: string
  onSaved: () => void
}

/** Asks once for the first day that this installation pays a group, and stores it. */
export const GroupDay = ({ name, onSaved }: Props) => {
  const [day, setDay] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const save = async () => {
    if (!day) return setProblem('Di el primer día.')
    setBusy(true)
    try {
      await savePaysFrom(name, day)
      forgetHours()
      onSaved()
    } catch (error) {
      setProblem(messageOf(error))
    }
    setBusy(false)
  }
  return (
    <section class="first-days">
      <h3>{groupName(name)}: falta desde qué día se le paga aquí</h3>
      <p class="note">
        Los días anteriores ya se pagaron en otro lado. Mientras no lo digas, su gente no está en
        estas cifras.
      </p>
      <DateField
        id={`pays-from-${name}`}
        label="Primer día que se paga aquí"
        value={day}
        onChange={(chosen) => {
          setDay(chosen)
          setProblem('')
        }}
      />
      <Problem text={problem} />
      <footer>
        <button type="button" disabled={busy} onClick={save}>
          {busy ? 'Guardando…' : 'Guardar el primer día'}
        </button>
      </footer>
    </section>
  )
}
