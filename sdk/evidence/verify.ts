import { hashOfText } from '../../src/agreements/agreement-hash.ts'
import { saltedHash } from '../../src/core/values/salted-hash.ts'
import { leafHash } from '../../src/evidence/seal/merkle.ts'
import { Subject } from './about.ts'
import { Chain } from './chain.ts'
import { ownClosings, provenClosings } from './closing.ts'
import { compareClosings } from './closing-lines.ts'
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
import type { KeptCheckpoint } from './kept.ts'
import { provenLogs } from './log-states.ts'
import type { NamedFile } from './named-file.ts'
import { Findings, type Report } from './report.ts'
import { Seals } from './seals.ts'
import { ShownEvents } from './shown.ts'
import { SourceRules } from './source-rules.ts'
import type { CheckToken } from './tokens.ts'
import { atLine } from './unreadable.ts'
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

/** Checks the lines of a file one after another, each by the part that knows it. */
class Verification {
  readonly #head: WholeHead | PeopleHead
  readonly #options: VerifyOptions
  readonly #isWhole: boolean
  readonly #faults = new Findings()
  readonly #warnings = new Findings()
  readonly #subject: Subject
  readonly #history: History
  readonly #sourceRules: SourceRules
  readonly #chain: Chain
  readonly #shown = new ShownEvents(this.#faults)
  readonly #seals: Seals
  #events = 0
  /** The number of logs with an event before the last seal, and what the chain had compared then. */
  #sealed: { logs: number; chain: Report['chain'] } = {
    logs: 0,
    chain: { people: [], compared: 0 },
  }
  #hasEnded = false

  constructor(head: WholeHead | PeopleHead, options: VerifyOptions) {
    const actors = 'actors' in head ? head.actors : undefined
    const [faults, warnings] = [this.#faults, this.#warnings]
    this.#head = head
    this.#options = options
    this.#isWhole = actors !== undefined
    this.#subject = new Subject('about' in head ? head.about : undefined, faults)
    this.#history = new History(faults, warnings, head)
    this.#sourceRules = new SourceRules(faults, actors)
    this.#chain = new Chain(this.#isWhole, faults)
    this.#seals = new Seals(this.#isWhole, { faults, warnings }, options.checkToken)
  }

  /** Checks the keys, the kept checkpoints, and the e-mails of the actors. */
  async begin(): Promise<void> {
    await this.#seals.begin(this.#head.keys, this.#options)
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
    this.#history.add(line, {
      hasAll: this.#isWhole,
      isOfPeriod: this.#subject.hasInPeriod(leaf),
    })
    this.#sourceRules.add(leaf)
    if (!this.#isWhole) this.#shown.add(leaf)
    if (!this.#subject.isOneLog) this.#chain.add(leaf)
    this.#subject.check(line)
    this.#seals.addEvent({ leaf, hash: leafHash(line.text), proof: line.proof })
  }

  async #readSeal(line: SealLine): Promise<void> {
    await this.#seals.read(line)
    this.#sealed = { logs: this.#history.logs.size, chain: this.#chain.state }
    await this.#options.onProgress?.(this.#events)
  }

  /** Checks that nothing is missing: the last line has the number of events and seals. */
  #readEnd({ events, seals }: { events: number; seals: number }): void {
    this.#hasEnded = true
    if (this.#isWhole && this.#events === 0) refuse('el archivo no trae ningún evento')
    if (events !== this.#events || seals !== this.#seals.count) {
      this.#faults.add(
        `El archivo debería traer ${plural(events, 'evento')} y ${plural(seals, 'sello')}, y trae ${this.#events} y ${this.#seals.count}.`,
      )
    }
  }

  /** Checks that the first line agrees with the seals. */
  #checkHead(): void {
    this.#seals.checkHead(this.#head)
    if (!('about' in this.#head)) return
    this.#shown.end(this.#head.about)
    this.#seals.checkUntil(this.#head.until)
  }

  #warnOfShown(unsealedFrom: number): void {
    if ((this.#shown.last?.id ?? 0) < unsealedFrom) return
    this.#warnings.add(
      'El evento que dice qué se entregó no está sellado: a este archivo se le pudieron quitar eventos o personas sin que se note.',
    )
  }

  /** Does the checks that need all lines of the file, and returns the report. */
  async end(): Promise<Report> {
    if (!this.#hasEnded) this.#faults.add('El archivo está cortado: le falta el final.')
    this.#checkHead()
    const unsealed = this.#seals.end()
    const { unsealedFrom, keys } = this.#seals
    this.#warnOfShown(unsealedFrom)
    const { about } = this.#subject
    const { statements, otherLogs, closings, logs, withheld } = this.#history
    const sealedClosings = new Map([...closings].filter(([, one]) => one.eventId < unsealedFrom))
    const proven = provenClosings(sealedClosings, unsealedFrom, about?.employee_ids ?? [])
    const uncompared = new Findings()
    const comparedClosings = await compareClosings(this.#options.closings ?? [], proven, uncompared)
    statements.end(unsealedFrom)
    this.#sourceRules.end(unsealedFrom)
    return {
      kind: this.#isWhole ? 'whole' : 'people',
      about,
      origin: this.#head.origin,
      keys: [...keys.signers],
      areKeysAgreed: keys.areAgreed,
      faults: this.#faults,
      warnings: this.#warnings,
      uncompared,
      unsealed,
      events: this.#events,
      logs: logs.size,
      otherLogs,
      chain: this.#sealed.chain,
      statements: statements.sentences,
      sources: this.#sourceRules.sentences,
      closings: closings.size,
      logStates: this.#isWhole ? [] : provenLogs(logs, unsealedFrom),
      sealedClosings: proven,
      shown: this.#shown.first,
      sealedEvents: this.#events - unsealed.count,
      sealedLogs: this.#sealed.logs,
      seals: this.#seals.count,
      until: this.#seals.until,
      withheld,
      kept: this.#seals.kept.agreedSizes,
      stamps: this.#seals.stamps,
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
