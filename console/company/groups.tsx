import { useState } from 'preact/hooks'
import type { PayrollGroup } from '../../sdk/api-types.ts'
import { forgetHours } from '../hours/hours-list.state.ts'
import { readPayrollGroups } from '../hours/payroll-groups.api.ts'
import { shownDay } from '../people/person-fields.ts'
import { refreshSettings } from '../session/session.ts'
import { DialogButton } from '../ui/dialog-button.tsx'
import { Choice } from '../ui/fields.tsx'
import { FormField, useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { counted, groupName } from '../ui/text.ts'
import { announce } from '../ui/ui-state.ts'
import { useRead } from '../ui/use-read.ts'
import { Waiting } from '../ui/waiting.tsx'
import { CALENDARS, calendarText, FORTNIGHT_DAYS } from './calendars.ts'
import { saveGroup } from './company.api.ts'

interface DialogProps {
  /** Undefined for a new group. */
  group: PayrollGroup | undefined
  onClose: () => void
  onSaved: () => void
}

const GroupDialog = ({ group, onClose, onSaved }: DialogProps) => {
  const stored = group?.calendar ?? 'half month'
  const isCounted = / days /.test(stored)
  const [calendar, setCalendar] = useState(isCounted ? FORTNIGHT_DAYS : stored)
  const form = useForm({
    check: (given) => ({
      ...(!group && !given('payroll_group') && { payroll_group: 'Escribe el nombre del grupo.' }),
      ...(!calendar && { calendar: 'Elige cada cuánto se paga.' }),
      ...(calendar === FORTNIGHT_DAYS && !given('since') && { since: 'Di en qué día empieza.' }),
    }),
    send: async (given) => {
      const payroll_group = group?.payroll_group ?? given('payroll_group')
      await saveGroup({
        payroll_group,
        calendar: calendar === FORTNIGHT_DAYS ? `14 days ${given('since')}` : calendar,
        pays_from: given('pays_from') || null,
        expected_version: group?.version ?? 0,
      })
      forgetHours()
      await refreshSettings()
      announce(`Se guardó: ${groupName(payroll_group)}.`)
      onClose()
      onSaved()
    },
  })
  const { problems } = form
  return (
    <FormDialog
      title={group ? groupName(group.payroll_group) : 'Grupo de nómina nuevo'}
      act="Guardar"
      form={form}
      problem={problems.all ?? problems.calendar ?? problems.expected_version}
      onClose={onClose}
    >
      {!group && <FormField form={form} name="payroll_group" label="Nombre" autocomplete="off" />}
      <Choice
        id="group-calendar"
        label="Cada cuánto se paga"
        empty="Elige uno"
        value={calendar}
        options={CALENDARS}
        onChange={setCalendar}
      />
      {calendar === FORTNIGHT_DAYS && (
        <FormField
          form={form}
          name="since"
          label="Un día en que empieza una catorcena"
          type="date"
          value={isCounted ? stored.slice(-10) : ''}
        />
      )}
      <FormField
        form={form}
        name="pays_from"
        label="Primer día que se paga aquí"
        type="date"
        value={group?.pays_from ?? ''}
        hint="Los días anteriores se pagaron en otro lado. Sin él, el grupo no se cierra."
      />
    </FormDialog>
  )
}

/** The payroll groups, with their calendars and first days. */
export const Groups = () => {
  const read = useRead(() => readPayrollGroups())
  return (
    <section class="stack">
      <div class="head">
        <h2>Grupos de nómina</h2>
        <DialogButton
          label="Agregar un grupo"
          dialog={(close) => <GroupDialog group={undefined} onClose={close} onSaved={read.again} />}
        />
      </div>
      <Waiting read={read} failure="No se pudieron leer los grupos" rows={2} />
      <ul class="clocks">
        {read.data?.map((group) => (
          <li key={group.payroll_group}>
            <div class="head">
              <h3>{groupName(group.payroll_group)}</h3>
              <DialogButton
                class="quiet"
                label="Cambiar"
                about={groupName(group.payroll_group)}
                dialog={(close) => (
                  <GroupDialog group={group} onClose={close} onSaved={read.again} />
                )}
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
      </ul>
    </section>
  )
}
