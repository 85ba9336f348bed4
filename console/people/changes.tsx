import { Paged } from '../ui/paged.tsx'
import { Problem, Skeleton } from '../ui/reading.tsx'
import { clockTime, dayOf } from '../ui/time.ts'
import { useRead } from '../ui/use-read.ts'
import { describeChanges } from './change-texts.ts'
import { readChanges } from './people.api.ts'
import { shownDay } from './person-fields.ts'

interface Props {
  subject: 'employee' | 'user'
  id: string
  version: number
}

/** The changes of a person or a user, with who made them and when. */
export const Changes = ({ subject, id, version }: Props) => {
  const { data, problem } = useRead(() => readChanges(subject, id), [version])
  return (
    <section>
      <h2>Cambios</h2>
      {!data && !problem && <Skeleton rows={2} />}
      <Problem text={problem} />
      {data?.length === 0 && <p class="note">Ninguno desde que se anotan aquí.</p>}
      <Paged
        items={data ?? []}
        render={(shown) => (
          <ul class="clocks">
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
          </ul>
        )}
      />
    </section>
  )
}
