import { ApiError, createClient, dataOf } from '../sdk/api-client.ts'

/**
 * How an app records a check-in: it is kept on the disk first, and sent until the service answers
 * about it. For an app to copy (docs/app.md), where the import is from 'checada/client'. Its time is
 * the service's where the app has known it in the same run, also if the phone's clock is set
 * meanwhile.
 */

type Kind = 'entrada' | 'salida'

export interface CheckIn {
  /** A UUID of this press, the same each time it is sent. */
  client_id: string
  kind: Kind
  /** UTC, such as `2026-11-02T14:58:12.000Z`. */
  recorded_at: string
  user_id: number
  /** Whether `recorded_at` is by the service's time, and not by the phone's. */
  by_service?: boolean
  /** Why it will never be recorded. It is shown, and not sent again. */
  refusal?: string | undefined
}

interface App {
  /** The address of the company's installation. */
  url_base: string
  /** The check-ins on the phone's disk, by `client_id`. */
  store: {
    put(one: CheckIn): Promise<void>
    all(): Promise<CheckIn[]>
    delete(client_id: string): Promise<void>
  }
  /** The tokens of who is signed in, by user id. A 401 removes one. */
  tokens: Map<number, string>
}

/** A UUID. `crypto.randomUUID` is missing without https. */
const newId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const set = (at: number, mask: number, bits: number) => {
    bytes[at] = ((bytes[at] ?? 0) & mask) | bits
  }
  set(6, 0x0f, 0x40)
  set(8, 0x3f, 0x80)
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

export const createCheckIns = ({ url_base, store, tokens }: App) => {
  let phoneAhead = Date.now() - performance.now()
  let slept = 0
  /** The service's time less `steadyNow()`. */
  let serviceAhead: number | undefined
  const pressed = new Map<string, number>()

  /** Milliseconds by a clock that nobody can set, and that goes on while the phone sleeps. */
  const steadyNow = (): number => {
    const jump = Date.now() - performance.now() - phoneAhead
    if (Math.abs(jump) >= 2_000) {
      phoneAhead += jump
      slept += Math.max(jump, 0) // `performance.now` stands still in sleep
      serviceAhead = undefined
    }
    return performance.now() + slept
  }
  setInterval(steadyNow, 1_000)

  /** Called at launch, and by `sendAll`. */
  const readServiceTime = async (token: string): Promise<void> => {
    const asked = steadyNow()
    const { my_logs } = createClient(url_base, { token }).v2.incidents
    const { now } = await dataOf(my_logs.$get({ query: { limit: 1 } }))
    const answered = steadyNow()
    const ahead = Date.parse(now) - (asked + answered) / 2
    if (answered - asked <= 8_000 && !Number.isNaN(ahead)) serviceAhead = ahead
  }

  /** With the service's time of the press, if it is known. */
  const timed = (one: CheckIn): CheckIn => {
    const at = pressed.get(one.client_id)
    steadyNow()
    if (one.by_service || at === undefined || serviceAhead === undefined) return one
    return { ...one, recorded_at: new Date(at + serviceAhead).toISOString(), by_service: true }
  }

  const send = async (waiting: CheckIn, token: string): Promise<void> => {
    if (!timed(waiting).by_service && pressed.has(waiting.client_id)) await readServiceTime(token)
    const one = timed(waiting)
    await store.put(one)
    const { client_id, kind, recorded_at, by_service } = one
    const sent_at = by_service ? null : new Date().toISOString()
    const asked = steadyNow()
    const { my_logs } = createClient(url_base, { token }).v2.incidents
    const outcome = await dataOf(my_logs.$post({ json: { client_id, kind, recorded_at, sent_at } }))
    if (outcome.client_id !== client_id) return // not about this one
    const { result, reason, detail } = outcome
    const isOutdated = detail === 'clock' && steadyNow() - asked > 60_000
    if (result === 'created' || result === 'known') await store.delete(client_id)
    else if (!isOutdated) await store.put({ ...one, refusal: reason })
  }

  /** Sends what waits, each with its own person's token. */
  const sendAll = async (): Promise<void> => {
    for (const one of await store.all()) {
      const token = tokens.get(one.user_id)
      if (!token || one.refusal) continue
      try {
        await send(one, token)
      } catch (error) {
        if (!(error instanceof ApiError) || !error.isOwn) return // another server, or none: later
        if (error.status === 401) tokens.delete(one.user_id) // waits for the sign-in
        if (error.status === 403 || error.status === 422)
          await store.put({ ...one, refusal: error.message }) // final
      }
    }
  }

  /** Called by the button. `user_id` is the `id` of the user who is signed in. */
  const checkIn = async (kind: Kind, user_id: number): Promise<void> => {
    const one = { client_id: newId(), kind, recorded_at: new Date().toISOString(), user_id }
    pressed.set(one.client_id, steadyNow())
    await store.put(timed(one)) // on the disk first
    void sendAll()
  }

  return { checkIn, readServiceTime, sendAll }
}
