import { useQuery } from '@tanstack/preact-query'
import type { CompanyName } from '../../sdk/api-types.ts'
import { mayClose, signedIn } from '../session/session.ts'
import { TextField } from '../ui/fields.tsx'
import { Rows } from '../ui/list.tsx'
import { Loaded, ReadProblem } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { foundPeople } from '../ui/person.queries.ts'
import { Problem } from '../ui/reading.tsx'
import type { Route } from '../ui/routes.ts'
import { announce } from '../ui/ui-state.ts'
import { Form, useForm } from '../ui/use-form.tsx'
import { roleName, roleNames } from '../users/user-form.tsx'
import { companyQuery, saveName } from './company.queries.ts'
import { Groups } from './groups.tsx'
import { Shifts, Zones } from './rules.tsx'

const NameForm = ({ company }: { company: CompanyName }) => {
  const form = useForm({
    draft: 'empresa',
    initial: { name: company.name },
    record: {
      stored: company,
      valuesOf: ({ name }) => ({ name }),
      describe: (_, __, after) => `Ahora se llama «${after}».`,
    },
    check: ({ name }) => ({ name: !name && 'Escribe el nombre.' }),
    send: async ({ name }, base) => {
      await saveName(name, base.version)
      announce('El nombre se guardó.')
    },
  })
  return (
    <Form form={form} act="Guardar el nombre">
      <TextField
        {...form.field('name')}
        label="Nombre"
        autocomplete="organization"
        hint="Lo llevan las tarjetas y las carpetas para la inspección."
      />
    </Form>
  )
}

/** What holds for the whole company: name, zones, longest shifts, payroll groups and roles. */
export const CompanyView = ({ route }: { route: Route }) => {
  const { jornada = '', horas = '' } = route.query
  // A link opens the form of the longest shifts, filled in for a person.
  const { data, error } = useQuery(foundPeople(jornada))
  const person = data?.find(({ employee_id }) => employee_id === jornada)
  const mayChange = mayClose()
  return (
    <Page
      about="company"
      title="Empresa"
      lead="Lo que vale para toda la empresa. Los cambios de zonas y jornadas quedan en la evidencia."
    >
      <Loaded read={useQuery(companyQuery)} failure="No se pudo leer la empresa">
        {(company) => (
          <>
            {mayChange ? (
              <NameForm company={company} />
            ) : (
              <p>
                <strong>{company.name}</strong>
              </p>
            )}
            <Zones company={company} mayChange={mayChange} />
            <Shifts
              key={`shifts ${person?.employee_id}`}
              company={company}
              mayChange={mayChange}
              proposed={person && { person, hours: horas }}
            />
          </>
        )}
      </Loaded>
      <ReadProblem error={error} />
      {data && !person && <Problem text={`No existe un empleado con el número ${jornada}.`} />}
      {mayChange && <Groups />}
      {signedIn().roles && (
        <section class="stack">
          <h2>Roles</h2>
          <p class="note">Qué puede cada rol lo dice la instalación.</p>
          <Rows>
            {roleNames().map((role) => (
              <li key={role}>{roleName(role)}</li>
            ))}
          </Rows>
        </section>
      )}
    </Page>
  )
}
