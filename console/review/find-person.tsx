import { can } from '../session/session.ts'
import { ask } from '../ui/ask.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { PersonSearch } from '../ui/person-search.tsx'
import { linkTo, linkToPersonPage } from '../ui/routes.ts'

/** Asks for a person, and opens their page. Who reads no hours gets the record. */
export const findPerson = (): Promise<void> =>
  ask((close) => (
    <Dialog title="Buscar a una persona" onClose={close}>
      <PersonSearch
        label="Persona"
        onChoose={(person) => {
          if (!person) return
          const { employee_id: id } = person
          location.hash = can('read_hours')
            ? linkToPersonPage(id)
            : linkTo('personas/persona', { id })
        }}
      />
    </Dialog>
  ))
