import { Dates } from './dates.ts'
import { type PeopleHead, refuse, type SealLine } from './format.ts'
import { type KeptCheckpoint, KeptCheckpoints } from './kept.ts'
import { Keys } from './keys.ts'
import { PeopleSeals } from './people-seals.ts'
import { Findings, type Report, type TimeStamp } from './report.ts'
import { nameOf, type PendingEvent, type SealChecks } from './sealing.ts'
import { type CheckToken, Tokens } from './tokens.ts'
import { WholeSeals } from './whole-seals.ts'

/** The maximum number of unsealed events that the report names. The others are only counted. */
const UNSEALED_KEPT = 10_000

interface Trusted {
  keys?: readonly string[]
  checkpoints?: readonly KeptCheckpoint[]
}

/** Checks the seals of a file: their order, signatures, origins, dates, time stamps and events. */
export class Seals {
  readonly keys = new Keys()
  readonly kept: KeptCheckpoints
  readonly #isWhole: boolean
  readonly #faults: Findings
  readonly #warnings: Findings
  readonly #checks: SealChecks
  readonly #dates: Dates
  readonly #tokens: Tokens
  readonly #origins: string[] = []
  /** The events since the last seal. */
  #pending: PendingEvent[] = []
  #last: SealLine | undefined
  /** In a file of people, only the last seal may have no event of them. */
  #lastIsEmpty = false
  #areAllOpened = true
  count = 0

  constructor(
    isWhole: boolean,
    { faults, warnings }: { faults: Findings; warnings: Findings },
    checkToken: CheckToken | undefined,
  ) {
    this.#isWhole = isWhole
    this.#faults = faults
    this.#warnings = warnings
    this.kept = new KeptCheckpoints(faults)
    this.#checks = isWhole ? new WholeSeals(faults, this.kept) : new PeopleSeals(faults, this.kept)
    this.#dates = new Dates(faults, warnings)
    this.#tokens = new Tokens(faults, checkToken)
  }

  /** Reads the keys and the kept checkpoints. `ofFile` are the keys of the first line. */
  async begin(ofFile: readonly string[], { keys = [], checkpoints = [] }: Trusted): Promise<void> {
    await this.keys.begin(keys, ofFile)
    await this.kept.read(checkpoints, this.keys.trusted)
  }

  addEvent(event: PendingEvent): void {
    this.#pending.push(event)
  }

  /** Checks a seal's number, signature, origin and size, and then its events and dates. */
  async read(line: SealLine): Promise<void> {
    this.#checkNumber(line)
    const pending = this.#pending
    this.#pending = []
    const checkpoint = await this.#open(line)
    this.#checks.check(line, pending, checkpoint)
    const stamps = await this.#tokens.read(line, checkpoint?.size ?? 0)
    const leaves = pending.map(({ leaf }) => leaf)
    const count = this.#isWhole ? line.leaves.length : line.count
    this.#dates.add(leaves, { seal: line.seal, count, at: line.at, stamps })
    this.count++
    this.#last = line
    this.#lastIsEmpty = !this.#isWhole && pending.length === 0
  }

  #checkNumber({ seal }: SealLine): void {
    const last = this.#last?.seal ?? 0
    if (seal <= last) refuse(`el sello ${seal} está repetido o fuera de orden`)
    if (this.#lastIsEmpty) refuse(`el sello ${last}, antes de este, está vacío`)
    if (this.#isWhole && seal !== last + 1) this.#faults.add(`Sello ${seal}: falta un sello antes.`)
  }

  /** Returns the signed checkpoint. Undefined if no trusted key has signed it. */
  async #open({ seal, checkpoint: note }: SealLine) {
    const checkpoint = await this.keys.open(note)
    if (!checkpoint) {
      this.#areAllOpened = false
      this.#faults.add(`Sello ${seal}: su firma no corresponde a la llave.`)
      return undefined
    }
    if (checkpoint.size <= this.size) refuse(`el sello ${seal} no agrega eventos al anterior`)
    this.#checkOrigin(checkpoint.origin, seal)
    return checkpoint
  }

  #checkOrigin(origin: string, seal: number): void {
    if (this.#origins.at(-1) === origin) return
    if (this.#origins.includes(origin)) {
      this.#faults.add(`Sello ${seal}: vuelve a una evidencia anterior.`)
    }
    this.#origins.push(origin)
  }

  /** The number of events that the seals cover, also those that a file of people lacks. */
  get size(): number {
    return this.#checks.size
  }

  get stamps(): TimeStamp[] {
    return this.#tokens.stamps
  }

  /** The last seal. Undefined if the file has none. */
  get until(): Report['until'] {
    return this.#last && { seal: this.#last.seal, at: this.#last.at, size: this.size }
  }

  /** The id of the first event that is not sealed. */
  get unsealedFrom(): number {
    return this.#pending[0]?.leaf.id ?? Number.POSITIVE_INFINITY
  }

  /** Checks that the first line names the origin and the keys of the seals. */
  checkHead({ origin, keys }: { origin: string; keys: readonly string[] }): void {
    if (this.count === 0) return
    if (this.#origins.at(-1) !== origin) {
      this.#faults.add(`El archivo dice ser de ${origin}, y sus sellos no lo son.`)
    }
    if (this.#areAllOpened && keys.join() !== [...this.keys.signers].join()) {
      this.#faults.add('Las llaves de la primera línea no son las que firmaron los sellos.')
    }
  }

  /** Checks that the first line of a file of people names the last seal. */
  checkUntil(until: PeopleHead['until']): void {
    const { seal, at } = this.#last ?? {}
    const isUntil = until?.seal === seal && until?.at === at
    if (!isUntil || (until?.size ?? 0) !== this.size) {
      this.#faults.add('La primera línea no dice hasta qué sello llega el archivo.')
    }
  }

  /** Does the checks that need all seals, and returns the events that are not sealed. */
  end(): Findings {
    this.kept.end(this.size, this.#warnings)
    const unsealed = this.#nameUnsealed()
    this.keys.end(this.#warnings, this.count)
    this.#dates.end()
    this.#tokens.end(this.#warnings)
    return unsealed
  }

  #nameUnsealed(): Findings {
    const unsealed = new Findings(UNSEALED_KEPT)
    for (const { leaf, proof } of this.#pending) {
      unsealed.add(`${nameOf(leaf)}, del ${leaf.at}`)
      this.#dates.addUnsealed(leaf)
      if (proof || leaf.id <= this.size) {
        this.#faults.add(`${nameOf(leaf)}: le falta su sello, que ya lo cubre.`)
      }
    }
    return unsealed
  }
}
