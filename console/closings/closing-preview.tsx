import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { Closing } from '../../sdk/api-types.ts'
import { hasStatus } from '../session/client.ts'
import { Amounts } from '../ui/amounts.tsx'
import { DownloadButton } from '../ui/buttons.tsx'
import { Definitions } from '../ui/definitions.tsx'
import { CheckField, TextField } from '../ui/fields.tsx'
import { Heading } from '../ui/heading.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { personQuery } from '../ui/person.queries.ts'
import { linkTo } from '../ui/routes.ts'
import { counted, countedLogs, groupName } from '../ui/text.ts'
import { addDays, dayAndMonth, duration, inHours } from '../ui/time.ts'
import { Form, useForm } from '../ui/use-form.tsx'
import { branchAmounts } from './branch-amounts.ts'
import styles from './closing-preview.module.css'
import type { ClosingSelection } from './closing-selection.ts'
import { hoursOf, Warnings } from './closing-warnings.tsx'
import {
  type Preview,
  previewQuery,
  requestPreviewFile,
  saveClosing,
  totalOf,
} from './closings.queries.ts'
import { GroupDay } from './group-day.tsx'
import { HoursOfPeople } from './hours-of-people.tsx'

const Figures = ({ summary }: Pick<Preview, 'summary'>) => {
  const { people, pending, added_seconds, deducted_seconds } = summary
  const total = totalOf(summary)
  const paid = (
    <>
      <strong>{duration(total)}</strong> <span class="note">{inHours(total)}</span>
    </>
  )
  const ofEarlierDays = (
    <>
      {added_seconds > 0 ? `se agregan ${duration(added_seconds)}` : '–'}
      {deducted_seconds > 0 && (
        <p class="note">y {duration(deducted_seconds)} por descontar, aparte</p>
      )}
    </>
  )
  return (
    <Definitions
      class="figures"
      items={[
        ['Personas', people.toLocaleString('es-MX')],
        ['Por pagar', paid],
        ['De días anteriores', ofEarlierDays],
        ['Sin decidir', pending > 0 ? countedLogs(pending) : '–'],
      ]}
    />
  )
}

/** What each branch is paid, what is held back, and what is undecided. One has the figures above. */
const Branches = ({ people }: Pick<Preview, 'people'>) => {
  const branches = branchAmounts(people)
  if (branches.length < 2) return null
  return (
    <Amounts
      label="Por sucursal"
      rows={branches.map(({ branch, people: count, paid, held, pending }) => ({
        key: branch,
        name: branch || 'Sin sucursal',
        text: [
          counted(count, 'persona'),
          duration(paid),
          held > 0 && `${duration(held)} retenidas`,
          pending > 0 && `${countedLogs(pending)} sin decidir`,
        ]
          .filter(Boolean)
          .join(' · '),
        parts: [
          ['whole', paid],
          ['held', held],
        ],
      }))}
    />
  )
}

const toForm = (): void => {
  location.hash = linkTo('cierres')
}

interface Props {
  route: ClosingSelection
  /** The closings so far. */
  closings: Closing[]
  onClosed: (closing: Closing) => void
}

const leftText = (undecided: number, waiting: number): string =>
  [
    undecided > 0 ? `${countedLogs(undecided)} sin decidir` : '',
    waiting > 0
      ? `${countedLogs(waiting)} de relojes que ${waiting === 1 ? 'espera' : 'esperan'}`
      : '',
  ]
    .filter(Boolean)
    .join(' y ')

/** Whether the service asks for a second act, since a group's period goes on after the closing. */
const closesEarly = (error: unknown): boolean =>
  hasStatus(error, 409) && error.code === 'CLOSES_EARLY'

/** Shows what a closing would pay, and saves it after a confirmation. */
export const ClosingPreview = ({ route, ...props }: Props) => {
  const { data: named } = useQuery(personQuery(route.employee_id ?? ''))
  const person = named?.full_name ?? route.employee_id ?? ''
  const name = route.employee_id ? person : groupName(route.payroll_group ?? null)
  return (
    <section class={styles.preview}>
      <Heading level="h2">
        {name}, hasta el {dayAndMonth(addDays(route.before, -1))}
      </Heading>
      <Loaded read={useQuery(previewQuery(route))} failure="No se pudo calcular el cierre" rows={5}>
        {(preview) => <FormOfPreview {...preview} route={route} {...props} />}
      </Loaded>
    </section>
  )
}

const FormOfPreview = ({ summary, people, route, closings, onClosed }: Props & Preview) => {
  /** Whether the service has said that the closing ends before a group's period does. */
  const [isEarly, setEarly] = useState(false)
  const { pending: undecided, waiting, groups_without_day, inverted_seconds: inverted } = summary
  const pending = undecided + waiting
  const form = useForm({
    draft: `cierre ${JSON.stringify(route)}`,
    // The boxes confirm the figures that they are beside, and no other ones.
    initial: { leave_pending: 0, confirm_inverted: 0, confirm_early: false, comment: '' },
    check: ({ leave_pending, confirm_inverted }) => ({
      all: groups_without_day.length > 0 && 'Di antes desde qué día se le paga a cada grupo.',
      leave_pending: leave_pending !== pending && 'Decídelas antes, o di que se quedan pendientes.',
      confirm_inverted:
        confirm_inverted !== inverted &&
        'Agrega antes las checadas que faltan, o di que se pagan así.',
    }),
    send: async ({ comment, leave_pending, confirm_early, confirm_inverted }) => {
      const { before, payroll_group = null, employee_id = null } = route
      const json = {
        ...{ before, payroll_group, employee_id, confirm_early, confirm_inverted },
        comment: comment || null,
        leave_pending: leave_pending > 0,
        expected_seconds: totalOf(summary) - summary.deducted_seconds,
      }
      try {
        onClosed(await saveClosing(json, closings))
      } catch (error) {
        if (closesEarly(error)) setEarly(true)
        throw error
      }
    },
  })
  const firstDays = people.flatMap(({ from_day }) => from_day ?? [])
  const hours = hoursOf(route, firstDays)
  const box = (name: 'leave_pending' | 'confirm_inverted', figure: number, text: string) =>
    figure > 0 && (
      <CheckField
        {...form.field(name)}
        value={form.values[name] === figure}
        onChange={(checked) => form.set({ [name]: checked ? figure : 0 })}
      >
        {text}
      </CheckField>
    )
  return (
    <>
      <Figures summary={summary} />
      <Branches people={people} />
      <Warnings summary={summary} people={people} hours={hours} />
      {groups_without_day.map((name) => (
        <GroupDay key={`group ${name}`} name={name} />
      ))}
      <HoursOfPeople people={people} hours={hours} />
      <Form
        form={form}
        act={`Cerrar y pagar ${duration(totalOf(summary))}`}
        busyAct="Cerrando…"
        beside={
          <>
            <DownloadButton label="Vista previa" request={() => requestPreviewFile(route)} />
            <button
              type="button"
              disabled={form.busy}
              onClick={() => {
                form.forget()
                toForm()
              }}
            >
              Volver
            </button>
          </>
        }
      >
        {isEarly && (
          <CheckField {...form.field('confirm_early')}>
            Cerrar antes de que termine el periodo
          </CheckField>
        )}
        {box(
          'leave_pending',
          pending,
          `Dejar ${leftText(undecided, waiting)}: lo que se decida después se paga en el próximo cierre`,
        )}
        {box(
          'confirm_inverted',
          inverted,
          `Pagar así ${duration(inverted)} de días con entradas y salidas invertidas`,
        )}
        <TextField {...form.field('comment')} label="Comentario (opcional)" rows={2} />
      </Form>
    </>
  )
}
