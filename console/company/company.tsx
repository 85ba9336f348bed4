import { useState } from 'preact/hooks'
import type { CompanyName } from '../../sdk/api-types.ts'
import { ConsoleError } from '../session/client.ts'
import { findEmployee } from '../session/employees.ts'
import { mayClose, signedIn } from '../session/session.ts'
import { FormEnd, FormField, useForm } from '../ui/form.tsx'
import { Heading } from '../ui/heading.tsx'
import { Problem } from '../ui/reading.tsx'
import type { Route } from '../ui/routes.ts'
import { announce } from '../ui/ui-state.ts'
import { useRead } from '../ui/use-read.ts'
import { Waiting } from '../ui/waiting.tsx'
import { roleName, roleNames } from '../users/user-form.tsx'
import { readCompany, saveName } from './company.api.ts'
import { Groups } from './groups.tsx'
import { type ProposedShift, Shifts, Zones } from './rules.tsx'

interface NameProps {
  company: CompanyName
  onSaved: () => void
}

const NameForm = ({ company, onSaved }: NameProps) => {
  // Rules that are saved below read the company again. The form keeps what it was opened with.
  const [opened, setOpened] = useState(company)
  const form = useForm({
    draft: 'empresa',
    check: (given) => (given('name') ? {} : { name: 'Escribe el nombre.' }),
    send: async (given) => {
      setOpened(await saveName(given('name'), opened.version))
      announce('El nombre se guardó.')
      onSaved()
    },
  })
  return (
    <form {...form.props}>
      <FormField
        form={form}
        name="name"
        label="Nombre"
        value={opened.name}
        autocomplete="organization"
        hint="Lo llevan las tarjetas y las carpetas para la inspección."
      />
      <FormEnd
        form={form}
        problem={form.problems.all}
        act="Guardar el nombre"
        busyAct="Guardando…"
      />
    </form>
  )
}

/** Finds the person of a link to the form of longest shifts. Undefined if there is no such link. */
const findProposed = async (id: string, hours: string): Promise<ProposedShift | undefined> => {
  if (id === '') return undefined
  const person = await findEmployee(id)
  if (!person) throw new ConsoleError(`No existe un empleado con el número ${id}.`)
  return { person, hours }
}

/** What holds for the whole company: name, zones, longest shifts, payroll groups and roles. */
export const CompanyView = ({ route }: { route: Route }) => {
  const read = useRead(readCompany)
  const { jornada = '', horas = '' } = route.query
  const guard = useRead(() => findProposed(jornada, horas), [jornada, horas])
  const { data: company } = read
  const mayChange = mayClose()
  return (
    <main class="users">
      <Heading about={company?.version}>Empresa</Heading>
      <p class="lead">
        Lo que vale para toda la empresa. Los cambios de zonas y jornadas quedan en la evidencia.
      </p>
      <Waiting key="wait" read={read} failure="No se pudo leer la empresa" rows={6} />
      {company &&
        (mayChange ? (
          <NameForm key="name" company={company} onSaved={read.again} />
        ) : (
          <p>
            <strong>{company.name}</strong>
          </p>
        ))}
      {company && (
        <Zones key="zones" company={company} mayChange={mayChange} onSaved={read.again} />
      )}
      {company && (
        <Shifts
          key={`shifts ${guard.data?.person.employee_id}`}
          company={company}
          mayChange={mayChange}
          onSaved={read.again}
          proposed={guard.data}
        />
      )}
      <Problem key="problem" text={guard.problem} />
      {mayChange && <Groups key="groups" />}
      {signedIn().roles && (
        <section class="stack" key="roles">
          <h2>Roles</h2>
          <p class="note">Qué puede cada rol lo dice la instalación.</p>
          <ul class="clocks">
            {roleNames().map((role) => (
              <li key={role}>{roleName(role)}</li>
            ))}
          </ul>
        </section>
      )}
    </main>
  )
}
