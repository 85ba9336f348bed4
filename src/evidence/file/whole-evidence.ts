import type { BatchDb } from '../../core/db/batch-db.ts'
import { fromHex, toBase64 } from '../../core/values/bytes.ts'
import { FILE_VERSION } from '../seal/leaf.ts'
import { readEvents, readFileStart, readSeals } from './evidence.queries.ts'
import { endLine, eventLine, jsonLine, originOf, sealLine, textLines } from './evidence-file.ts'

/**
 * With this page size, a million events take 123 pages. A Worker may make 1,000 queries per
 * invocation.
 */
const EVENTS_PER_PAGE = 8_192

interface WholeOptions {
  comments: boolean
  now: Date
  /** The maximum number of events per page. Smaller pages take less memory, but more queries. */
  eventsPerPage?: number
}

type PageOptions = Required<Pick<WholeOptions, 'comments' | 'eventsPerPage'>>

type Head = Awaited<ReturnType<typeof readFileStart>>

const headLine = ({ keys, actors }: Head, now: Date): string =>
  jsonLine({
    evidence: FILE_VERSION,
    origin: originOf(keys),
    keys,
    exported_at: now.toISOString(),
    actors: Object.fromEntries(actors.map(({ hash, ...actor }) => [hash, actor])),
  })

async function* sealedPages(db: BatchDb, size: number, { comments, eventsPerPage }: PageOptions) {
  for (let after = 0; after < size; ) {
    const { seals, events } = await readSeals(db, {
      after,
      until: Math.min(after + eventsPerPage, size),
    })
    const lines: string[] = []
    let next = 0
    for (const seal of seals) {
      for (; (events[next]?.id ?? Number.POSITIVE_INFINITY) <= seal.last_event_id; next++) {
        const event = events[next]
        if (event) lines.push(eventLine(event, comments))
      }
      lines.push(sealLine(seal, { leaves: toBase64(fromHex(seal.leaves)) }))
    }
    yield { text: lines.join(''), events: events.length, seals: seals.length }
    after = seals.at(-1)?.size ?? size
  }
}

async function* unsealedPages(
  db: BatchDb,
  [from, until]: [number, number],
  { comments, eventsPerPage }: PageOptions,
) {
  for (let after = from; after < until; ) {
    const events = await readEvents(db, { after, until, limit: eventsPerPage })
    const text = events.map((event) => eventLine(event, comments)).join('')
    yield { text, events: events.length, seals: 0 }
    after = events.at(-1)?.id ?? until
  }
}

/**
 * Writes all events with their seals, and keeps one page in memory at a time. Events that arrive
 * after the call are not included. The first page is read before this function returns, so that an
 * error in it becomes an error response.
 */
export const wholeEvidence = async (
  db: BatchDb,
  { comments, now, eventsPerPage = EVENTS_PER_PAGE }: WholeOptions,
) => {
  const head = await readFileStart(db)
  const { last_id, sealed_id, size } = head.end ?? { last_id: 0, sealed_id: 0, size: 0 }
  const pages = async function* () {
    const options = { comments, eventsPerPage }
    yield* sealedPages(db, size, options)
    yield* unsealedPages(db, [sealed_id, last_id], options)
  }
  const remaining = pages()
  const first = await remaining.next()
  const chunks = async function* () {
    yield headLine(head, now) + textLines(head.texts)
    let [events, seals] = [0, 0]
    for (let page = first; !page.done; page = await remaining.next()) {
      yield page.value.text
      events += page.value.events
      seals += page.value.seals
    }
    yield endLine(events, seals)
  }
  return chunks()
}
