import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../../sdk/api-client.ts'
import { ConsoleError, messageOf } from '../session/client.ts'
import { can } from '../session/session.ts'
import { CheckField, Suggestions, TextField } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { AlertList } from '../ui/reading.tsx'
import { linkTo } from '../ui/routes.ts'
import { currentRecordOf, Form, useForm } from '../ui/use-form.tsx'
import { movedText } from './moved-text.ts'
import { checkPeople, type EmployeeRecord, type PersonWrite, savePerson } from './people.queries.ts'
import {
  differencesOf,
  FIELD_NAMES,
  FIELDS,
  type FieldName,
  fieldsOf,
  isField,
  NEW_PERSON,
  nearFinder,
  type PersonFields,
  toRecord,
} from './person-fields.ts'
import { usePlaces } from './places.tsx'

type Base = PersonFields & Partial<EmployeeRecord> & { version: number }

/** What a new person's record is based on. */
const NOBODY: Base = { ...NEW_PERSON, version: 0 }

interface PersonValues extends PersonFields {
  deactivate_user: boolean
  /** The warnings that the user has confirmed. */
  confirmed: string
}

export interface PersonFormProps {
  title: string
  lead?: string
  /** The record as it was read. Undefined for a new person. */
  stored: EmployeeRecord | undefined
  /** The fields to ask for. The other fields keep their stored values. */
  fields: readonly FieldName[]
  /** The values that the fields begin with instead of the stored ones. */
  begin?: Partial<PersonFields>
  /** The values that this form sets without asking. */
  preset?: Partial<PersonFields>
  act: string
  /** Whether the form sets the last day, which is required then. */
  ends?: boolean
  back: string
  onSaved: (record: EmployeeRecord) => void
}

type Warnings = Record<string, string[]>

const INPUT_TYPES: Partial<Record<FieldName, 'date' | 'tel'>> = {
  started_at: 'date',
  ended_at: 'date',
  paid_from: 'date',
  phone: 'tel',
  cellphone: 'tel',
}

/** The errors of a response, each with its field. `checkPeople` names a field `employees.0.rfc`. */
const errorsOf = (error: unknown): [field: string, text: string][] =>
  error instanceof ApiError
    ? Object.entries(error.errors).map(([name, [text = '']]) => [
        name.replace(/^employees\.0\./, ''),
        text,
      ])
    : []

/** Whether the record was changed since it was read, or a new person's employee id is taken. */
const isMoved = (error: unknown): boolean =>
  errorsOf(error).some(([field]) => field === 'expected_version')

/** The closing that has paid a day after the last day. Undefined for any other error. */
const paidBy = (error: unknown): number | undefined =>
  error instanceof ApiError && error.code === 'PAID_AFTER_END'
    ? error.details?.closing_id
    : undefined

/** Adds or changes a person. Before the write, the user must confirm the service's warnings. */
export const PersonForm = (props: PersonFormProps) => {
  const { title, lead, stored, fields, begin, preset, act, ends = false, back, onSaved } = props
  const places = usePlaces()
  const [warnings, setWarnings] = useState<Warnings>({})
  const warned = JSON.stringify(warnings)
  const [closingId, setClosingId] = useState<number>()
  const form = useForm<PersonValues, Base>({
    // Of one version, since an old draft would undo later changes.
    draft: stored ? `persona ${stored.employee_id} ${stored.version} ${title}` : 'persona',
    initial: { ...fieldsOf(stored ?? NEW_PERSON), ...begin, deactivate_user: false, confirmed: '' },
    record: { stored: stored ?? NOBODY, valuesOf: fieldsOf, describe: movedText },
    check: (values) => {
      const isMissing = (name: FieldName) => fields.includes(name) && !values[name]
      return {
        employee_id: isMissing('employee_id') && 'Escribe su número.',
        full_name: isMissing('full_name') && 'Escribe su nombre.',
        started_at: isMissing('started_at') && 'Pon su primer día de trabajo.',
        ended_at: ends && isMissing('ended_at') && 'Pon su último día de trabajo.',
      }
    },
    send: async (values, base) => {
      const { deactivate_user, confirmed } = values
      // What the user has not typed stays as it is, also with blanks at its ends.
      const typed = FIELDS.filter((name) => form.values[name] !== base[name])
      const record = {
        ...fieldsOf(base),
        ...Object.fromEntries(typed.map((name) => [name, values[name] ?? ''])),
        ...preset,
      }
      const write: PersonWrite = {
        ...toRecord(record),
        expected_version: base.version,
        ...(deactivate_user && { deactivate_user }),
      }
      try {
        const [checked] = await checkPeople([write])
        const found = checked?.warnings ?? {}
        setWarnings(found)
        if (Object.keys(found).length > 0 && confirmed !== JSON.stringify(found)) {
          throw new ConsoleError('Todavía no se guarda: lee los avisos y confirma que es correcto.')
        }
        onSaved(await savePerson(write))
      } catch (error) {
        const current = currentRecordOf<EmployeeRecord>(error)
        const isLeaving = deactivate_user && current?.user?.active === 1
        // An earlier request has written this record, and its response was lost.
        if (current && isMoved(error) && !isLeaving && differencesOf(current, write).length === 0) {
          return onSaved(current)
        }
        throw error
      }
    },
    describe: (error) => {
      setClosingId(paidBy(error))
      const errors = errorsOf(error)
      if (errors.length === 0) return { all: messageOf(error) }
      const current = currentRecordOf<EmployeeRecord>(error)
      const owner = current && !stored && `Ese número ya es de ${current.full_name}.`
      return owner && isMoved(error) ? { employee_id: owner } : Object.fromEntries(errors)
    },
  })
  const [first = 'employee_id'] = fields
  useEffect(() => form.focus(first), [])
  const { problems, values, base, moved } = form
  /** A name that is in use and is like the typed one, if there are warnings about that one. */
  const nearOf = (name: string): string | undefined => {
    const used = isField(name) && warnings[name] && places[name]
    const typed = isField(name) ? (values[name] ?? '') : ''
    return used && !used.includes(typed) ? nearFinder(used)(typed) : undefined
  }
  /** The service's warning about a field, with what to do about it. */
  const note = (name: string) => {
    const text = problems[name] ? undefined : warnings[name]?.join(' ')
    const near = text && nearOf(name)
    return (
      text && (
        <span key={`${name} warning`} class="alert" role="alert">
          <Icon name="alert" />
          <span>{near ? `${text} ¿Es «${near}»?` : text}</span>
          {near && (
            <button type="button" class="quiet" onClick={() => form.set({ [name]: near })}>
              Sí, es «{near}»
            </button>
          )}
        </span>
      )
    )
  }
  const input = (name: FieldName) => {
    const field = form.field(name)
    return (
      <div key={name}>
        <TextField
          {...field}
          value={values[name] ?? ''}
          label={FIELD_NAMES[name]}
          type={INPUT_TYPES[name] ?? 'text'}
          autocomplete="off"
          hint={note(name)}
          {...(places[name] && { list: `${field.id}-list` })}
        />
        {places[name] && <Suggestions id={`${field.id}-list`} names={places[name]} />}
        {name === 'ended_at' && problems[name] && closingId && can('read_hours') && (
          <a href={linkTo('cierres', { cierre: String(closingId) })}>Ver el cierre {closingId}</a>
        )}
      </div>
    )
  }
  const hidden = Object.keys(warnings).filter((name) => !isField(name) || !fields.includes(name))
  const { user } = base
  return (
    <Form
      form={form}
      act={moved.length > 0 ? 'Guardar sobre lo de ahora' : act}
      beside={
        <a class="button" href={back} onClick={form.forget}>
          Cancelar
        </a>
      }
    >
      <h2>{title}</h2>
      {lead && <p>{lead}</p>}
      {fields.map(input)}
      {ends && user?.role === 'employee' && user.active === 1 && (
        <div>
          <CheckField {...form.field('deactivate_user')}>
            Desactivar también su usuario ({user.email})
          </CheckField>
          <p class="note">
            Se puede desde el día después del último. Mientras no, sigue entrando a ver sus checadas
            y su finiquito.
          </p>
        </div>
      )}
      {moved.length > 0 && (
        <section role="alert">
          <p>Alguien guardó otros datos mientras escribías. Lo que tú escribiste sigue aquí.</p>
          <AlertList lines={moved} />
        </section>
      )}
      {warned !== '{}' && (
        <div key={warned}>
          {hidden.map(note)}
          <CheckField
            {...form.field('confirmed')}
            value={values.confirmed === warned}
            onChange={(isConfirmed) => form.set({ confirmed: isConfirmed ? warned : '' })}
          >
            Leí los avisos y es correcto
          </CheckField>
        </div>
      )}
    </Form>
  )
}
