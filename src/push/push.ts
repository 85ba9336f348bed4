import type { BatchDb } from '../core/db/batch-db.ts'
import { addDays, DAY_MS, localDay, type Zones } from '../core/values/time-zone.ts'
import { type News, saveOutcome, takeNews } from './news.queries.ts'
import type { Subscription } from './phones.queries.ts'

/** Older news is not sent, and a push service keeps a message no longer. */
const NEWS_MS = DAY_MS

/** What a phone shows, and the part of our page that a tap opens. */
export interface PushMessage {
  text: string
  path: string
  /** How many seconds the push service may keep the message for a phone without a network. */
  ttl: number
}

/** Made at its first use, because making it takes 10 ms. */
let spanishDay: Intl.DateTimeFormat | undefined

/** `23 de noviembre` */
const toWords = (day: string): string => {
  spanishDay ??= new Intl.DateTimeFormat('es-MX', {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
  return spanishDay.format(new Date(day))
}

/**
 * One of four texts with a day. There is no name, hour, reason or comment in it, because anybody
 * can read a locked phone.
 */
const textOf = (news: News, zones: Zones): Omit<PushMessage, 'ttl'> => {
  const { event, to_status, recorded_at, branch_office, before } = news
  if (event === 'decided') {
    const day = localDay(recorded_at ?? '', branch_office ?? '', zones)
    const decided =
      to_status === 'rejected' ? 'Se rechazó una checada tuya' : 'Se aprobó una checada tuya'
    return { text: `${decided} del ${toWords(day)}.`, path: `#/dias?dia=${day}` }
  }
  const last = toWords(addDays(before ?? '', -1))
  return event === 'answered'
    ? { text: `Respondieron tu objeción a la tarjeta del ${last}.`, path: '#/tarjetas' }
    : { text: `Tienes por firmar la tarjeta que termina el ${last}.`, path: '#/tarjetas' }
}

/**
 * What became of a message: `gone` if the phone gets none any more, otherwise undefined or why it
 * was not accepted.
 */
export type PushOutcome = 'gone' | { error: string } | undefined

/**
 * Cloudflare lets six requests of a Worker wait for an answer, and holds back the others, whose
 * time-outs would begin meanwhile.
 */
const AT_ONCE = 6

const sixAtOnce = async <Item, Out>(
  items: readonly Item[],
  act: (item: Item) => Promise<Out>,
): Promise<Out[]> => {
  const outcomes: Out[] = []
  const queue = items.entries()
  const work = async () => {
    for (const [i, item] of queue) outcomes[i] = await act(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return outcomes
}

interface PushOptions {
  deliver: (to: Subscription, message: PushMessage) => Promise<PushOutcome>
  clock: () => Date
  /** TOKEN_TTL_MINUTES in seconds. Null if it is not set. */
  ttl_seconds: number | null
  /** No part is begun after this moment. The first one is always sent. */
  until: Date
}

/**
 * Sends news to phones, in parts of 50 messages. A message is sent at most once: if the push service
 * does not accept it, it is not sent again.
 */
export const sendPushes = async (
  db: BatchDb,
  { deliver, clock, ttl_seconds, until }: PushOptions,
) => {
  const sum = { sent: 0, gone: 0, failed: 0 }
  let error: string | undefined
  do {
    const now = clock().getTime()
    const since = new Date(now - NEWS_MS).toISOString()
    const seconds = Math.floor(now / 1000)
    const { news, zones } = await takeNews(db, { since, seconds, ttl_seconds })
    if (news.length === 0) break
    const outcomes = await sixAtOnce(news, (one) => {
      const age = Math.max(0, now - Date.parse(one.created_at))
      const ttl = Math.ceil((NEWS_MS - age) / 1000)
      return deliver(one, { ...textOf(one, zones), ttl })
    })
    const gone = news.filter((_, i) => outcomes[i] === 'gone').map(({ endpoint }) => endpoint)
    const errors = outcomes.flatMap((outcome) => (typeof outcome === 'object' ? outcome.error : []))
    const sent = news.length - gone.length - errors.length
    error ??= errors[0]
    const sent_at = sent > 0 ? clock().toISOString() : null
    await saveOutcome(db, { gone, sent_at, error: error ?? null })
    sum.sent += sent
    sum.gone += gone.length
    sum.failed += errors.length
  } while (clock() < until)
  return error === undefined ? sum : { ...sum, error }
}
