import { useInfiniteQuery } from '@tanstack/preact-query'
import { useRef } from 'preact/hooks'
import type { AgreementPerson } from '../../sdk/api-types.ts'
import { shownDay } from '../people/person-fields.ts'
import { branchNames, can, signedIn } from '../session/session.ts'
import { DialogButton } from '../ui/dialog-button.tsx'
import { choice, Filters } from '../ui/filters.tsx'
import { List } from '../ui/list.tsx'
import { about, changed } from '../ui/queries.ts'
import { linkToPersonPage } from '../ui/routes.ts'
import { Badge, type Look } from '../ui/status.tsx'
import { dayOf, zoneOf } from '../ui/time.ts'
import { PaperDialog, VoidDialog } from './agreement-paper.tsx'
import { type AgreementText, type PeopleOfText, peopleOfText } from './agreements.queries.ts'

const HEADING = 'agreement-people'

const lookOf = ({ how, has_user }: AgreementPerson): Look => {
  if (how) return ['approved', 'check', how === 'app' ? 'En la app' : 'En papel']
  return has_user ? ['pending', 'dot', 'Falta'] : ['absent', 'dot', 'Sin usuario: solo en papel']
}

/** Gives the focus to the next row, or else to the heading, since the list may lose `row`. */
const focusAfter = (row: HTMLElement | null): void => {
  const next = row?.nextElementSibling?.querySelector('button')
  // When the dialog closes, it first returns the focus to the button that opened it.
  setTimeout(() => (next ?? document.getElementById(HEADING))?.focus())
}

interface RowProps {
  text: AgreementText
  person: AgreementPerson
}

const Row = ({ text, person }: RowProps) => {
  const row = useRef<HTMLLIElement>(null)
  const { employee_id, full_name, branch_office, agreed_at, how } = person
  const { employee_id: own } = signedIn().user
  const mayAct =
    can('keep_people') && employee_id !== own && text.state !== 'later' && how !== 'app'
  const dayIn = (moment: string) => shownDay(dayOf(moment, zoneOf(branch_office)))
  const Dialog = how ? VoidDialog : PaperDialog
  return (
    <li ref={row}>
      <p class="head">
        <a href={linkToPersonPage(employee_id)}>{full_name}</a>
        <Badge look={lookOf(person)} />
      </p>
      <p class="note">
        {employee_id} · {branch_office}
        {agreed_at && ` · ${how === 'paper' ? 'asentado el ' : ''}${dayIn(agreed_at)}`}
      </p>
      {mayAct && (
        <div class="acts">
          <DialogButton
            class={how ? 'quiet lost' : 'quiet'}
            label={how ? 'Anular el papel' : 'Asentar un papel'}
            about={`de ${full_name}`}
            dialog={(close) => (
              <Dialog
                text={text}
                person={person}
                onClose={() => {
                  close()
                  // Somebody else may have made a change.
                  changed(about.agreements)
                }}
                onDone={() => focusAfter(row.current)}
              />
            )}
          />
        </div>
      )}
    </li>
  )
}

const fields = {
  agreed: choice(
    'Mostrar',
    [
      ['false', 'Quienes faltan'],
      ['true', 'Quienes acordaron'],
    ],
    'Todas las personas',
  ),
  branch_office: choice('Sucursal', () => branchNames().filter(Boolean), 'Todas'),
}

interface Props {
  text: AgreementText
  filter: PeopleOfText
  onFilter: (changes: Record<string, string | undefined>) => void
}

/** The people who have agreed to a text, and those who are missing. */
export const AgreementPeople = ({ text, filter, onFilter }: Props) => (
  <section class="stack">
    <h2 id={HEADING} tabindex={-1}>
      Quién lo acordó
    </h2>
    <Filters of={{ fields, change: onFilter }} filter={filter} />
    <List
      read={useInfiniteQuery(peopleOfText(text.id, filter))}
      failure="No se pudo leer quién acordó"
      lead={({ agreed, missing }) => (
        <p>
          Acordaron <strong>{agreed}</strong>; faltan <strong>{missing}</strong>.
        </p>
      )}
      row={(person) => <Row key={person.employee_id} text={text} person={person} />}
    >
      <p>Aquí no hay nadie.</p>
    </List>
  </section>
)
