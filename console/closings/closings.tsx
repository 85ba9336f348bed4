import { useInfiniteQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import type { Closing } from '../../sdk/api-types.ts'
import { mayClose, signedIn } from '../session/session.ts'
import { DownloadButton } from '../ui/buttons.tsx'
import { Heading } from '../ui/heading.tsx'
import { Icon } from '../ui/icon.tsx'
import { List } from '../ui/list.tsx'
import { Page } from '../ui/page.tsx'
import { PersonName } from '../ui/person-search.tsx'
import { Remark } from '../ui/reading.tsx'
import { linkTo, type Route } from '../ui/routes.ts'
import { counted, countedLogs, groupName } from '../ui/text.ts'
import { addDays, duration, inHours, longDate, shortMoment } from '../ui/time.ts'
import { CancelButton } from './closing-acts.tsx'
import { ClosingForm, forgetChoice } from './closing-form.tsx'
import { ClosingPreview } from './closing-preview.tsx'
import { toPreviewRoute } from './closing-selection.ts'
import { closingsQuery, requestLines, totalOf } from './closings.queries.ts'
import { Objections } from './objections.tsx'

/** A name with its id, since two people may have the same name. */
const NameWithId = ({ id }: { id: string }) => (
  <span>
    <PersonName id={id} /> ({id})
  </span>
)

const Who = ({ payroll_group, employee_id }: Pick<Closing, 'payroll_group' | 'employee_id'>) => (
  <span>
    {employee_id === null ? groupName(payroll_group) : <NameWithId id={employee_id} />}
    {signedIn().user.scope_branches && ', de tus sucursales'}
  </span>
)

/** Counts the signatures in apps. Empty while there is none, since many companies sign on paper. */
const signedText = ({ agreed, objected, missing, without_user }: Closing['signed']): string => {
  if (agreed + objected === 0) return ''
  const alone = without_user > 0 ? ` (${without_user} sin usuario)` : ''
  return `firmaron ${agreed}, objetaron ${objected}, faltan ${missing}${alone}`
}

const remarksOf = (closing: Closing): string[] => {
  const { added_seconds, deducted_seconds, held_seconds, pending, exceptions_left } = closing
  return [
    added_seconds > 0 ? `incluye ${duration(added_seconds)} de días anteriores` : '',
    deducted_seconds > 0 ? `${duration(deducted_seconds)} por descontar, en su columna` : '',
    held_seconds > 0 ? `${duration(held_seconds)} retenidas` : '',
    pending > 0 ? `${countedLogs(pending)} sin decidir` : '',
    exceptions_left > 0 ? `${counted(exceptions_left, 'día')} con excepciones` : '',
    signedText(closing.signed),
  ].filter(Boolean)
}

/** Gives the focus to a closing's name, because an act may have removed the act's button. */
const focusHeading = (id: number): void => {
  setTimeout(() => document.getElementById(`closing-${id}`)?.focus())
}

interface CardProps {
  closing: Closing
  onCancelled: () => void
}

/** A closing with its files. Payroll pays from the first file. */
const Card = ({ closing, onCancelled }: CardProps) => {
  const { id, before, user, comment, created_at, cancelled, people } = closing
  const total = totalOf(closing)
  return (
    <li class={cancelled ? 'cancelled' : ''}>
      <h2 id={`closing-${id}`} tabindex={-1}>
        Cierre {id}: hasta el {longDate(addDays(before, -1))}
        <span class="note">
          <Who {...closing} />
        </span>
      </h2>
      <p>
        <strong>{duration(total)}</strong>{' '}
        <span class="note">
          {inHours(total)} · {counted(people, 'persona')}
          {remarksOf(closing).map((text) => ` · ${text}`)}
        </span>
      </p>
      <p class="note">
        {user.full_name}, {shortMoment(created_at)}
        {comment && `: «${comment}»`}
      </p>
      {cancelled ? (
        <Remark icon="cross">
          Cancelado por {cancelled.user.full_name}, {shortMoment(cancelled.at)}: «
          {cancelled.comment}». No cuenta como pagado.
        </Remark>
      ) : (
        <div class="acts">
          <DownloadButton label="Para nómina" request={() => requestLines(id, 'employee')} />
          <DownloadButton
            label="Para el programa de nómina (números sin formato)"
            request={() => requestLines(id, 'employee', 'plain')}
          />
          <DownloadButton label="Por semana" request={() => requestLines(id, 'week')} />
          <DownloadButton label="Renglones" request={() => requestLines(id)} />
          <a class="button" href={linkTo('tarjeta', { closing: String(id) })}>
            <Icon name="print" />
            Tarjetas
          </a>
        </div>
      )}
      {!cancelled && mayClose() && (
        <div class="acts">
          <CancelButton closing={closing} onDone={onCancelled} />
        </div>
      )}
    </li>
  )
}

const Done = ({ closing }: { closing: Closing }) => {
  return (
    <section class="done">
      <Heading level="h2" about={closing.id}>
        Se guardó el cierre {closing.id}: {duration(totalOf(closing))} de{' '}
        {counted(closing.people, 'persona')}
      </Heading>
      <p>
        Hasta el {longDate(addDays(closing.before, -1))} quedó pagado. Lo que se corrija después se
        paga o se descuenta en el próximo cierre.
      </p>
      <DownloadButton
        label="Descargar para nómina"
        primary
        request={() => requestLines(closing.id, 'employee')}
      />
    </section>
  )
}

export const ClosingsView = ({ route }: { route: Route }) => {
  const [done, setDone] = useState<Closing>()
  /** The number of acts so far. After each act, the form begins again. */
  const [acts, setActs] = useState(0)
  const read = useInfiniteQuery(closingsQuery)
  const closings = read.data?.pages[0]?.items
  const preview = toPreviewRoute(route.query)
  const { cierre } = route.query
  useEffect(() => {
    if (closings && cierre) focusHeading(Number(cierre))
  }, [!closings, cierre])
  const begin = (closing?: Closing) => {
    forgetChoice()
    setActs(acts + 1)
    setDone(closing)
  }
  return (
    <Page
      class="closings"
      title="Cierres"
      lead="Un cierre guarda lo que se paga. Lo que llegue o se corrija después se paga o se descuenta en el próximo cierre."
    >
      {done && !preview && <Done closing={done} />}
      {!preview && <Objections />}
      {mayClose() && !preview && <ClosingForm key={`form ${acts}`} />}
      {mayClose() && preview && closings && (
        <ClosingPreview
          key={JSON.stringify(preview)}
          route={preview}
          closings={closings}
          onClosed={(closing) => {
            location.replace(linkTo('cierres'))
            begin(closing)
          }}
        />
      )}
      <List
        read={read}
        failure="No se pudieron leer los cierres"
        more="Ver cierres anteriores"
        row={(closing) => (
          <Card
            key={closing.id}
            closing={closing}
            onCancelled={() => {
              begin()
              focusHeading(closing.id)
            }}
          />
        )}
      >
        <p class="note">Todavía no se ha cerrado ningún periodo.</p>
      </List>
    </Page>
  )
}
