import { useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import type { EmployeeRecord } from '../../sdk/api-types.ts'
import { branchNames, signedIn } from '../session/session.ts'
import { ActButton } from '../ui/buttons.tsx'
import { Checkbox } from '../ui/fields.tsx'
import { choice, declareFilter, type FieldsOf, Filters, NoMatch } from '../ui/filters.tsx'
import { Icon } from '../ui/icon.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { Paged } from '../ui/paged.tsx'
import { AlertList, Problem, Remark } from '../ui/reading.tsx'
import { mayLeave, type Route, useLeaveQuestion } from '../ui/routes.ts'
import { counted, withoutAccents } from '../ui/text.ts'
import { TextFilter } from '../ui/text-filter.tsx'
import { Slips } from './invitation-slips.tsx'
import { type InvitationFilter, invitableQuery, invite, type Slip } from './invitations.queries.ts'

const list = declareFilter('invitaciones', {
  branch_office: choice('Sucursal', () => branchNames().filter(Boolean), 'Todas'),
  payroll_group: choice('Grupo de nómina', () => signedIn().payroll_groups.filter(Boolean)),
} satisfies FieldsOf<InvitationFilter>)

const hasWords = ({ full_name, employee_id }: EmployeeRecord, search: string): boolean => {
  const words = withoutAccents(`${full_name} ${employee_id}`)
  return withoutAccents(search)
    .split(/\s+/)
    .every((word) => words.includes(word))
}

const without = (ids: ReadonlySet<string>, list: { employee_id: string }[]) => {
  const others = new Set(ids)
  for (const { employee_id } of list) others.delete(employee_id)
  return others
}

/** Asks before the user leaves while links are made, which are shown only here. */
const Making = () => {
  useLeaveQuestion('Se están haciendo los enlaces, y solo se muestran aquí. ¿Salir?')
  return null
}

interface ChoosingProps {
  people: EmployeeRecord[]
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

/** The people to choose from. The buttons and boxes are about the people whom a search finds. */
const Choosing = ({ people, chosen, onChange }: ChoosingProps) => {
  const [search, setSearch] = useState('')
  const found = people.filter((person) => hasWords(person, search))
  const hidden = without(chosen, found).size
  const add = (list: EmployeeRecord[]) =>
    onChange(new Set([...chosen, ...list.map(({ employee_id }) => employee_id)]))
  const remove = (list: EmployeeRecord[]) => onChange(without(chosen, list))
  return (
    <div class="stack">
      <TextFilter id="invitations-q" label="Nombre o número" onChange={setSearch} />
      <div class="selector">
        <button type="button" onClick={() => add(found)}>
          Todas
        </button>
        <button type="button" onClick={() => add(found.filter(({ user }) => !user))}>
          Sin usuario
        </button>
        <button type="button" onClick={() => remove(found)}>
          Ninguna
        </button>
      </div>
      <p class="note" role="status">
        {hidden > 0 &&
          `También ${hidden === 1 ? 'está elegida 1 persona' : `están elegidas ${hidden} personas`} que esta búsqueda no muestra.`}
      </p>
      {found.length === 0 && <p class="note">Nadie coincide con la búsqueda.</p>}
      <Paged
        items={found}
        render={(shown) => (
          <ul class="people">
            {shown.map((person) => (
              <li key={person.employee_id}>
                <Checkbox
                  checked={chosen.has(person.employee_id)}
                  onChange={(checked) => (checked ? add([person]) : remove([person]))}
                >
                  <span>
                    {person.full_name}{' '}
                    <span class="note">
                      {person.employee_id} · {person.branch_office} ·{' '}
                      {person.user ? 'ya tiene usuario' : 'sin usuario'}
                    </span>
                  </span>
                </Checkbox>
              </li>
            ))}
          </ul>
        )}
      />
    </div>
  )
}

interface Made {
  slips: Slip[]
  rejected: string[]
  problem: string
}

const Sheet = ({ slips, rejected, problem, onBack }: Made & { onBack: () => void }) => {
  const [isPrinted, setPrinted] = useState(false)
  useLeaveQuestion(
    isPrinted || slips.length === 0
      ? ''
      : 'Estos enlaces no se han impreso y no se muestran otra vez. ¿Salir?',
  )
  useEffect(() => {
    const note = () => setPrinted(true)
    addEventListener('afterprint', note)
    return () => removeEventListener('afterprint', note)
  }, [])
  return (
    <Page
      class="sheet"
      about="sheet"
      title={counted(slips.length, 'invitación', 'invitaciones')}
      acts={
        <>
          <button type="button" onClick={() => mayLeave() && onBack()}>
            Invitar a otras personas
          </button>
          <button type="button" class="primary" onClick={() => print()}>
            <Icon name="print" />
            Imprimir
          </button>
        </>
      }
    >
      <Remark>
        Los enlaces se muestran solo esta vez: imprime la hoja antes de salir, y entrega cada tira a
        su persona. Quien pierda la suya necesita un enlace nuevo.
      </Remark>
      <Problem text={problem} />
      {rejected.length > 0 && <AlertList lines={rejected} />}
      <Slips slips={slips} />
    </Page>
  )
}

const Selection = ({ filter }: { filter: InvitationFilter }) => {
  const read = useQuery(invitableQuery(filter))
  const { people = [] } = read.data ?? {}
  const [picked, setPicked] = useState<ReadonlySet<string>>()
  /** The number of links so far. Undefined while none are made. */
  const [progress, setProgress] = useState<number>()
  const [made, setMade] = useState<Made>()

  // At first, only people without a user are chosen: with a link, a user sets a new password.
  // Somebody who was picked may be no longer in the list when it is read again.
  const picks = people.filter(({ employee_id, user }) => picked?.has(employee_id) ?? !user)
  const chosen = new Set(picks.map(({ employee_id }) => employee_id))
  const send = async () => {
    setProgress(0)
    const { slips, rejected, left, problem = '' } = await invite(picks, setProgress)
    setProgress(undefined)
    if (slips.length === 0 && rejected.length === 0) return problem
    const rest = `Faltan ${counted(left.length, 'persona')}: ${problem}`
    setMade({ slips, rejected, problem: left.length > 0 ? rest : '' })
    scrollTo(0, 0)
    return slips.length === 1 ? 'Se hizo 1 enlace.' : `Se hicieron ${slips.length} enlaces.`
  }
  if (made) {
    const onBack = () => {
      setPicked(without(chosen, made.slips))
      setMade(undefined)
    }
    return <Sheet key="sheet" {...made} onBack={onBack} />
  }
  const count = counted(chosen.size, 'persona')
  return (
    <Page
      key="selection"
      title="Hoja de invitaciones"
      lead="Un enlace para cada persona, con su código QR, para que ponga su contraseña y use la app. Se imprime y se recorta. Quien ya tiene usuario y recibe otro enlace pone otra contraseña."
    >
      {progress !== undefined && <Making />}
      <div inert={progress !== undefined}>
        <Filters of={list} filter={filter} />
      </div>
      <Loaded read={read} failure="No se pudo leer la lista">
        {({ people, excluded }) => (
          <>
            {excluded.length > 0 && (
              <details>
                <summary>
                  {excluded.length === 1
                    ? '1 persona no recibe un enlace aquí'
                    : `${excluded.length} personas no reciben un enlace aquí`}
                </summary>
                <AlertList lines={excluded} />
              </details>
            )}
            {people.length === 0 ? (
              <NoMatch of={list}>No hay nadie a quien invitar aquí.</NoMatch>
            ) : (
              <>
                <Choosing people={people} chosen={chosen} onChange={setPicked} />
                <footer>
                  <ActButton
                    label={`Hacer los enlaces de ${count}`}
                    busyLabel={`${progress} de ${count}…`}
                    class="primary"
                    disabled={chosen.size === 0}
                    act={send}
                  />
                </footer>
              </>
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** A sheet of invitations for people without a user, or with an active user of role `employee`. */
export const InvitationsView = ({ route: { query } }: { route: Route }) => (
  <Selection key={JSON.stringify(query)} filter={list.of(query)} />
)
