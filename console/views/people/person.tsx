import { useEffect, useRef, useState } from 'hono/jsx/dom'
import { hasStatus, messageOf } from '../../api/client.ts'
import { deletePerson, type EmployeeRecord, readChanges, readPerson } from '../../api/people.ts'
import { signedIn } from '../../api/session.ts'
import {
  describeChanges,
  FIELD_NAMES,
  FIELDS,
  type FieldName,
  shownDay,
  summaryOf,
} from '../../person-fields.ts'
import { linkTo } from '../../routes.ts'
import { announce } from '../../state/ui.ts'
import { useRead } from '../../state/use-read.ts'
import { clockTime, dayOf } from '../../time.ts'
import { Definitions } from '../../ui/definitions.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormEnd, useForm } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Paged } from '../../ui/paged.tsx'
import { Failure, Remark, Skeleton } from '../../ui/reading.tsx'
import { LEAVE, PersonForm } from './person-form.tsx'

export const linkToPerson = (id: string, hacer?: string): string =>
  linkTo('personas/persona', { id, hacer })

interface Act {
  name: string
  lead?: string
  fields: readonly FieldName[]
  preset?: { ended_at: null }
  act: string
}

/** What can be done with a person, by its name in the address. */
const ACTS: Record<string, Act> = {
  editar: {
    name: 'Editar',
    fields: FIELDS.filter((name) => name !== 'employee_id'),
    act: 'Guardar',
  },
  mover: {
    name: 'Cambiar de sucursal',
    lead: 'Vale desde ahora. Las checadas que ya llegaron se quedan donde llegaron.',
    fields: ['branch_office', 'department', 'job_position', 'payroll_group'],
    act: 'Cambiar de sucursal',
  },
  baja: {
    name: 'Último día',
    lead: 'Su registro y sus checadas se quedan. Lo que se le debe se paga en un cierre.',
    fields: ['ended_at'],
    act: LEAVE,
  },
  recontratar: {
    name: 'Recontratar',
    lead: 'Con el mismo número, y sin último día. Su ingreso se queda como está; se cambia en «Editar».',
    fields: ['branch_office', 'department', 'job_position', 'payroll_group'],
    preset: { ended_at: null },
    act: 'Recontratar',
  },
}

const actsFor = ({ ended_at }: EmployeeRecord) =>
  Object.entries(ACTS).filter(([key]) => key !== (ended_at ? 'baja' : 'recontratar'))

const Changes = ({ id }: { id: string }) => {
  const { data, problem } = useRead(() => readChanges(id))
  return (
    <section>
      <h2>Cambios</h2>
      {problem && <p class="problem">{problem}</p>}
      {data?.length === 0 && <p class="note">Ninguno desde que se anotan aquí.</p>}
      <Paged
        items={data ?? []}
        render={(shown) => (
          <ul class="clocks">
            {shown.map((change) => (
              <li key={change.id}>
                {describeChanges(change).map((line) => (
                  <p key={line}>{line}</p>
                ))}
                <p class="note">
                  {change.user?.full_name ?? 'Quien opera el servicio'},{' '}
                  {shownDay(dayOf(change.at))}, {clockTime(change.at)}
                </p>
              </li>
            ))}
          </ul>
        )}
      />
    </section>
  )
}

interface DeleteProps {
  person: EmployeeRecord
  back: string
  onClose: () => void
}

const DeleteDialog = ({ person, back, onClose }: DeleteProps) => {
  const form = useForm({
    check: () => ({}),
    send: async () => {
      await deletePerson(person.employee_id).catch((error) => {
        // An earlier try has deleted it, and its response was lost.
        if (!hasStatus(error, 404)) throw error
      })
      announce(`Se borró ${person.employee_id}.`)
      location.hash = back
    },
    describe: (error) => ({ all: messageOf(error) }),
  })
  return (
    <Dialog title="Borrar este registro" onClose={form.busy ? undefined : onClose}>
      <form {...form.props}>
        <p>
          Solo para un número equivocado, sin checadas, sin usuario y sin cierres. A quien se va se
          le pone su último día.
        </p>
        <FormEnd
          form={form}
          problem={form.problems.all}
          act={`Borrar ${person.employee_id}`}
          busyAct="Borrando…"
          class="danger"
        >
          <button type="button" onClick={onClose} disabled={form.busy}>
            Volver
          </button>
        </FormEnd>
      </form>
    </Dialog>
  )
}

const Facts = ({ person, back }: { person: EmployeeRecord; back: string }) => {
  const [isDeleting, setDeleting] = useState(false)
  const { employee_id, user } = person
  const shown = (name: FieldName) => {
    const value = person[name]
    return value && (name === 'started_at' || name === 'ended_at') ? shownDay(value) : value || '–'
  }
  return (
    <div class="result">
      <Definitions
        class="facts"
        items={[
          ...FIELDS.map((name) => [FIELD_NAMES[name], shown(name)] as const),
          ['Usuario', user ? `${user.email}${user.active ? '' : ' (desactivado)'}` : 'Sin usuario'],
        ]}
      />
      {signedIn().user.employee_id === employee_id ? (
        <Remark key="own">Tu propio registro lo cambia otra persona.</Remark>
      ) : (
        <div class="chips" key="acts">
          {actsFor(person).map(([key, { name }]) => (
            <a key={key} class="button" href={linkToPerson(employee_id, key)}>
              {name}
            </a>
          ))}
          <button type="button" class="quiet lost" onClick={() => setDeleting(true)}>
            Borrar (número equivocado)
          </button>
        </div>
      )}
      {isDeleting && (
        <DeleteDialog key="delete" person={person} back={back} onClose={() => setDeleting(false)} />
      )}
    </div>
  )
}

interface Props {
  id: string
  act: string | undefined
  back: string
}

const Back = ({ to }: { to: string }) => (
  <nav class="neighbors" aria-label="Lista">
    <a href={to}>
      <Icon name="back" />
      Personas
    </a>
  </nav>
)

/** One person: the record, a form for an act, and who changed what. */
export const PersonView = ({ id, act = '', back }: Props) => {
  const { data: person, problem, again } = useRead(() => readPerson(id))
  const [saved, setSaved] = useState<EmployeeRecord | undefined>(undefined)
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = saved ?? person
  const chosen = ACTS[act]
  // The form that had the focus is gone.
  useEffect(() => {
    if (saved && !chosen) heading.current?.focus()
  }, [saved, chosen])
  return (
    <main class="one manual">
      <Back to={back} />
      {!shown && !problem && <Skeleton key="wait" rows={3} />}
      {!shown && problem && (
        <Failure
          key="problem"
          title="No se pudo leer a la persona"
          text={problem}
          onRetry={again}
        />
      )}
      {shown && (
        <div key="name">
          <h1 ref={heading} tabindex={-1}>
            {shown.full_name || id}
          </h1>
          <p class="lead">{summaryOf(shown)}</p>
        </div>
      )}
      {shown && chosen && (
        <PersonForm
          key={`form ${act}`}
          {...chosen}
          title={chosen.name}
          stored={shown}
          back={linkToPerson(id)}
          onSaved={(record) => {
            setSaved(record)
            announce(`Se guardó a ${record.full_name}.`)
            location.hash = linkToPerson(id)
          }}
        />
      )}
      {shown && !chosen && <Facts key="facts" person={shown} back={back} />}
      {shown && <Changes key={`changes ${shown.version}`} id={id} />}
    </main>
  )
}

export const AddPerson = ({ back }: { back: string }) => (
  <main class="one manual">
    <Back to={back} />
    <h1>Agregar persona</h1>
    <PersonForm
      title="Sus datos"
      stored={undefined}
      fields={FIELDS.filter((name) => name !== 'ended_at')}
      act="Agregar"
      back={back}
      onSaved={({ full_name, employee_id }) => {
        announce(`Se agregó a ${full_name}.`)
        location.hash = linkToPerson(employee_id)
      }}
    />
  </main>
)
