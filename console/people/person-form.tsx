import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../../sdk/api-client.ts'
import { ConsoleError, messageOf } from '../session/client.ts'
import { can } from '../session/session.ts'
import { Checkbox, Field, Suggestions } from '../ui/fields.tsx'
import { FormEnd, type Given, useForm } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { AlertList } from '../ui/reading.tsx'
import { linkTo } from '../ui/routes.ts'
import { checkPeople, type EmployeeRecord, type PersonWrite, savePerson } from './people.api.ts'
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
import { currentRecordOf, useRecordDraft } from './record-draft.ts'

type Base = PersonFields & Partial<EmployeeRecord> & { version: number }

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
  // After saving, `stored` changes before the form is gone. The form ignores this change.
  const [initial] = useState<Base>(stored ?? { ...NEW_PERSON, version: 0 })
  const { base, draft, change, moved, take } = useRecordDraft<PersonFields, Base>(
    initial,
    fieldsOf,
    begin,
  )
  const [warnings, setWarnings] = useState<Warnings>({})
  const warned = JSON.stringify(warnings)
  const [closingId, setClosingId] = useState<number>()

  const toWrite = (given: Given): PersonWrite => {
    const typed = FIELDS.filter((name) => draft[name] !== base[name])
    const record = {
      ...draft,
      ...Object.fromEntries(typed.map((name) => [name, (draft[name] ?? '').trim()])),
      ...preset,
    }
    return {
      ...toRecord(record),
      expected_version: base.version,
      ...(given('deactivate_user') && { deactivate_user: true }),
    }
  }
  const form = useForm({
    // Only a new person has a draft. Over a stored record, an old draft would undo later changes.
    ...(!stored && { draft: 'persona' }),
    check: (given) => {
      const isMissing = (name: FieldName) => fields.includes(name) && !given(name)
      return {
        ...(isMissing('employee_id') && { employee_id: 'Escribe su número.' }),
        ...(isMissing('full_name') && { full_name: 'Escribe su nombre.' }),
        ...(isMissing('started_at') && { started_at: 'Pon su primer día de trabajo.' }),
        ...(ends && isMissing('ended_at') && { ended_at: 'Pon su último día de trabajo.' }),
      }
    },
    send: async (given) => {
      const write = toWrite(given)
      try {
        const [checked] = await checkPeople([write])
        const found = checked?.warnings ?? {}
        setWarnings(found)
        if (Object.keys(found).length > 0 && given('confirmed') !== JSON.stringify(found)) {
          throw new ConsoleError('Todavía no se guarda: lee los avisos y confirma que es correcto.')
        }
        onSaved(await savePerson(write))
      } catch (error) {
        const current = currentRecordOf<EmployeeRecord>(error)
        const isLeaving = write.deactivate_user && current?.user?.active === 1
        // An earlier request has written this record, and its response was lost.
        if (current && isMoved(error) && !isLeaving && differencesOf(current, write).length === 0) {
          return onSaved(current)
        }
        if (current && stored && isMoved(error)) take(current)
        throw error
      }
    },
    describe: (error) => {
      setClosingId(paidBy(error))
      const errors = errorsOf(error)
      if (errors.length === 0) return { all: messageOf(error) }
      const current = currentRecordOf<EmployeeRecord>(error)
      const owner = current && !stored && `Ese número ya es de ${current.full_name}.`
      if (owner && isMoved(error)) return { employee_id: owner }
      const isShown = (field: string) =>
        field === 'deactivate_user' || fields.some((name) => name === field)
      const others = errors.filter(([field]) => !isShown(field)).map(([, text]) => text)
      return {
        ...Object.fromEntries(errors.filter(([field]) => isShown(field))),
        ...(others.length > 0 && { all: others.join(' ') }),
      }
    },
  })
  useEffect(() => form.props.ref.current?.querySelector('input')?.focus(), [])
  const { id, problems, about } = form
  /** A name that is in use and is like the typed one, if there are warnings about that one. */
  const nearOf = (name: string): string | undefined => {
    const used = isField(name) && warnings[name] && places[name]
    const typed = isField(name) ? (draft[name] ?? '') : ''
    return used && !used.includes(typed) ? nearFinder(used)(typed) : undefined
  }
  const note = (name: string) => {
    const text = problems[name] ?? warnings[name]?.join(' ')
    const near = problems[name] ? undefined : nearOf(name)
    const closing = name === 'ended_at' && problems[name] && closingId
    return (
      <p id={`${id}-${name}-problem`} class={problems[name] ? 'problem' : 'alert'} role="alert">
        {text && !problems[name] && <Icon name="alert" />}
        {text && <span>{near ? `${text} ¿Es «${near}»?` : text}</span>}
        {near && (
          <button type="button" class="quiet" onClick={() => change({ [name]: near })}>
            Sí, es «{near}»
          </button>
        )}
        {closing && can('read_hours') && (
          <a href={linkTo('cierres', { cierre: String(closing) })}>Ver el cierre {closing}</a>
        )}
      </p>
    )
  }
  const input = (name: FieldName) => (
    <div key={name}>
      <Field id={`${id}-${name}`} label={FIELD_NAMES[name]}>
        <input
          id={`${id}-${name}`}
          name={name}
          type={INPUT_TYPES[name] ?? 'text'}
          autocomplete="off"
          list={places[name] ? `${id}-${name}-list` : undefined}
          value={draft[name] ?? ''}
          {...about(name)}
          onInput={({ target }: Event) => change({ [name]: (target as HTMLInputElement).value })}
        />
      </Field>
      {places[name] && <Suggestions id={`${id}-${name}-list`} names={places[name]} />}
      {note(name)}
    </div>
  )
  const hidden = Object.keys(warnings).filter((name) => !isField(name) || !fields.includes(name))
  const { user } = base
  return (
    <form {...form.props}>
      <h2>{title}</h2>
      {lead && <p>{lead}</p>}
      {fields.map(input)}
      {ends && user?.role === 'employee' && user.active === 1 && (
        <div>
          <Checkbox name="deactivate_user" value="1">
            Desactivar también su usuario ({user.email})
          </Checkbox>
          <p class="note">
            Se puede desde el día después del último. Mientras no, sigue entrando a ver sus checadas
            y su finiquito.
          </p>
          {note('deactivate_user')}
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
          {hidden.map((name) => note(name))}
          <Checkbox name="confirmed" value={warned}>
            Leí los avisos y es correcto
          </Checkbox>
        </div>
      )}
      <FormEnd
        form={form}
        problem={problems.all}
        act={moved.length > 0 ? 'Guardar sobre lo de ahora' : act}
        busyAct="Guardando…"
      >
        <a class="button" href={back} onClick={form.forget}>
          Cancelar
        </a>
      </FormEnd>
    </form>
  )
}
