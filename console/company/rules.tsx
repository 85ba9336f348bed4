import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Company, FoundEmployee } from '../../sdk/api-types.ts'
import { forgetHours } from '../hours/hours-list.state.ts'
import { shownDay } from '../people/person-fields.ts'
import { branchNames, refreshSettings, signedIn } from '../session/session.ts'
import { ConfirmButton } from '../ui/dialog-button.tsx'
import { Choice, DateField, Field } from '../ui/fields.tsx'
import { ConfirmDialog } from '../ui/form-dialog.tsx'
import { PersonSearch } from '../ui/person-search.tsx'
import { Problem } from '../ui/reading.tsx'
import { counted } from '../ui/text.ts'
import { zoneName } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { useRead } from '../ui/use-read.ts'
import { branchZones, zonesText } from './branch-zones.ts'
import { addShift, addZone } from './company.api.ts'
import { type Effect, effectText } from './effect-text.ts'

const MEXICAN_ZONES = [
  'America/Mexico_City',
  'America/Cancun',
  'America/Chihuahua',
  'America/Ciudad_Juarez',
  'America/Hermosillo',
  'America/Matamoros',
  'America/Mazatlan',
  'America/Merida',
  'America/Monterrey',
  'America/Tijuana',
]

const zoneOptions = (): [string, string][] => [
  ...MEXICAN_ZONES.map((zone): [string, string] => [zone, zoneName(zone)]),
  ...Intl.supportedValuesOf('timeZone')
    .filter((zone) => !MEXICAN_ZONES.includes(zone))
    .map((zone): [string, string] => [zone, zone.replaceAll('_', ' ')]),
]

const sinceText = (valid_from: string | null): string =>
  valid_from === null ? 'desde siempre' : `desde el ${shownDay(valid_from)}`

interface Rule {
  title: string
  /** Adds the rule. With `dry_run`, it is not saved. */
  add: (dry_run: boolean) => Promise<Effect>
}

interface ConfirmProps {
  rule: Rule
  onClose: () => void
  onSaved: () => void
}

/** Says what a rule would change before it is saved. */
const ConfirmRule = ({ rule, onClose, onSaved }: ConfirmProps) => {
  const { data, problem } = useRead(() => rule.add(true))
  return (
    <ConfirmDialog
      title={rule.title}
      act="Guardar"
      onClose={onClose}
      send={async () => {
        await rule.add(false)
        forgetHours()
        await refreshSettings()
        announce(`Se guardó: ${rule.title}.`)
        onSaved()
      }}
    >
      {problem ?? (data ? effectText(data) : 'Calculando qué cambia…')}
    </ConfirmDialog>
  )
}

interface RuleFormProps {
  day: string
  setDay: (day: string) => void
  id: string
  /** The rule, or a text about what is missing. */
  rule: Rule | string
  onSaved: () => void
}

/** The end of a rule's form: its first day, and the button that says what it changes. */
const RuleEnd = ({ id, day, setDay, rule, onSaved }: RuleFormProps) => {
  const [proposed, setProposed] = useState<Rule>()
  const [problem, setProblem] = useState('')
  return (
    <>
      <DateField
        id={`${id}-day`}
        label="Primer día (vacío: desde siempre)"
        value={day}
        onChange={setDay}
      />
      <Problem text={problem} />
      <footer>
        <button
          type="button"
          onClick={() => {
            setProblem(typeof rule === 'string' ? rule : '')
            if (typeof rule !== 'string') setProposed(rule)
          }}
        >
          Ver qué cambia…
        </button>
      </footer>
      {proposed && (
        <ConfirmRule rule={proposed} onClose={() => setProposed(undefined)} onSaved={onSaved} />
      )}
    </>
  )
}

interface SectionProps {
  title: string
  note: string
  rules: { who: string; what: string; valid_from: string | null }[]
  /** The name of the form for a new rule. Undefined if the user may not change rules. */
  act: string | undefined
  /** Whether the form is open from the start. */
  isOpen?: boolean
  /** What is between the rules and the form. */
  more?: ComponentChildren
  /** The form for a new rule. */
  children: ComponentChildren
}

/** The rules of one kind, and the form for a new one, folded. */
const RuleSection = (props: SectionProps) => {
  const { title, note, rules, act, isOpen = false, more, children } = props
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isOpen) section.current?.scrollIntoView()
  }, [isOpen])
  return (
    <section ref={section} class="stack">
      <h2>{title}</h2>
      <p class="note">{note}</p>
      <ul class="clocks">
        {rules.map(({ who, what, valid_from }, i) => (
          <li key={i}>
            <p>
              <strong>{who}</strong>: {what} <span class="note">{sinceText(valid_from)}</span>
            </p>
          </li>
        ))}
      </ul>
      {more}
      {act && (
        <details class="more" open={isOpen}>
          <summary>{act}</summary>
          <div class="stack">{children}</div>
        </details>
      )}
    </section>
  )
}

interface Props {
  company: Company
  mayChange: boolean
  onSaved: () => void
}

/** The branches without a zone of their own, with a button that stores the one that they have. */
const Unconfirmed = ({ company, onSaved }: Pick<Props, 'company' | 'onSaved'>) => {
  const open = branchZones(signedIn().branches, company.zones).filter((one) => !one.isConfirmed)
  if (open.length === 0) return null
  const text = zonesText(open, zoneName)
  return (
    <div class="stack">
      <p>Sin confirmar, {text}.</p>
      <div class="acts start">
        <ConfirmButton
          label="Confirmar estas zonas"
          title={`Confirmar ${counted(open.length, 'zona')}`}
          act="Confirmar"
          send={async () => {
            for (const { branch_office, time_zone } of open) {
              await addZone({ branch_office, time_zone, valid_from: null })
            }
            await refreshSettings()
            announce('Las zonas quedaron confirmadas.')
            onSaved()
          }}
        >
          Cada una queda con su zona, {text}, aunque después cambie la de la empresa. Si alguna está
          en otra, vuelve y cámbiala primero.
        </ConfirmButton>
      </div>
    </div>
  )
}

/** The zone of the company, and those of branches in other zones. */
export const Zones = ({ company, mayChange, onSaved }: Props) => {
  const [branch, setBranch] = useState('')
  const [zone, setZone] = useState('')
  const [day, setDay] = useState('')
  const reset = () => {
    setBranch('')
    setZone('')
    setDay('')
    onSaved()
  }
  const title = `${branch || 'Toda la empresa'}: ${zone && zoneName(zone)}, ${sinceText(day || null)}`
  const add = (dry_run: boolean) =>
    addZone({ branch_office: branch || null, time_zone: zone, valid_from: day || null, dry_run })
  return (
    <RuleSection
      title="Zona horaria"
      note="Una sucursal sin zona propia tiene la de la empresa."
      rules={company.zones.map(({ branch_office, time_zone, valid_from }) => ({
        who: branch_office ?? 'Toda la empresa',
        what: zoneName(time_zone),
        valid_from,
      }))}
      act={mayChange ? 'Cambiar una zona' : undefined}
      more={mayChange && <Unconfirmed company={company} onSaved={onSaved} />}
    >
      <Choice
        id="zone-branch"
        label="De quién"
        empty="Toda la empresa"
        value={branch}
        options={branchNames()}
        onChange={setBranch}
      />
      <Choice
        id="zone-name"
        label="Zona horaria"
        empty="Elige una"
        value={zone}
        options={zoneOptions()}
        onChange={setZone}
      />
      <RuleEnd
        id="zone"
        day={day}
        setDay={setDay}
        rule={zone ? { title, add } : 'Elige la zona.'}
        onSaved={reset}
      />
    </RuleSection>
  )
}

/** A longest shift that a link proposes for one person. */
export interface ProposedShift {
  person: FoundEmployee
  hours: string
}

/** The longest shift of everybody, and those of people with another one, such as guards. */
export const Shifts = ({
  company,
  mayChange,
  onSaved,
  proposed,
}: Props & { proposed: ProposedShift | undefined }) => {
  const [person, setPerson] = useState(proposed?.person)
  const [isOfOne, setOfOne] = useState(proposed !== undefined)
  const [hours, setHours] = useState(proposed?.hours ?? '')
  const [day, setDay] = useState('')
  const who = isOfOne ? (person?.full_name ?? '') : 'Todas las personas'
  const reset = () => {
    setPerson(undefined)
    setOfOne(false)
    setDay('')
    onSaved()
  }
  const title = `${who}: ${hours} h, ${sinceText(day || null)}`
  const add = (dry_run: boolean) =>
    addShift({
      employee_id: isOfOne ? (person?.employee_id ?? '') : null,
      max_shift_hours: Number(hours),
      valid_from: day || null,
      dry_run,
    })
  const fault =
    isOfOne && !person ? 'Elige a la persona de la lista.' : !hours && 'Di cuántas horas.'
  return (
    <RuleSection
      title="Jornada más larga"
      note="Una salida que llega después de estas horas ya no es de la entrada: a la entrada le falta su salida."
      rules={company.shifts.map(({ employee_id, full_name, max_shift_hours, valid_from }) => ({
        who: full_name ?? employee_id ?? 'Todas las personas',
        what: `${max_shift_hours} h`,
        valid_from,
      }))}
      act={mayChange ? 'Cambiar una jornada' : undefined}
      isOpen={proposed !== undefined}
    >
      <Choice
        id="shift-whose"
        label="De quién"
        empty="Todas las personas"
        value={isOfOne ? 'one' : ''}
        options={[['one', 'Una persona']]}
        onChange={(value) => setOfOne(value === 'one')}
      />
      {isOfOne && <PersonSearch label="Persona" value={person?.full_name} onChoose={setPerson} />}
      <Field id="shift-hours" label="Horas (de 1 a 36)">
        <input
          id="shift-hours"
          type="number"
          min="1"
          max="36"
          defaultValue={hours}
          onInput={({ currentTarget }) => setHours(currentTarget.value)}
        />
      </Field>
      <RuleEnd
        id="shift"
        day={day}
        setDay={setDay}
        rule={fault || { title, add }}
        onSaved={reset}
      />
    </RuleSection>
  )
}
