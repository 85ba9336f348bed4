import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import service from '../../src/index.ts'
import { importConsole, stubBrowser } from './browser-globals.ts'

/** What comes back when the phone sends a request. */
export type Network = (request: Request) => Promise<Response>

/**
 * What IndexedDB does: `dead` never answers, `refuses` throws, `full` stores nothing, and what is
 * `unreadable` was stored.
 */
export type PhoneStorage = 'fine' | 'dead' | 'refuses' | 'full' | 'unreadable'

interface Timer {
  at: number
  every: number | undefined
  run: () => void
}

const RealDate = Date
const realSetTimeout = globalThis.setTimeout
const realClearTimeout = globalThis.clearTimeout
const realCrypto = crypto
/** The turns of the event loop without a request after which the page only waits for time. */
const TURNS = 10
/** Lets the page go on. Reading a body takes a real turn, but less time than a timer of 0 ms. */
const turn = () => new Response('').text()

const dateAt = (now: () => number) =>
  new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })

class SilentChannel {
  postMessage() {}
}

/**
 * A phone with a clock of its own that opens the worker's page without its views, and sends its
 * requests to the service in this process. Its time passes only by `pass` and `sleep`.
 */
export class Phone {
  /** The true time, which the service has. */
  now: number
  /** How much the phone's clock is ahead of the true time. */
  ahead = 0
  network: Network = this.#reach.bind(this)
  storage: PhoneStorage = 'fine'
  /** Without https, it lacks `randomUUID`. */
  crypto: object = realCrypto
  hasBroadcastChannel = true
  /** The requests that the phone has sent, but the service not yet got. */
  readonly late: (() => Promise<void>)[] = []
  /** What IndexedDB has stored. */
  stored = new Map<string, unknown>()
  /** The bodies of the check-ins that the service got. */
  readonly received: { client_id: string; recorded_at?: string; sent_at?: string }[] = []
  /** The check-ins that the service has recorded, and answered or not. */
  readonly recorded = new Set<string>()
  #monotonic = 12_345
  #timers = new Map<number, Timer>()
  #lastTimer = 0
  readonly #inService = new Set<Promise<Response>>()
  #listeners: [name: string, listener: (event: Event) => void][] = []

  constructor(now: string) {
    this.now = RealDate.parse(now)
  }

  /** Loads the page, for the first time or again. Its memory is new. */
  async load(session: object): Promise<void> {
    this.start()
    localStorage.setItem('checada.mi', JSON.stringify(session))
    const page = {
      checkIns: await importConsole('mi/check-ins'),
      sending: await importConsole('mi/sending'),
      press: await importConsole('mi/press'),
      own: await importConsole('mi/own'),
      session: await importConsole('mi/session'),
      ui: await importConsole('ui/ui-state'),
      time: await importConsole('ui/time'),
    }
    this.page = page
    page.checkIns.followCheckIns()
    page.sending.keepSending()
    await this.settle()
  }

  /** Begins a page or an app that knows nothing yet. */
  start(): void {
    vi.resetModules()
    this.#timers.clear()
    this.#listeners = []
    stubBrowser('http://localhost')
    const add = (name: string, listener: (event: Event) => void) =>
      void this.#listeners.push([name, listener])
    this.#stub(true)
    const globals = {
      addEventListener: add,
      navigator: { onLine: true },
      document: { addEventListener: add, hidden: false, activeElement: null },
      indexedDB: { open: () => this.#openDatabase() },
      BroadcastChannel: this.hasBroadcastChannel ? SilentChannel : undefined,
      fetch: (input: string, init?: RequestInit) => this.#fetch(input, init),
    }
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
  }

  // biome-ignore lint/suspicious/noExplicitAny: the console is compiled with the types of a browser
  page: any

  /** Goes back to the clock and the functions of the test. */
  static leave = (): void => void vi.unstubAllGlobals()

  #stub(ofPhone: boolean): void {
    vi.stubGlobal(
      'Date',
      dateAt(() => this.now + (ofPhone ? this.ahead : 0)),
    )
    vi.stubGlobal('performance', { now: () => this.#monotonic })
    vi.stubGlobal('setTimeout', ofPhone ? this.#setTimer(false) : realSetTimeout)
    vi.stubGlobal('setInterval', this.#setTimer(true))
    vi.stubGlobal('crypto', ofPhone ? this.crypto : realCrypto)
    const clear = (id: number) => void this.#timers.delete(id)
    vi.stubGlobal('clearTimeout', ofPhone ? clear : realClearTimeout)
  }

  #setTimer(isRepeated: boolean) {
    return (run: () => void, ms = 0) => {
      this.#timers.set(++this.#lastTimer, {
        at: this.#monotonic + ms,
        every: isRepeated ? ms : undefined,
        run,
      })
      return this.#lastTimer
    }
  }

  /** Waits until page and service have done what they can. Reading a body takes some turns. */
  async settle(): Promise<void> {
    for (let idle = 0; idle < TURNS; idle++) {
      await turn()
      if (this.#inService.size === 0) continue
      await Promise.allSettled(this.#inService)
      idle = 0
    }
  }

  /** Time passes while the phone is awake. Its timers run. */
  async pass(ms: number): Promise<void> {
    const end = this.#monotonic + ms
    for (;;) {
      const due = [...this.#timers].filter(([, { at }]) => at <= end)
      const [next] = due.sort(([, a], [, b]) => a.at - b.at)
      if (!next) break
      const [id, timer] = next
      this.now += Math.max(0, timer.at - this.#monotonic)
      this.#monotonic = Math.max(this.#monotonic, timer.at)
      if (timer.every === undefined) this.#timers.delete(id)
      else timer.at += timer.every
      timer.run()
      // A tick that starts nothing needs no turn of the event loop.
      if (timer.every === undefined || timer.every > 1_000) await this.settle()
    }
    this.now += end - this.#monotonic
    this.#monotonic = end
    await this.settle()
  }

  /** The phone sleeps: its clock goes on, `performance.now` and its timers stand still. */
  async sleep(ms: number): Promise<void> {
    this.now += ms
    await this.pass(1_000)
  }

  /** The phone's clock is set, by hand or by the network. */
  async setAhead(ms: number): Promise<void> {
    this.ahead = ms
    await this.pass(1_000)
  }

  /** The late requests arrive. */
  async arrive(): Promise<void> {
    for (const arrive of this.late.splice(0)) await arrive()
  }

  async fire(name: string): Promise<void> {
    for (const [of, listener] of this.#listeners) if (of === name) listener(new Event(name))
    await this.settle()
  }

  async #fetch(input: string, init: RequestInit = {}): Promise<Response> {
    const { signal, ...rest } = init
    const aborted = new Promise<never>((_, reject) =>
      signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError'))),
    )
    return Promise.race([this.network(new Request(input, rest)), aborted])
  }

  /** Answers as the service does at this moment. */
  async #reach(request: Request): Promise<Response> {
    const answer = this.#serve(request)
    this.#inService.add(answer)
    return answer.finally(() => this.#inService.delete(answer))
  }

  async #serve(request: Request): Promise<Response> {
    this.#stub(false)
    try {
      const sent = await request.clone().text()
      const response = await service.fetch(
        request as Parameters<typeof service.fetch>[0],
        env,
        createExecutionContext(),
      )
      const text = await response.text()
      if (request.method === 'POST' && request.url.endsWith('/my_logs')) {
        const body = JSON.parse(sent)
        this.received.push(body)
        if (/"result":"(created|known)"/.test(text)) this.recorded.add(body.client_id)
      }
      return new Response(text, response)
    } finally {
      this.#stub(true)
    }
  }

  readonly online: Network = this.network

  #openDatabase() {
    if (this.storage === 'refuses') throw new DOMException('Refused', 'SecurityError')
    const request: Record<string, unknown> = { result: this.#database() }
    if (this.storage !== 'dead') queueMicrotask(() => (request.onsuccess as () => void)?.())
    return request
  }

  #database() {
    const transaction = {
      onabort: undefined as (() => void) | undefined,
      oncomplete: undefined as (() => void) | undefined,
      abort: () => {},
      objectStore: () => store,
    }
    const act = (fails: boolean, result: () => unknown) => {
      const request: { result?: unknown } = {}
      queueMicrotask(() => {
        if (fails) return transaction.onabort?.()
        request.result = result()
        queueMicrotask(() => transaction.oncomplete?.())
      })
      return request
    }
    const isFull = this.storage === 'full'
    const isUnreadable = this.storage === 'unreadable'
    const store = {
      put: (value: { client_id: string }) =>
        act(isFull, () => this.stored.set(value.client_id, structuredClone(value))),
      delete: (id: string) => act(false, () => this.stored.delete(id)),
      getAll: () => act(isUnreadable, () => structuredClone([...this.stored.values()])),
    }
    return { close: () => {}, transaction: () => transaction }
  }
}
