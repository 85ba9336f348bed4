import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { Closing } from '../../sdk/api-types.ts'
import { hasStatus } from '../session/client.ts'
import { DownloadButton } from '../ui/buttons.tsx'
import { Definitions } from '../ui/definitions.tsx'
import { Checkbox } from '../ui/fields.tsx'
import { FormEnd, FormField, useForm } from '../ui/form.tsx'
import { Heading } from '../ui/heading.tsx'
import { personQuery } from '../ui/person.queries.ts'
import { Failure, Skeleton } from '../ui/reading.tsx'
import { linkTo } from '../ui/routes.ts'
import { countedLogs, groupName } from '../ui/text.ts'
import { addDays, dayAndMonth, duration, inHours } from '../ui/time.ts'
import { useRead } from '../ui/use-read.ts'
import type { ClosingSelection } from './closing-selection.ts'
import { hoursOf, Warnings } from './closing-warnings.tsx'
import { readPreview, requestPreviewFile, saveClosing, totalOf } from './closings.api.ts'
import { GroupDay } from './group-day.tsx'
import { HoursOfPeople } from './hours-of-people.tsx'

type Preview = Awaited<ReturnType<typeof readPreview>>

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

const toForm = (): void => {
  location.hash = linkTo('cierres')
}

interface Props {
  route: ClosingSelection
  closings: Closing[]
  onClosed: (closing: Closing) => void
  /** Called when somebody has closed or decided since the preview was read. */
  onOutdated: () => void
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
export const ClosingPreview = ({ route, closings, onClosed, onOutdated }: Props) => {
  const { data: named } = useQuery(personQuery(route.employee_id ?? ''))
  const person = named?.full_name ?? route.employee_id ?? ''
  const name = route.employee_id ? person : groupName(route.payroll_group ?? null)
  const title = `${name}, hasta el ${dayAndMonth(addDays(route.before, -1))}`
  const { data, problem, again } = useRead(() => readPreview(route))
  /** Whether the service has said that the closing ends before a group's period does. */
  const [isEarly, setEarly] = useState(false)
  const groupsWithoutDay = data?.summary.groups_without_day ?? []
  const { pending: undecided = 0, waiting = 0 } = data?.summary ?? {}
  const pending = undecided + waiting
  const inverted = data?.summary.inverted_seconds ?? 0
  const form = useForm({
    draft: `cierre ${JSON.stringify(route)}`,
    check: (given) => ({
      ...(groupsWithoutDay.length > 0 && {
        all: 'Di antes desde qué día se le paga a cada grupo.',
      }),
      ...(pending > 0 &&
        !given('leave_pending') && {
          leave_pending: 'Decídelas antes, o di que se quedan pendientes.',
        }),
      ...(inverted > 0 &&
        !given('confirm_inverted') && {
          confirm_inverted: 'Agrega antes las checadas que faltan, o di que se pagan así.',
        }),
    }),
    send: async (given) => {
      const { before, payroll_group = null, employee_id = null } = route
      const json = {
        before,
        payroll_group,
        employee_id,
        comment: given('comment') || null,
        leave_pending: given('leave_pending') !== '',
        confirm_early: given('confirm_early') !== '',
        confirm_inverted: Number(given('confirm_inverted')),
        expected_seconds: data ? totalOf(data.summary) - data.summary.deducted_seconds : null,
      }
      try {
        onClosed(await saveClosing(json, closings))
      } catch (error) {
        if (closesEarly(error)) setEarly(true)
        // The preview is out of date: somebody has closed or decided since it was read.
        else if (hasStatus(error, 409) || hasStatus(error, 422)) {
          again()
          onOutdated()
        }
        throw error
      }
    },
  })

  if (problem) {
    return (
      <div>
        <Failure title="No se pudo calcular el cierre" text={problem} onRetry={again} />
        <footer>
          <button key="back" type="button" onClick={toForm}>
            Volver
          </button>
        </footer>
      </div>
    )
  }
  if (!data) return <Skeleton rows={5} />
  const { summary, people } = data
  const firstDays = people.flatMap(({ from_day }) => from_day ?? [])
  const hours = hoursOf(route, firstDays)
  const { problems, busy } = form
  return (
    <form {...form.props}>
      <Heading level="h2">{title}</Heading>
      <Figures summary={summary} />
      <Warnings summary={summary} people={people} hours={hours} />
      {groupsWithoutDay.map((name) => (
        <GroupDay key={`group ${name}`} name={name} onSaved={again} />
      ))}
      <HoursOfPeople people={people} hours={hours} />
      {isEarly && (
        <div>
          <Checkbox name="confirm_early" value="yes">
            Cerrar antes de que termine el periodo
          </Checkbox>
          {form.problem('confirm_early')}
        </div>
      )}
      {pending > 0 && (
        <div>
          <Checkbox key={pending} name="leave_pending" value={String(pending)}>
            Dejar {leftText(undecided, waiting)}: lo que se decida después se paga en el próximo
            cierre
          </Checkbox>
          {form.problem('leave_pending')}
        </div>
      )}
      {inverted > 0 && (
        <div>
          <Checkbox key={inverted} name="confirm_inverted" value={String(inverted)}>
            Pagar así {duration(inverted)} de días con entradas y salidas invertidas
          </Checkbox>
          {form.problem('confirm_inverted')}
        </div>
      )}
      <FormField form={form} name="comment" label="Comentario (opcional)" rows={2} />
      <FormEnd
        form={form}
        problem={problems.all ?? problems.before}
        act={`Cerrar y pagar ${duration(totalOf(summary))}`}
        busyAct="Cerrando…"
      >
        <DownloadButton label="Vista previa" request={() => requestPreviewFile(route)} />
        <button
          type="button"
          disabled={busy}
          onClick={() => {
            form.forget()
            toForm()
          }}
        >
          Volver
        </button>
      </FormEnd>
    </form>
  )
}
