import { useQuery } from '@tanstack/preact-query'
import { hasStatus } from '../session/client.ts'
import { can, mayClose, signedIn } from '../session/session.ts'
import { Definitions } from '../ui/definitions.tsx'
import { ConfirmButton } from '../ui/dialog-button.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { Remark } from '../ui/reading.tsx'
import { linkTo } from '../ui/routes.ts'
import { roleWord } from '../ui/text.ts'
import { announce } from '../ui/ui-state.ts'
import { Changes } from './changes.tsx'
import { inviteOne, isInvitable } from './invitations.queries.ts'
import { LogLinks } from './log-links.tsx'
import { NewLink } from './new-link.tsx'
import { deletePerson, type EmployeeRecord, recordQuery } from './people.queries.ts'
import {
  FIELD_NAMES,
  FIELDS,
  type FieldName,
  isDayField,
  shownDay,
  summaryOf,
} from './person-fields.ts'
import { PersonForm, type PersonFormProps } from './person-form.tsx'

export const linkToPerson = (id: string, hacer?: string): string =>
  linkTo('personas/persona', { id, hacer })

interface Act
  extends Pick<PersonFormProps, 'lead' | 'fields' | 'begin' | 'preset' | 'act' | 'ends'> {
  name: string
}

/** The acts on a person, by their names in the address. */
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
    act: 'Registrar último día',
    ends: true,
  },
  recontratar: {
    name: 'Recontratar',
    lead: 'Con el mismo número, y sin último día. El ingreso es su nuevo primer día de trabajo.',
    fields: ['started_at', 'branch_office', 'department', 'job_position', 'payroll_group'],
    begin: { started_at: '' },
    preset: { ended_at: null },
    act: 'Recontratar',
  },
}

/** The fields of a form. Only who closes and pays sets from which day somebody is paid. */
const askedFields = (fields: readonly FieldName[]): FieldName[] =>
  fields.filter((name) => name !== 'paid_from' || mayClose())

const actsFor = ({ ended_at }: EmployeeRecord) =>
  Object.entries(ACTS).filter(([key]) => key !== (ended_at ? 'baja' : 'recontratar'))

const DeleteButton = ({ id, back }: { id: string; back: string }) => (
  <ConfirmButton
    class="quiet lost"
    label="Borrar (número equivocado)"
    title="Borrar este registro"
    act={`Borrar ${id}`}
    busyAct="Borrando…"
    isDangerous
    send={async () => {
      await deletePerson(id).catch((error) => {
        // An earlier request has deleted the record, and its response was lost.
        if (!hasStatus(error, 404)) throw error
      })
      location.hash = back
      announce(`Se borró ${id}.`)
    }}
  >
    Solo para un número equivocado, sin checadas, sin usuario y sin cierres. A quien se va se le
    pone su último día.
  </ConfirmButton>
)

/** The button that makes a person's link, or the reason why this page cannot make it. */
const Access = ({ person }: { person: EmployeeRecord }) => {
  const { user } = person
  const inUsers = can('keep_users') && user && linkTo(`usuarios/${user.id}`)
  if (isInvitable(person)) {
    return (
      <NewLink
        key="link"
        name={person.full_name}
        hasUser={user !== null}
        make={() => inviteOne(person)}
      />
    )
  }
  const isOut = user?.role === 'employee'
  return (
    <Remark key="remark">
      {isOut
        ? `Su usuario, ${user.email}, sigue desactivado: no puede entrar. `
        : `Su usuario, ${user?.email}, tiene el rol ${roleWord(user?.role ?? '')}: su enlace se hace en Usuarios. `}
      {inUsers && <a href={inUsers}>{isOut ? 'Activarlo en Usuarios' : 'Ver su usuario'}</a>}
    </Remark>
  )
}

const Facts = ({ person, back }: { person: EmployeeRecord; back: string }) => {
  const { employee_id, user } = person
  const shown = (name: FieldName) => {
    const value = person[name]
    return value && isDayField(name) ? shownDay(value) : value || '–'
  }
  return (
    <div class="result">
      {can('read_hours') && (
        <p key="links">
          <LogLinks person={person} />
        </p>
      )}
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
        <div class="stack" key="acts">
          <div class="chips">
            {actsFor(person).map(([key, { name }]) => (
              <a key={key} class="button" href={linkToPerson(employee_id, key)}>
                {name}
              </a>
            ))}
            <DeleteButton id={employee_id} back={back} />
          </div>
          <Access person={person} />
        </div>
      )}
    </div>
  )
}

interface Props {
  id: string
  act: string | undefined
  back: string
}

/** The page of a person: the record or the form of an act, and the changes. */
export const PersonView = ({ id, act = '', back }: Props) => {
  const read = useQuery(recordQuery(id))
  const chosen = Object.hasOwn(ACTS, act) ? ACTS[act] : undefined
  return (
    <Page
      back={{ to: back, list: 'Personas' }}
      title={read.data && (read.data.full_name || id)}
      // The first field of a form has the focus.
      about={chosen ? undefined : id}
      lead={read.data && summaryOf(read.data)}
    >
      <Loaded isPage read={read} failure="No se pudo leer a la persona" rows={3}>
        {(person) => (
          <>
            {chosen ? (
              <PersonForm
                key={`form ${act}`}
                {...chosen}
                fields={askedFields(chosen.fields)}
                title={chosen.name}
                stored={person}
                back={linkToPerson(id)}
                onSaved={({ full_name }) => {
                  location.hash = linkToPerson(id)
                  announce(`Se guardó a ${full_name}.`)
                }}
              />
            ) : (
              <Facts person={person} back={back} />
            )}
            <Changes subject="employee" id={id} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

interface AddProps {
  back: string
  /** The number of a clock whose punches wait for this person. */
  number: string | undefined
}

export const AddPerson = ({ back, number }: AddProps) => (
  <Page back={{ to: back, list: 'Personas' }} title="Agregar persona">
    <PersonForm
      title="Sus datos"
      stored={undefined}
      {...(number && { begin: { employee_id: number } })}
      fields={askedFields(FIELDS.filter((name) => name !== 'ended_at'))}
      act="Agregar"
      back={back}
      onSaved={({ full_name, employee_id }) => {
        location.hash = number ? linkTo('relojes') : linkToPerson(employee_id)
        announce(`Se agregó a ${full_name}.`)
      }}
    />
  </Page>
)
