import { useQuery } from '@tanstack/preact-query'
import { Rows } from '../ui/list.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Paged } from '../ui/paged.tsx'
import { clockTime, dayOf } from '../ui/time.ts'
import { describeChanges } from './change-texts.ts'
import { changesQuery } from './people.queries.ts'
import { shownDay } from './person-fields.ts'

interface Props {
  subject: 'employee' | 'user'
  id: string
}

/** The changes of a person or a user, with who made them and when. */
export const Changes = ({ subject, id }: Props) => (
  <section>
    <h2>Cambios</h2>
    <Loaded
      read={useQuery(changesQuery(subject, id))}
      failure="No se pudieron leer los cambios"
      rows={2}
    >
      {(changes) => (
        <>
          {changes.length === 0 && <p class="note">Ninguno desde que se anotan aquí.</p>}
          <Paged
            items={changes}
            render={(shown) => (
              <Rows>
                {shown.map((change) => (
                  <li key={change.id}>
                    {describeChanges(change).map((line) => (
                      <p key={line}>{line}</p>
                    ))}
                    <p class="note">
                      {change.user?.full_name ?? 'Quien opera el servicio'},{' '}
                      {shownDay(dayOf(change.at))}, {clockTime(change.at)}
                    </p>
                  </li>
                ))}
              </Rows>
            )}
          />
        </>
      )}
    </Loaded>
  </section>
)
