import { equal, fromBase64, toHex } from '../../src/shared/evidence/bytes.ts'
import {
  type Checkpoint,
  openCheckpoint,
  readVerifierKey,
  type VerifierKey,
} from '../../src/shared/evidence/checkpoint.ts'
import { type Leaf, saltedHash } from '../../src/shared/evidence/leaf.ts'
import {
  GrowingTree,
  HASH_BYTES,
  type Hash,
  leafHash,
  splitHashes,
} from '../../src/shared/evidence/merkle.ts'
import { stampedTime } from '../../src/shared/evidence/time-stamp.ts'
import { Dates } from './dates.ts'
import { isMoment, parseEntry, parseJson } from './entry.ts'
import { History, nameOf } from './history.ts'
import { KeptCheckpoints } from './kept.ts'
import { comparePayroll } from './payroll.ts'
import { isConsistent, parseProof, readHashes, rootByInclusion } from './proofs.ts'
import { Findings, type Report, type TimeStamp } from './report.ts'

/** The file is no evidence of this service. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
}

export interface VerifyOptions {
  /** The verifier keys to trust; those of the file, with a warning, if there are none. */
  keys?: readonly string[]
  /** Checkpoints that somebody kept. */
  checkpoints?: readonly string[]
  /** The lines of the service's own export, as NDJSON. */
  payroll?: AsyncIterable<string>
  /** Checks a token's signature and certificates; returns why it does not hold. */
  checkToken?: (token: Uint8Array, checkpoint: string, time: Date) => Promise<string | undefined>
  /** Called after each seal, with the number of events so far. */
  onProgress?: (events: number) => void | Promise<void>
}

type Line = Record<string, unknown>

/** An event that waits for its seal. */
interface Pending {
  leaf: Leaf
  hash: Hash
  proof: unknown
}

const LINES = {
  head: ['evidence', 'origin', 'keys', 'exported_at', 'actors', 'about'],
  event: ['entry', 'comment', 'comment_salt', 'proof'],
  seal: ['seal', 'at', 'checkpoint', 'leaves', 'count', 'consistency', 'tokens'],
  end: ['end'],
}

const isLine = (line: Line, kind: keyof typeof LINES): boolean =>
  Object.keys(line).every((name) => LINES[kind].includes(name))

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

interface Head {
  origin: string
  keys: string[]
  /** Salt and address of each actor, by hash. */
  actors: Record<string, { salt: unknown; address: unknown }>
  /** What a file of one person is about. */
  about: { employee_id: string; log_id: number | null; from: string; before: string } | undefined
  /** Whether nothing is missing and nothing stands there besides. */
  isComplete: boolean
}

const readHead = (text: string | undefined): Head => {
  const line = parseJson(text ?? '') as Line | null | undefined
  if (typeof line !== 'object' || line === null || line.evidence !== 1) {
    throw new UnreadableFile('No es un archivo de evidencia de este servicio.')
  }
  const { origin, keys, actors, about, exported_at } = line
  if (typeof origin !== 'string' || !isTexts(keys)) {
    throw new UnreadableFile('El archivo no dice de qué registro es ni con qué llave se firmó.')
  }
  return {
    origin,
    keys,
    actors: (actors ?? {}) as Head['actors'],
    about: about as Head['about'],
    isComplete:
      isLine(line, 'head') &&
      isMoment(exported_at) &&
      (actors === undefined) !== (about === undefined),
  }
}

class Verification {
  readonly #head: Head
  readonly #options: VerifyOptions
  readonly faults = new Findings()
  readonly warnings = new Findings()
  readonly #history = new History(this.faults)
  readonly #dates = new Dates(this.faults, this.warnings)
  readonly #kept = new KeptCheckpoints(this.faults)
  readonly #tree = new GrowingTree()
  readonly #stamps: TimeStamp[] = []
  readonly #origins: string[] = []
  #trusted: VerifierKey[] = []
  #keys: string[] = []
  #pending: Pending[] = []
  #events = 0
  #seals = 0
  #lastSeal = 0
  #previous: Checkpoint | undefined
  #sealedAt: string | undefined
  #hasEnded = false

  constructor(head: Head, options: VerifyOptions) {
    this.#head = head
    this.#options = options
  }

  get #isWhole(): boolean {
    return this.#head.about === undefined
  }

  /** Step 1: the keys; and what the head states of the users. */
  async begin(): Promise<void> {
    const { keys = [], checkpoints = [] } = this.#options
    this.#keys = [...(keys.length > 0 ? keys : this.#head.keys)]
    for (const text of this.#keys) {
      const key = await readVerifierKey(text)
      if (key) this.#trusted.push(key)
      else this.faults.add(`No es una llave de verificación: ${text}`)
    }
    if (keys.length === 0) {
      this.warnings.add(
        'La llave es la que trae el propio archivo: compárela con la que se pactó o se le entregó.',
      )
    }
    for (const [hash, { salt, address }] of Object.entries(this.#head.actors)) {
      if (saltedHash(String(salt), String(address)) !== hash) {
        this.faults.add(`El archivo atribuye a ${address} lo que hizo otra persona.`)
      }
    }
    if (!this.#head.isComplete) this.faults.add('El encabezado no está como se hizo.')
    await this.#kept.read(checkpoints, this.#trusted)
  }

  /** One line after the head. */
  async read(text: string): Promise<void> {
    const line = parseJson(text) as Line | null | undefined
    if (this.#hasEnded) return this.faults.add('Hay líneas después del final del archivo.')
    if (typeof line !== 'object' || line === null) {
      return this.faults.add(`Una línea no se puede leer, después del evento ${this.#events}.`)
    }
    if (typeof line.entry === 'string' && isLine(line, 'event')) return this.#readEvent(line)
    if (typeof line.seal === 'number' && isLine(line, 'seal')) return this.#readSeal(line)
    if (typeof line.end === 'object' && isLine(line, 'end')) return this.#readEnd(line.end as Line)
    this.faults.add(`Una línea no es de este formato, después del evento ${this.#events}.`)
  }

  /** Step 2. */
  #readEvent(line: Line): void {
    this.#events++
    const text = String(line.entry)
    const leaf = parseEntry(text)
    if (!leaf) {
      this.faults.add(`El evento número ${this.#events} no está como se sella.`)
      return
    }
    this.#history.add(leaf, line, this.#isWhole)
    this.#checkAbout(leaf)
    this.#pending.push({ leaf, hash: leafHash(text), proof: line.proof })
  }

  #checkAbout(leaf: Leaf): void {
    const { about } = this.#head
    if (!about) return
    const isAbout =
      leaf.employee_id === about.employee_id &&
      (about.log_id === null || leaf.log_id === about.log_id) &&
      leaf.recorded_at >= about.from &&
      leaf.recorded_at < about.before
    if (!isAbout) this.faults.add(`${nameOf(leaf)}: no es de lo que trata el archivo.`, leaf.log_id)
  }

  /** Step 3: the seal's number, key and origin. */
  async #openSeal(line: Line, name: string): Promise<Checkpoint | undefined> {
    const number = Number(line.seal)
    const follows = this.#isWhole ? number === this.#lastSeal + 1 : number > this.#lastSeal
    if (!follows) this.faults.add(`${name}: falta un sello antes, o está repetido.`)
    this.#lastSeal = number
    const checkpoint = await openCheckpoint(String(line.checkpoint), this.#trusted)
    if (!checkpoint) {
      this.faults.add(`${name}: su firma no corresponde a la llave.`)
      return undefined
    }
    const { origin } = checkpoint
    if (this.#origins.at(-1) !== origin) {
      if (this.#origins.includes(origin)) this.faults.add(`${name}: vuelve a un registro anterior.`)
      this.#origins.push(origin)
    }
    return checkpoint
  }

  async #readSeal(line: Line): Promise<void> {
    this.#seals++
    const name = `Sello ${line.seal}`
    const pending = this.#pending
    this.#pending = []
    const checkpoint = await this.#openSeal(line, name)
    const count = this.#isWhole
      ? this.#checkLeaves(line, name, pending, checkpoint)
      : this.#checkProofs(line, name, pending, checkpoint)
    const stamps = await this.#readTokens(line, name, checkpoint?.size ?? 0)
    const at = String(line.at)
    this.#dates.add(
      pending.map(({ leaf }) => leaf),
      { seal: Number(line.seal), count, at, stamps },
    )
    this.#sealedAt = at
    this.#previous = checkpoint ?? this.#previous
    await this.#options.onProgress?.(this.#events)
  }

  /** Step 3 of a whole file: the events are those that were sealed, in their order. */
  #checkLeaves(
    line: Line,
    name: string,
    pending: readonly Pending[],
    checkpoint: Checkpoint | undefined,
  ): number {
    const bytes = fromBase64(String(line.leaves))
    if (!bytes || bytes.length % HASH_BYTES !== 0) {
      this.faults.add(`${name}: no se puede leer.`)
      return pending.length
    }
    const sealed = splitHashes(bytes)
    const first = this.#tree.size
    for (const leaf of sealed) {
      this.#tree.add(leaf)
      if (this.#kept.has(this.#tree.size)) this.#kept.compare(this.#tree.size, this.#tree.root)
    }
    const { size, root } = this.#tree
    if (checkpoint && (checkpoint.size !== size || !equal(checkpoint.root, root))) {
      this.faults.add(`${name}: su firma es de otros eventos.`)
    }
    this.#compareLeaves(name, pending, sealed, first)
    return sealed.length
  }

  #compareLeaves(
    name: string,
    pending: readonly Pending[],
    sealed: readonly Hash[],
    first: number,
  ): void {
    const isSame =
      pending.length === sealed.length &&
      pending.every(({ hash }, i) => equal(hash, sealed[i] ?? hash))
    if (isSame) return
    const here = new Set(pending.map(({ hash }) => toHex(hash)))
    const there = new Set(sealed.map(toHex))
    let found = 0
    for (const { leaf, hash } of pending) {
      if (there.has(toHex(hash))) continue
      found++
      this.faults.add(`${nameOf(leaf)}: no es como se selló (${name}).`, leaf.log_id)
    }
    for (const [i, hash] of sealed.entries()) {
      if (here.has(toHex(hash))) continue
      found++
      this.faults.add(`Falta, o se cambió, el evento sellado número ${first + i + 1} (${name}).`)
    }
    if (found === 0) this.faults.add(`${name}: sus eventos están en otro orden, o repetidos.`)
  }

  /** Step 3 of a person's file: each event by its proof, and each seal by the one before it. */
  #checkProofs(
    line: Line,
    name: string,
    pending: readonly Pending[],
    checkpoint: Checkpoint | undefined,
  ): number {
    for (const { leaf, hash, proof: text } of pending) {
      const proof = parseProof(String(text))
      const root = proof && checkpoint && rootByInclusion(hash, proof, checkpoint.size)
      const holds =
        root &&
        equal(root, checkpoint.root) &&
        proof.checkpoint === line.checkpoint &&
        proof.index === leaf.id - 1
      if (!holds) this.faults.add(`${nameOf(leaf)}: no es como se selló (${name}).`, leaf.log_id)
    }
    const consistency = isTexts(line.consistency) ? readHashes(line.consistency) : undefined
    const isFirst = this.#seals === 1
    if (checkpoint && this.#previous && !isFirst) {
      if (!consistency || !isConsistent(this.#previous, checkpoint, consistency)) {
        this.faults.add(`${name}: no continúa el registro del sello anterior.`)
      }
    } else if (!consistency || (isFirst && consistency.length > 0)) {
      this.faults.add(`${name}: no se puede leer.`)
    }
    if (checkpoint) this.#kept.compare(checkpoint.size, checkpoint.root)
    return typeof line.count === 'number' ? line.count : 0
  }

  /** Step 4. */
  async #readTokens(line: Line, name: string, size: number): Promise<Date[]> {
    const tokens = isTexts(line.tokens) ? line.tokens.map(fromBase64) : [undefined]
    const note = String(line.checkpoint)
    const stamps: Date[] = []
    for (const token of tokens) {
      const time = token && stampedTime(token, note)
      if (!token || !time) {
        this.faults.add(`${name}: un sello de tiempo no es de este sello.`)
        continue
      }
      const reason = await this.#options.checkToken?.(token, note, time)
      if (reason) {
        this.faults.add(`${name}: su sello de tiempo no vale: ${reason}`)
        continue
      }
      stamps.push(time)
      const isChecked = this.#options.checkToken !== undefined
      this.#stamps.push({ time: time.toISOString(), size, isChecked })
    }
    return stamps
  }

  /** Step 8. */
  #readEnd(end: Line): void {
    this.#hasEnded = true
    if (end?.events !== this.#events || end?.seals !== this.#seals) {
      this.faults.add(
        `El archivo debería traer ${end?.events} eventos y ${end?.seals} sellos, y trae ${this.#events} y ${this.#seals}.`,
      )
    }
  }

  #finish(): void {
    const size = this.#isWhole ? this.#tree.size : (this.#previous?.size ?? 0)
    if (!this.#hasEnded) this.faults.add('El archivo está cortado: le falta el final.')
    if (this.#seals > 0 && this.#origins.at(-1) !== this.#head.origin) {
      this.faults.add(`El archivo dice ser de ${this.#head.origin}, y sus sellos no lo son.`)
    }
    for (const kept of this.#kept.left) {
      if (kept > size) {
        this.faults.add(
          `Se entregó un sello de ${kept} eventos, y este archivo solo llega a ${size}: faltan ${kept - size}.`,
        )
      } else {
        this.warnings.add(
          `El sello guardado de ${kept} eventos no se puede comparar con este archivo; con el completo, sí.`,
        )
      }
    }
    for (const { leaf } of this.#pending) this.#dates.addUnsealed(leaf)
    if (this.#pending.length > 0) {
      this.warnings.add(
        `${this.#pending.length} eventos aún no están sellados: de ellos no hay prueba todavía.`,
      )
    }
    if (this.#dates.late > 0) {
      this.warnings.add(`${this.#dates.late} eventos se sellaron más de 24 horas después.`)
    }
    if (this.#stamps.some(({ isChecked }) => !isChecked)) {
      this.warnings.add(
        'Los sellos de tiempo son de estos sellos, pero la firma de su autoridad no se comprobó.',
      )
    }
  }

  /** Steps 6 and 7, and what was found. */
  async end(): Promise<Report> {
    this.#finish()
    const { payroll, keys = [] } = this.#options
    const employee = this.#head.about?.employee_id
    const compared = payroll
      ? await comparePayroll(payroll, this.#history.last, employee, this.faults)
      : 0
    return {
      kind: this.#isWhole ? 'whole' : 'person',
      employee_id: employee,
      origin: this.#head.origin,
      keys: this.#keys,
      areKeysGiven: keys.length > 0,
      faults: this.faults,
      warnings: this.warnings,
      events: this.#events,
      seals: this.#seals,
      logs: this.#history.last.size,
      unsealed: this.#pending.length,
      withheld: this.#history.withheld,
      sealed_at: this.#sealedAt,
      size: this.#isWhole ? this.#tree.size : (this.#previous?.size ?? 0),
      kept: this.#kept.agreed,
      stamps: this.#stamps,
      compared,
    }
  }
}

/**
 * Verifies an evidence file, whole or of one person, from its lines. Nothing else is needed: no
 * service, no network.
 * @throws UnreadableFile where it is no evidence file
 */
export const verifyEvidence = async (
  lines: AsyncIterable<string>,
  options: VerifyOptions = {},
): Promise<Report> => {
  const iterator = lines[Symbol.asyncIterator]()
  const first = await iterator.next()
  const verification = new Verification(readHead(first.done ? undefined : first.value), options)
  await verification.begin()
  for (let line = await iterator.next(); !line.done; line = await iterator.next()) {
    await verification.read(line.value)
  }
  return verification.end()
}
