import { useState } from 'hono/jsx/dom'
import type { EmployeeRecord } from '../../sdk/api-types.ts'
import {
  type InvitationFilter,
  invite,
  type Refused,
  readInvitable,
  type Slip,
} from '../api/invitations.ts'
import { signedIn } from '../api/session.ts'
import { linkTo, type Route } from '../routes.ts'
import { useRead } from '../state/use-read.ts'
import { counted } from '../text.ts'
import { ActButton } from '../ui/buttons.tsx'
import { Checkbox, Choice } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { Paged } from '../ui/paged.tsx'
import { Failure, Remark, Skeleton } from '../ui/reading.tsx'
import type { Slips } from './invitation-slips.tsx'

const Filters = ({ filter }: { filter: InvitationFilter }) => {
  const { branches, payroll_groups: groups } = signedIn()
  const change = (changes: InvitationFilter) => {
    location.hash = linkTo('invitaciones', { ...filter, ...changes })
  }
  return (
    <div class="fields">
      <Choice
        id="invitations-branch"
        label="Sucursal"
        empty="Todas"
        value={filter.branch_office}
        options={branches.map(({ branch_office: name }) => [name, name] as const)}
        onChange={(branch_office) => change({ branch_office })}
      />
      {groups.some(Boolean) && (
        <Choice
          id="invitations-group"
          label="Grupo de nómina"
          value={filter.payroll_group}
          options={groups.filter(Boolean).map((name) => [name, name] as const)}
          onChange={(payroll_group) => change({ payroll_group })}
        />
      )}
    </div>
  )
}

interface ChoosingProps {
  people: EmployeeRecord[]
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

const Choosing = ({ people, chosen, onChange }: ChoosingProps) => {
  const toggle = (id: string, checked: boolean) => {
    const next = new Set(chosen)
    if (checked) next.add(id)
    else next.delete(id)
    onChange(next)
  }
  const idsOf = (list: EmployeeRecord[]) => new Set(list.map(({ employee_id }) => employee_id))
  return (
    <div>
      <div class="selector">
        <button type="button" onClick={() => onChange(idsOf(people))}>
          Todas
        </button>
        <button type="button" onClick={() => onChange(idsOf(people.filter(({ user }) => !user)))}>
          Sin usuario
        </button>
        <button type="button" onClick={() => onChange(new Set())}>
          Ninguna
        </button>
      </div>
      <Paged
        items={people}
        render={(shown) => (
          <ul class="people">
            {shown.map(({ employee_id: id, full_name, branch_office, user }) => (
              <li key={id}>
                <Checkbox checked={chosen.has(id)} onChange={(checked) => toggle(id, checked)}>
                  <span>
                    {full_name}{' '}
                    <span class="note">
                      {id} · {branch_office} · {user ? 'ya tiene usuario' : 'sin usuario'}
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

const RefusedList = ({ refused }: { refused: Refused[] }) => (
  <ul class="conflicts">
    {refused.map(({ employee, text }) => (
      <li key={employee.employee_id}>
        <Icon name="alert" />
        {employee.full_name} ({employee.employee_id}): {text}
      </li>
    ))}
  </ul>
)

interface SheetProps {
  Slips: typeof Slips
  slips: Slip[]
  refused: Refused[]
  problem: string
  onBack: () => void
}

const Sheet = ({ Slips, slips, refused, problem, onBack }: SheetProps) => (
  <main class="users sheet">
    <header class="head">
      <h1>{counted(slips.length, 'invitación', 'invitaciones')}</h1>
      <span class="acts">
        <button type="button" onClick={onBack}>
          Invitar a otras personas
        </button>
        <button type="button" class="primary" onClick={() => print()}>
          <Icon name="print" />
          Imprimir
        </button>
      </span>
    </header>
    <Remark>
      Los enlaces se muestran solo esta vez: imprime la hoja antes de salir, y entrega cada tira a
      su persona. Quien pierda la suya necesita un enlace nuevo.
    </Remark>
    <p class="problem" role="alert">
      {problem}
    </p>
    {refused.length > 0 && <RefusedList refused={refused} />}
    <Slips slips={slips} />
  </main>
)

const Selection = ({ filter }: { filter: InvitationFilter }) => {
  const { data: people, problem, again } = useRead(() => readInvitable(filter))
  const [picked, setPicked] = useState<ReadonlySet<string> | undefined>(undefined)
  const [progress, setProgress] = useState(0)
  const [made, setMade] = useState<Omit<SheetProps, 'onBack'> | undefined>(undefined)

  // At first, those without a user: a link for somebody else changes a password.
  const withoutUser = people?.filter(({ user }) => !user).map(({ employee_id }) => employee_id)
  const chosen = picked ?? new Set(withoutUser)
  const send = async () => {
    // The code that draws the sheet comes first: without it the links would be lost.
    const { Slips } = await import('./invitation-slips.tsx')
    const list = people?.filter(({ employee_id }) => chosen.has(employee_id)) ?? []
    const { slips, refused, left, problem = '' } = await invite(list, setProgress)
    setProgress(0)
    if (slips.length === 0 && refused.length === 0) return problem
    const rest = `Faltan ${counted(left.length, 'persona')}: ${problem}`
    setMade({ Slips, slips, refused, problem: left.length > 0 ? rest : '' })
    scrollTo(0, 0)
    return `Se hicieron ${counted(slips.length, 'enlace')}.`
  }
  if (made) {
    const onBack = () => {
      const done = new Set(made.slips.map(({ employee_id }) => employee_id))
      setPicked(new Set([...chosen].filter((id) => !done.has(id))))
      setMade(undefined)
      again()
    }
    return <Sheet {...made} onBack={onBack} />
  }
  const count = counted(chosen.size, 'persona')
  return (
    <main class="users">
      <h1>Hoja de invitaciones</h1>
      <p class="lead">
        Un enlace para cada persona, con su código QR, para que ponga su contraseña y use la app. Se
        imprime y se recorta. Quien ya tiene usuario y recibe otro enlace pone otra contraseña.
      </p>
      <Filters filter={filter} />
      {problem && <Failure title="No se pudo leer la lista" text={problem} onRetry={again} />}
      {!people && !problem && <Skeleton rows={6} />}
      {people?.length === 0 && <p class="note">No hay nadie a quien invitar aquí.</p>}
      {people && people.length > 0 && (
        <Choosing key="people" people={people} chosen={chosen} onChange={setPicked} />
      )}
      {people && people.length > 0 && (
        <footer key="send">
          <ActButton
            label={`Hacer los enlaces de ${count}`}
            busyLabel={`${progress} de ${count}…`}
            class="primary"
            disabled={chosen.size === 0}
            act={send}
          />
        </footer>
      )}
    </main>
  )
}

/** A sheet of invitations for people who have no user, or one that only uses the app. */
export const InvitationsView = ({ route: { query } }: { route: Route }) => (
  <div class="contents">
    <Selection key={JSON.stringify(query)} filter={query} />
  </div>
)
