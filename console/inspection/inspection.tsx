import { branchNames, can, signedIn } from '../session/session.ts'
import { saveFile } from '../ui/buttons.tsx'
import { Choice, TextField } from '../ui/fields.tsx'
import { Page } from '../ui/page.tsx'
import { PersonFilter } from '../ui/person-search.tsx'
import { fromAddress, linkToFiltered, type Route, toAddress } from '../ui/routes.ts'
import { fortnightOf, today } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
import { Form, useForm } from '../ui/use-form.tsx'
import { makeFolder } from './folder.ts'
import { daysMax, problemOfPeriod, type Selection } from './selection.ts'

const go = (selection: Selection) => {
  location.hash = linkToFiltered('inspeccion', {
    ...selection,
    employee_id: selection.employee_id || undefined,
  })
}

const contentText = (selection: Selection): string => {
  const { seals } = signedIn()
  const most = `${daysMax(selection)} días como máximo.`
  if (!seals) return `${most} Este servicio no tiene llave de sellos: no hay evidencia.`
  if (!selection.employee_id && selection.branch_office === undefined)
    return `${most} Con el sello más reciente; la evidencia es de una persona o de una sucursal.`
  return can('decide')
    ? `${most} Con su evidencia.`
    : `${most} La evidencia la pide quien administra.`
}

const InspectionForm = ({ selection }: { selection: Selection }) => {
  const { employee_id, branch_office } = selection
  const branches = branchNames()
  const form = useForm({
    initial: { from: selection.from, to: selection.to, person: '' },
    check: ({ person, ...period }) => ({
      // A name was typed, but no person was chosen. The ZIP would be about everybody.
      person: person && 'Elige a la persona de la lista, o borra su nombre.',
      to: problemOfPeriod({ ...selection, ...period }),
    }),
    send: async ({ person: _, ...period }) => {
      const wanted = { ...selection, ...period }
      const { name, blob } = await makeFolder(wanted)
      go(wanted)
      announce(saveFile(name, blob))
    },
  })
  const period = () => ({ from: form.values.from, to: form.values.to })
  return (
    <Form form={form} act="Preparar la carpeta" busyAct="Preparando…">
      <PersonFilter
        id={employee_id}
        removeText="elegir a otra, o a todas"
        invalid={form.field('person').problem}
        onType={(person) => form.set({ person })}
        onChange={(id) => {
          form.set({ person: '' })
          go({ ...selection, ...period(), employee_id: id })
        }}
      />
      {!employee_id && branches.length > 1 && (
        <Choice
          id="inspection-branch"
          label="O todas las personas de una sucursal"
          value={toAddress(branch_office)}
          options={branches.map((name) => [toAddress(name), name || 'Sin sucursal'])}
          empty="Todas las sucursales"
          onChange={(name) => {
            const chosen = name === '' ? undefined : fromAddress(name)
            go({ ...selection, ...period(), branch_office: chosen })
          }}
        />
      )}
      <div class="pair">
        <TextField {...form.field('from')} label="Desde" type="date" />
        <TextField {...form.field('to')} label="Hasta" type="date" />
      </div>
      <p class="note">{contentText(selection)}</p>
    </Form>
  )
}

/** The form that makes a ZIP for an inspector. The ZIP can be read without the service. */
export const InspectionView = ({ route: { query } }: { route: Route }) => {
  const { employee_id = '', branch_office } = query
  const { from = fortnightOf(today()).from, to = today() } = query
  return (
    <Page
      back={{ to: linkToFiltered('horas', query), list: 'Horas' }}
      title="Para la inspección"
      lead="Una carpeta ZIP con el inicio y el fin de cada día, y en qué descansa cada cifra. Se lee y se comprueba sin este servicio."
    >
      <InspectionForm selection={{ employee_id, branch_office, from, to }} />
    </Page>
  )
}
