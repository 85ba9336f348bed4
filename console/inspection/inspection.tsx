import { useState } from 'preact/hooks'
import { branchNames, can, signedIn } from '../session/session.ts'
import { Back } from '../ui/back.tsx'
import { saveFile } from '../ui/buttons.tsx'
import { Choice } from '../ui/fields.tsx'
import { FormEnd, FormField, useForm } from '../ui/form.tsx'
import { PersonFilter } from '../ui/person-search.tsx'
import { fromAddress, linkToFiltered, type Route, toAddress } from '../ui/routes.ts'
import { fortnightOf, today } from '../ui/time.ts'
import { announce } from '../ui/ui-state.ts'
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

interface FormProps {
  selection: Selection
  onMade: () => void
}

const InspectionForm = ({ selection, onMade }: FormProps) => {
  const { employee_id, branch_office } = selection
  const branches = branchNames()
  const form = useForm({
    check: (given) => {
      const period = problemOfPeriod({ ...selection, from: given('from'), to: given('to') })
      return {
        // A name was typed, but no person was chosen. The ZIP would be about everybody.
        ...(given('person') && { all: 'Elige a la persona de la lista, o borra su nombre.' }),
        ...(period && { to: period }),
      }
    },
    send: async (given) => {
      const wanted = { ...selection, from: given('from'), to: given('to') }
      const { name, blob } = await makeFolder(wanted)
      go(wanted)
      onMade()
      announce(saveFile(name, blob))
    },
  })
  const period = () => ({ from: form.given('from'), to: form.given('to') })
  return (
    <form {...form.props}>
      <PersonFilter
        id={employee_id}
        removeText="elegir a otra, o a todas"
        name="person"
        onChange={(id) => go({ ...selection, ...period(), employee_id: id })}
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
        <FormField form={form} name="from" label="Desde" type="date" value={selection.from} />
        <FormField form={form} name="to" label="Hasta" type="date" value={selection.to} />
      </div>
      <p class="note">{contentText(selection)}</p>
      <FormEnd
        form={form}
        problem={form.problems.all}
        act="Preparar la carpeta"
        busyAct="Preparando…"
      />
    </form>
  )
}

/** The form that makes a ZIP for an inspector. The ZIP can be read without the service. */
export const InspectionView = ({ route: { query } }: { route: Route }) => {
  const { employee_id = '', branch_office } = query
  const { from = fortnightOf(today()).from, to = today() } = query
  // A form that was sent stays busy. For another ZIP, a new form is shown.
  const [made, setMade] = useState(0)
  return (
    <main class="manual">
      <Back to={linkToFiltered('horas', query)} list="Horas" />
      <h1>Para la inspección</h1>
      <p class="lead">
        Una carpeta ZIP con el inicio y el fin de cada día, y en qué descansa cada cifra. Se lee y
        se comprueba sin este servicio.
      </p>
      <InspectionForm
        key={String(made)}
        selection={{ employee_id, branch_office, from, to }}
        onMade={() => setMade(made + 1)}
      />
    </main>
  )
}
