import { useRef, useState } from 'preact/hooks'
import type { AgreementPerson } from '../../sdk/api-types.ts'
import { shownDay } from '../people/person-fields.ts'
import { branchNames, can, signedIn } from '../session/session.ts'
import { DialogButton } from '../ui/dialog-button.tsx'
import { Choice } from '../ui/fields.tsx'
import { Pages } from '../ui/pages.tsx'
import { Badge, type Look } from '../ui/status.tsx'
import { dayOf, zoneOf } from '../ui/time.ts'
import { PaperDialog, VoidDialog } from './agreement-paper.tsx'
import { type AgreementText, type PeopleOfText, readPeopleOf } from './agreements.api.ts'

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
  onChanged: () => void
}

const Row = ({ text, person, onChanged }: RowProps) => {
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
        <strong>{full_name}</strong>
        <Badge look={lookOf(person)} />
      </p>
      <p class="note">
        {employee_id} · {branch_office}
        {agreed_at && ` · ${how === 'paper' ? 'asentado el ' : ''}${dayIn(agreed_at)}`}
      </p>
      {mayAct && (
        <div class="acts start">
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
                  // The list is read again even without a change, since somebody else may have made
                  // one.
                  onChanged()
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

interface Props {
  text: AgreementText
  filter: PeopleOfText
  onFilter: (changes: PeopleOfText) => void
}

/** The people who have agreed to a text, and those who are missing. */
export const AgreementPeople = ({ text, filter, onFilter }: Props) => {
  const [changes, setChanges] = useState(0)
  return (
    <section class="stack">
      <h2 id={HEADING} tabindex={-1}>
        Quién lo acordó
      </h2>
      <div class="fields">
        <Choice
          id="agreement-agreed"
          label="Mostrar"
          empty="Todas las personas"
          value={filter.agreed}
          options={[
            ['false', 'Quienes faltan'],
            ['true', 'Quienes acordaron'],
          ]}
          onChange={(agreed) => onFilter({ agreed: agreed as 'true' })}
        />
        <Choice
          id="agreement-branch"
          label="Sucursal"
          empty="Todas"
          value={filter.branch_office}
          options={branchNames().filter(Boolean)}
          onChange={(branch_office) => onFilter({ branch_office })}
        />
      </div>
      <Pages
        key={`${filter.agreed} ${filter.branch_office}`}
        version={changes}
        read={(cursor) => readPeopleOf(text.id, filter, cursor)}
        failure="No se pudo leer quién acordó"
        lead={({ agreed, missing }) => (
          <p>
            Acordaron <strong>{agreed}</strong>; faltan <strong>{missing}</strong>.
          </p>
        )}
        render={(person) => (
          <Row
            key={person.employee_id}
            text={text}
            person={person}
            onChanged={() => setChanges((count) => count + 1)}
          />
        )}
      >
        <p>Aquí no hay nadie.</p>
      </Pages>
    </section>
  )
}
