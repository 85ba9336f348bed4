import { useQuery } from '@tanstack/preact-query'
import type { PayrollGroup } from '../../sdk/api-types.ts'
import { groupsQuery } from '../hours/hours.queries.ts'
import { shownDay } from '../people/person-fields.ts'
import { DialogButton } from '../ui/dialog-button.tsx'
import { FormDialog } from '../ui/dialogs.tsx'
import { Choice, TextField } from '../ui/fields.tsx'
import { Rows } from '../ui/list.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { counted, groupName } from '../ui/text.ts'
import { announce } from '../ui/ui-state.ts'
import { useForm } from '../ui/use-form.tsx'
import { CALENDARS, calendarText, FORTNIGHT_DAYS } from './calendars.ts'
import { saveGroup } from './company.queries.ts'

interface DialogProps {
  /** Missing for a new group. */
  group?: PayrollGroup
  onClose: () => void
}

const GroupDialog = ({ group, onClose }: DialogProps) => {
  const stored = group?.calendar ?? 'half month'
  const isCounted = / days /.test(stored)
  const form = useForm({
    initial: {
      payroll_group: group?.payroll_group ?? '',
      calendar: isCounted ? FORTNIGHT_DAYS : stored,
      since: isCounted ? stored.slice(-10) : '',
      pays_from: group?.pays_from ?? '',
    },
    check: ({ payroll_group, calendar, since }) => ({
      payroll_group: !group && !payroll_group && 'Escribe el nombre del grupo.',
      calendar: !calendar && 'Elige cada cuánto se paga.',
      since: calendar === FORTNIGHT_DAYS && !since && 'Di en qué día empieza.',
    }),
    send: async ({ payroll_group, calendar, since, pays_from }) => {
      await saveGroup({
        payroll_group,
        calendar: calendar === FORTNIGHT_DAYS ? `14 days ${since}` : calendar,
        pays_from: pays_from || null,
        expected_version: group?.version ?? 0,
      })
      announce(`Se guardó: ${groupName(payroll_group)}.`)
      onClose()
    },
  })
  return (
    <FormDialog
      title={group ? groupName(group.payroll_group) : 'Grupo de nómina nuevo'}
      act="Guardar"
      form={form}
      onClose={onClose}
    >
      {!group && <TextField {...form.field('payroll_group')} label="Nombre" autocomplete="off" />}
      <Choice
        {...form.field('calendar')}
        label="Cada cuánto se paga"
        empty="Elige uno"
        options={CALENDARS}
      />
      {form.values.calendar === FORTNIGHT_DAYS && (
        <TextField
          {...form.field('since')}
          label="Un día en que empieza una catorcena"
          type="date"
        />
      )}
      <TextField
        {...form.field('pays_from')}
        label="Primer día que se paga aquí"
        type="date"
        hint="Los días anteriores se pagaron en otro lado. Sin él, el grupo no se cierra."
      />
    </FormDialog>
  )
}

/** The payroll groups, with their calendars and first days. */
export const Groups = () => (
  <section class="stack">
    <div class="head">
      <h2>Grupos de nómina</h2>
      <DialogButton label="Agregar un grupo" dialog={(close) => <GroupDialog onClose={close} />} />
    </div>
    <Loaded read={useQuery(groupsQuery())} failure="No se pudieron leer los grupos" rows={2}>
      {(groups) => (
        <Rows>
          {groups.map((group) => (
            <li key={group.payroll_group}>
              <div class="head">
                <h3>{groupName(group.payroll_group)}</h3>
                <DialogButton
                  class="quiet"
                  label="Cambiar"
                  about={groupName(group.payroll_group)}
                  dialog={(close) => <GroupDialog group={group} onClose={close} />}
                />
              </div>
              <p class="note">
                {calendarText(group.calendar)} · {counted(group.people, 'persona')} ·{' '}
                {group.pays_from
                  ? `se paga aquí desde el ${shownDay(group.pays_from)}`
                  : 'falta su primer día'}
              </p>
            </li>
          ))}
        </Rows>
      )}
    </Loaded>
  </section>
)
