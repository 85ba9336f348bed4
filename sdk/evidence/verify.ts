import { hashOfText } from '../../src/agreements/agreement-hash.ts'
import { saltedHash } from '../../src/core/values/salted-hash.ts'
import { isLogLeaf, isSourceRule, type Leaf } from '../../src/evidence/seal/leaf.ts'
import { leafHash } from '../../src/evidence/seal/merkle.ts'
import { Chain } from './chain.ts'
import { type ClosingsById, flawOfOwnLines, ownClosings, provenClosings } from './closing.ts'
import { compareClosings } from './closing-lines.ts'
import { Dates } from './dates.ts'
import {
  type EventLine,
  type PeopleHead,
  readHead,
  readLine,
  refuse,
  type SealLine,
  type TextLine,
  type WholeHead,
} from './format.ts'
import { History } from './history.ts'
import { type KeptCheckpoint, KeptCheckpoints } from './kept.ts'
import { Keys } from './keys.ts'
import { provenLogs } from './log-states.ts'
import type { NamedFile } from './named-file.ts'
import { PeopleSeals } from './people-seals.ts'
import { Findings, type Report } from './report.ts'
import { nameOf, type PendingEvent, type SealChecks } from './sealing.ts'
import { ShownEvents } from './shown.ts'
import { SourceRules } from './source-rules.ts'
import { type CheckToken, Tokens } from './tokens.ts'
import { atLine } from './unreadable.ts'
import { WholeSeals } from './whole-seals.ts'
import { plural } from './words.ts'

export interface VerifyOptions {
  /** The keys to trust. Without any, the file's own keys are used, with a warning. */
  keys?: readonly string[]
  checkpoints?: readonly KeptCheckpoint[]
  /** The lines of closings, as NDJSON. */
  closings?: readonly NamedFile[]
  checkToken?: CheckToken
  /** Called after each seal, with the number of events so far. */
  onProgress?: (events: number) => void | Promise<void>
}

/** The maximum number of unsealed events that the report names. The others are only counted. */
const UNSEALED_KEPT = 10_000

class Verification {
  readonly #head: WholeHead | PeopleHead
  readonly #options: VerifyOptions
  readonly #faults = new Findings()
  readonly #warnings = new Findings()
  readonly #uncompared = new Findings()
  readonly #keys = new Keys()
  readonly #history: History
  readonly #sourceRules: SourceRules
  readonly #chain: Chain
  readonly #shown = new ShownEvents(this.#faults)
  readonly #dates = new Dates(this.#faults, this.#warnings)
  readonly #kept = new KeptCheckpoints(this.#faults)
  readonly #seals: SealChecks
  readonly #tokens: Tokens
  readonly #origins: string[] = []
  /** The number of logs with an event before the last seal. */
  #sealedLogs = 0
  /** What the chain had compared at the last seal. */
  #sealedChain: Report['chain'] = { people: [], compared: 0 }
  #pending: PendingEvent[] = []
  #events = 0
  #sealCount = 0
  #lastSeal: SealLine | undefined
  /** In a file of people, only the last seal may have no event of them. */
  #lastSealIsEmpty = false
  #areAllOpened = true
  #hasEnded = false

  constructor(head: WholeHead | PeopleHead, options: VerifyOptions) {
    this.#head = head
    this.#options = options
    const isWhole = 'actors' in head
    this.#history = new History(this.#faults, this.#warnings, head)
    this.#sourceRules = new SourceRules(this.#faults, 'actors' in head ? head.actors : undefined)
    this.#chain = new Chain(isWhole, this.#faults)
    const Seals = isWhole ? WholeSeals : PeopleSeals
    this.#seals = new Seals(this.#faults, this.#kept)
    this.#tokens = new Tokens(this.#faults, options.checkToken)
  }

  get #isWhole(): boolean {
    return 'actors' in this.#head
  }

  get #kind(): Report['kind'] {
    return this.#isWhole ? 'whole' : 'people'
  }

  get #areKeysGiven(): boolean {
    return (this.#options.keys ?? []).length > 0
  }

  /** Checks the keys, the kept checkpoints, and the e-mails of the actors. */
  async begin(): Promise<void> {
    const { keys = [], checkpoints = [] } = this.#options
    if (this.#areKeysGiven) await this.#keys.trust(keys, 'La llave que se indicó')
    else await this.#keys.trust(this.#head.keys, 'Línea 1: la llave')
    await this.#kept.read(checkpoints, this.#keys.trusted)
    if (!('actors' in this.#head)) return
    for (const [hash, { salt, address }] of Object.entries(this.#head.actors)) {
      if (saltedHash(salt, address) !== hash) {
        this.#faults.add(`El archivo atribuye a ${address} lo que hizo otra persona.`)
      }
    }
  }

  /** Reads the next line. The first one has been read before. */
  async read(text: string): Promise<void> {
    if (this.#hasEnded) refuse('hay líneas después del final')
    const line = readLine(text, { isWhole: this.#isWhole, version: this.#head.evidence })
    if (line.kind === 'event') this.#readEvent(line)
    else if (line.kind === 'text') this.#readText(line)
    else if (line.kind === 'seal') await this.#readSeal(line)
    else this.#readEnd(line)
  }

  /** Checks the hash of a text. Each text comes once, before the events. */
  #readText({ kind: _, ...text }: TextLine): void {
    const { statements } = this.#history
    if (this.#events > 0) refuse('un texto viene después de los eventos')
    if (statements.hasText(text.agreement)) refuse('un texto está repetido')
    if (hashOfText(text) !== text.agreement) {
      this.#faults.add(`El texto «${text.title}» no es el de su huella.`)
    }
    statements.addText(text)
  }

  #readEvent(line: EventLine): void {
    const { leaf } = line
    this.#events++
    const isOfPeriod = this.#isOfPeriod(leaf)
    this.#history.add(line, { hasAll: this.#isWhole, isOfPeriod })
    this.#sourceRules.add(leaf)
    if (!this.#isWhole) this.#shown.add(leaf)
    if (!('about' in this.#head && this.#head.about.log_id !== null)) this.#chain.add(leaf)
    this.#checkAbout(line, isOfPeriod)
    this.#pending.push({ leaf: line.leaf, hash: leafHash(line.text), proof: line.proof })
  }

  /** Whether the log of an event is of the file's period. True for an event that has no log. */
  #isOfPeriod(leaf: Leaf): boolean {
    if (!('about' in this.#head && isLogLeaf(leaf))) return true
    const { from, before } = this.#head.about
    return leaf.recorded_at >= from && leaf.recorded_at < before
  }

  #checkAbout({ leaf, paid }: EventLine, isOfPeriod: boolean): void {
    if (!('about' in this.#head)) return
    const { employee_ids, log_id } = this.#head.about
    const isOfAll =
      leaf.event === 'cancelled' ||
      (leaf.event === 'closed' && !leaf.employee_id) ||
      isSourceRule(leaf)
    const isOfPeople =
      isOfAll || (leaf.employee_id !== null && employee_ids.includes(leaf.employee_id))
    const isOfLog = isLogLeaf(leaf)
      ? log_id === null || (leaf.log_id === log_id && isOfPeriod)
      : log_id === null || leaf.event === 'shown'
    if (!isOfPeople || !isOfLog) {
      this.#faults.add(`${nameOf(leaf)}: no es de lo que trata el archivo.`)
    }
    if (leaf.event !== 'closed' || !paid) return
    const flaw = flawOfOwnLines(leaf, paid, employee_ids)
    if (flaw !== undefined) this.#faults.add(`${nameOf(leaf)}: ${flaw}`)
  }

  /** Checks a seal's number, signature, origin and size, and then its events and dates. */
  async #readSeal(line: SealLine): Promise<void> {
    const name = `Sello ${line.seal}`
    const last = this.#lastSeal?.seal ?? 0
    if (line.seal <= last) refuse(`el sello ${line.seal} está repetido o fuera de orden`)
    if (this.#lastSealIsEmpty) refuse(`el sello ${last}, antes de este, está vacío`)
    if (this.#isWhole && line.seal !== last + 1) this.#faults.add(`${name}: falta un sello antes.`)
    const pending = this.#pending
    this.#pending = []
    const checkpoint = await this.#keys.open(line.checkpoint)
    if (!checkpoint) {
      this.#areAllOpened = false
      this.#faults.add(`${name}: su firma no corresponde a la llave.`)
    } else {
      if (checkpoint.size <= this.#seals.size) {
        refuse(`el sello ${line.seal} no agrega eventos al anterior`)
      }
      this.#checkOrigin(checkpoint.origin, name)
    }
    this.#seals.check(line, pending, checkpoint)
    const stamps = await this.#tokens.read(line, checkpoint?.size ?? 0)
    const leaves = pending.map(({ leaf }) => leaf)
    const count = this.#isWhole ? line.leaves.length : line.count
    this.#dates.add(leaves, { seal: line.seal, count, at: line.at, stamps })
    this.#sealedLogs = this.#history.logs.size
    this.#sealedChain = this.#chain.state
    this.#sealCount++
    this.#lastSeal = line
    this.#lastSealIsEmpty = !this.#isWhole && pending.length === 0
    await this.#options.onProgress?.(this.#events)
  }

  #checkOrigin(origin: string, name: string): void {
    if (this.#origins.at(-1) === origin) return
    if (this.#origins.includes(origin))
      this.#faults.add(`${name}: vuelve a una evidencia anterior.`)
    this.#origins.push(origin)
  }

  /** Checks that nothing is missing: the last line has the number of events and seals. */
  #readEnd({ events, seals }: { events: number; seals: number }): void {
    this.#hasEnded = true
    if (this.#isWhole && this.#events === 0) refuse('el archivo no trae ningún evento')
    if (events !== this.#events || seals !== this.#sealCount) {
      this.#faults.add(
        `El archivo debería traer ${plural(events, 'evento')} y ${plural(seals, 'sello')}, y trae ${this.#events} y ${this.#sealCount}.`,
      )
    }
  }

  /** Checks that the first line agrees with the seals. */
  #checkHead(): void {
    const { origin, keys } = this.#head
    const signers = [...this.#keys.signers]
    if (this.#sealCount > 0) {
      if (this.#origins.at(-1) !== origin) {
        this.#faults.add(`El archivo dice ser de ${origin}, y sus sellos no lo son.`)
      }
      if (this.#areAllOpened && keys.join() !== signers.join()) {
        this.#faults.add('Las llaves de la primera línea no son las que firmaron los sellos.')
      }
    }
    if (!('about' in this.#head)) return
    this.#shown.end(this.#head.about)
    const { until } = this.#head
    const { seal, at } = this.#lastSeal ?? {}
    const isUntil = until?.seal === seal && until?.at === at
    if (!isUntil || (until?.size ?? 0) !== this.#seals.size) {
      this.#faults.add('La primera línea no dice hasta qué sello llega el archivo.')
    }
  }

  #warnOfKeys(): void {
    if (!this.#areKeysGiven && this.#sealCount > 0) {
      this.#warnings.add(
        'La llave es la que trae el propio archivo: compárela con la que se pactó o se le entregó.',
      )
    }
    for (const key of this.#options.keys ?? []) {
      if (this.#keys.signers.has(key)) continue
      this.#warnings.add(`Esta llave no firmó ningún sello del archivo: ${key}`)
    }
  }

  #compareKept(): void {
    const { size } = this.#seals
    for (const kept of this.#kept.uncomparedSizes) {
      if (kept > size) {
        this.#faults.add(
          `Se entregó un sello de ${plural(kept, 'evento')}, y este archivo solo llega a ${size}: ${kept - size === 1 ? 'falta' : 'faltan'} ${kept - size}.`,
        )
      } else {
        this.#warnings.add(
          `El sello guardado de ${plural(kept, 'evento')} no se puede comparar con este archivo; con el completo, sí.`,
        )
      }
    }
  }

  #nameUnsealed(): Findings {
    const unsealed = new Findings(UNSEALED_KEPT)
    for (const { leaf, proof } of this.#pending) {
      unsealed.add(`${nameOf(leaf)}, del ${leaf.at}`)
      this.#dates.addUnsealed(leaf)
      if (proof || leaf.id <= this.#seals.size) {
        this.#faults.add(`${nameOf(leaf)}: le falta su sello, que ya lo cubre.`)
      }
    }
    return unsealed
  }

  #warnOfDates(): void {
    const { late } = this.#dates
    if (late > 0) {
      this.#warnings.add(
        `${plural(late, 'evento se selló', 'eventos se sellaron')} más de 24 horas después.`,
      )
    }
    if (this.#tokens.stamps.some(({ isChecked }) => !isChecked)) {
      this.#warnings.add(
        'Los sellos de tiempo son de estos sellos, pero la firma de su autoridad no se comprobó.',
      )
    }
  }

  get #unsealedFrom(): number {
    return this.#pending[0]?.leaf.id ?? Number.POSITIVE_INFINITY
  }

  get #sealedClosings(): ClosingsById {
    const { closings } = this.#history
    return new Map([...closings].filter(([, { eventId }]) => eventId < this.#unsealedFrom))
  }

  /** Does the checks that need all lines of the file, and returns the report. */
  async end(): Promise<Report> {
    if (!this.#hasEnded) this.#faults.add('El archivo está cortado: le falta el final.')
    this.#checkHead()
    this.#compareKept()
    const unsealed = this.#nameUnsealed()
    this.#warnOfKeys()
    this.#warnOfDates()
    if ((this.#shown.last?.id ?? 0) >= this.#unsealedFrom) {
      this.#warnings.add(
        'El evento que dice qué se entregó no está sellado: a este archivo se le pudieron quitar eventos o personas sin que se note.',
      )
    }
    const { seal = 0, at = '' } = this.#lastSeal ?? {}
    const until = this.#lastSeal && { seal, at, size: this.#seals.size }
    const keys = [...this.#keys.signers]
    const [sealedClosings, unsealedFrom] = [this.#sealedClosings, this.#unsealedFrom]
    const people = 'about' in this.#head ? this.#head.about.employee_ids : []
    const proven = provenClosings(sealedClosings, unsealedFrom, people)
    const { closings: files = [] } = this.#options
    const comparedClosings = await compareClosings(files, proven, this.#uncompared)
    const { statements, otherLogs, closings } = this.#history
    statements.end(unsealedFrom)
    this.#sourceRules.end(unsealedFrom)
    return {
      kind: this.#kind,
      about: 'about' in this.#head ? this.#head.about : undefined,
      origin: this.#head.origin,
      keys,
      areKeysAgreed: this.#areKeysGiven && keys.length > 0,
      faults: this.#faults,
      warnings: this.#warnings,
      uncompared: this.#uncompared,
      unsealed,
      events: this.#events,
      logs: this.#history.logs.size,
      otherLogs,
      chain: this.#sealedChain,
      statements: statements.sentences,
      sources: this.#sourceRules.sentences,
      closings: closings.size,
      logStates: this.#isWhole ? [] : provenLogs(this.#history.logs, unsealedFrom),
      sealedClosings: proven,
      shown: this.#shown.first,
      sealedEvents: this.#events - unsealed.count,
      sealedLogs: this.#sealedLogs,
      seals: this.#sealCount,
      until,
      withheld: this.#history.withheld,
      kept: this.#kept.agreedSizes,
      stamps: this.#tokens.stamps,
      comparedClosings,
      ownClosings: ownClosings(sealedClosings, unsealedFrom),
    }
  }
}

/**
 * Verifies an evidence file, whole or of people. It uses neither the service nor the network.
 * @throws UnreadableFile if it is not an evidence file, or a line is malformed
 */
export const verifyEvidence = async (
  lines: AsyncIterable<string>,
  options: VerifyOptions = {},
): Promise<Report> => {
  const iterator = lines[Symbol.asyncIterator]()
  const first = await iterator.next()
  const head = await atLine(1, () => readHead(first.done ? undefined : first.value))
  const verification = new Verification(head, options)
  await verification.begin()
  let lineNumber = 1
  for (let line = await iterator.next(); !line.done; line = await iterator.next()) {
    const text = line.value
    await atLine(++lineNumber, () => verification.read(text))
  }
  return verification.end()
}
