import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Company, FoundEmployee } from '../../sdk/api-types.ts'
import { shownDay } from '../people/person-fields.ts'
import { messageOf } from '../session/client.ts'
import { branchNames, signedIn } from '../session/session.ts'
import { ask } from '../ui/ask.tsx'
import { ConfirmButton } from '../ui/dialog-button.tsx'
import { ConfirmDialog } from '../ui/dialogs.tsx'
import { Choice, TextField } from '../ui/fields.tsx'
import { Rows } from '../ui/list.tsx'
import { PersonField } from '../ui/person-search.tsx'
import { about } from '../ui/queries.ts'
import { counted } from '../ui/text.ts'
import { zoneName } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { Form, useForm } from '../ui/use-form.tsx'
import { branchZones, zonesText } from './branch-zones.ts'
import { addShift, addZone, tryShift, tryZone } from './company.queries.ts'
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

/** How the forms of rules end: the button shows what a rule would change. */
const LOOK = { act: 'Ver qué cambia…', busyAct: 'Ver qué cambia…', look: '' } as const
const DAY = 'Primer día (vacío: desde siempre)'

interface Rule {
  title: string
  /** Says what the rule would change. */
  attempt: () => Promise<Effect>
  add: () => Promise<void>
}

interface ConfirmProps {
  rule: Rule
  onClose: (isSaved?: boolean) => void
}

/** Says what a rule would change before it is saved. */
const ConfirmRule = ({ rule: { title, attempt, add }, onClose }: ConfirmProps) => {
  const key = [...about.company, 'effect', title]
  const { data, error } = useQuery({ queryKey: key, queryFn: attempt, gcTime: 0 })
  return (
    <ConfirmDialog
      title={title}
      act="Guardar"
      onClose={onClose}
      send={async () => {
        await add()
        announce(`Se guardó: ${title}.`)
        onClose(true)
      }}
    >
      {error ? messageOf(error) : data ? effectText(data) : 'Calculando qué cambia…'}
    </ConfirmDialog>
  )
}

/** Asks whether to save a rule. The form is not busy meanwhile, and keeps the focus. */
const confirmRule = (rule: Rule, onSaved: () => void): void => {
  const asked = ask<boolean>((close) => <ConfirmRule rule={rule} onClose={close} />)
  void asked.then((isSaved) => isSaved && onSaved())
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
    <section ref={section} class="stack" aria-label={title}>
      <h2>{title}</h2>
      <p class="note">{note}</p>
      <Rows>
        {rules.map(({ who, what, valid_from }, i) => (
          <li key={i}>
            <p>
              <strong>{who}</strong>: {what} <span class="note">{sinceText(valid_from)}</span>
            </p>
          </li>
        ))}
      </Rows>
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
}

/** The branches without a zone of their own, with a button that stores the one that they have. */
const Unconfirmed = ({ company }: Pick<Props, 'company'>) => {
  const open = branchZones(signedIn().branches, company.zones).filter((one) => !one.isConfirmed)
  if (open.length === 0) return null
  const text = zonesText(open, zoneName)
  return (
    <div class="stack">
      <p>Sin confirmar, {text}.</p>
      <div class="acts">
        <ConfirmButton
          label="Confirmar estas zonas"
          title={`Confirmar ${counted(open.length, 'zona')}`}
          act="Confirmar"
          send={async () => {
            for (const { branch_office, time_zone } of open) {
              await addZone({ branch_office, time_zone, valid_from: null })
            }
            announce('Las zonas quedaron confirmadas.')
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
export const Zones = ({ company, mayChange }: Props) => {
  const initial = { branch: '', zone: '', day: '' }
  const form = useForm({
    initial,
    check: ({ zone }) => ({ zone: !zone && 'Elige la zona.' }),
    send: async ({ branch, zone, day }) => {
      const valid_from = day || null
      const json = { branch_office: branch || null, time_zone: zone, valid_from }
      const title = `${branch || 'Toda la empresa'}: ${zoneName(zone)}, ${sinceText(valid_from)}`
      const rule = { title, attempt: () => tryZone(json), add: () => addZone(json) }
      confirmRule(rule, () => form.set(initial))
    },
  })
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
      more={mayChange && <Unconfirmed company={company} />}
    >
      <Form form={form} {...LOOK}>
        <Choice
          {...form.field('branch')}
          label="De quién"
          empty="Toda la empresa"
          options={branchNames()}
        />
        <Choice
          {...form.field('zone')}
          label="Zona horaria"
          empty="Elige una"
          options={zoneOptions()}
        />
        <TextField {...form.field('day')} label={DAY} type="date" />
      </Form>
    </RuleSection>
  )
}

interface ShiftProps extends Props {
  /** A longest shift that a link proposes for one person. */
  proposed: { person: FoundEmployee; hours: string } | undefined
}

/** The longest shift of everybody, and those of people with another one, such as guards. */
export const Shifts = ({ company, mayChange, proposed }: ShiftProps) => {
  const form = useForm({
    initial: {
      whose: proposed ? 'one' : '',
      person: proposed?.person ?? null,
      hours: proposed?.hours ?? '',
      day: '',
    },
    check: ({ whose, person, hours }) => ({
      person: whose === 'one' && !person && 'Elige a la persona de la lista.',
      hours: !hours && 'Di cuántas horas.',
    }),
    send: async ({ whose, person, hours, day }) => {
      const one = whose === 'one' ? person : null
      const valid_from = day || null
      const employee_id = one?.employee_id ?? null
      const json = { employee_id, max_shift_hours: Number(hours), valid_from }
      const who = one?.full_name ?? 'Todas las personas'
      const title = `${who}: ${hours} h, ${sinceText(valid_from)}`
      const rule = { title, attempt: () => tryShift(json), add: () => addShift(json) }
      confirmRule(rule, () => form.set({ whose: '', person: null, day: '' }))
    },
  })
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
      <Form form={form} {...LOOK}>
        <Choice
          {...form.field('whose')}
          label="De quién"
          empty="Todas las personas"
          options={[['one', 'Una persona']]}
        />
        {form.values.whose === 'one' && <PersonField {...form.field('person')} />}
        <TextField {...form.field('hours')} label="Horas (de 1 a 36)" type="number" />
        <TextField {...form.field('day')} label={DAY} type="date" />
      </Form>
    </RuleSection>
  )
}
