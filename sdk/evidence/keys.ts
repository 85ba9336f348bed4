import {
  type Checkpoint,
  openCheckpoint,
  readVerifierKey,
  type VerifierKey,
} from '../../src/evidence/seal/checkpoint.ts'
import type { Findings } from './report.ts'
import { UnreadableFile } from './unreadable.ts'

/** The trusted keys, and which of them signed a seal. */
export class Keys {
  readonly #trusted = new Map<string, VerifierKey>()
  /** The keys that signed a seal, in the order of their first seals. */
  readonly signers = new Set<string>()

  /** The keys that the user gave. */
  #given: readonly string[] = []

  /** Trusts the given keys, or without any the file's own ones. */
  async begin(given: readonly string[], ofFile: readonly string[]): Promise<void> {
    this.#given = given
    if (given.length > 0) await this.#trust(given, 'La llave que se indicó')
    else await this.#trust(ofFile, 'Línea 1: la llave')
  }

  /** Whether the seals were signed with keys that the user gave. */
  get areAgreed(): boolean {
    return this.#given.length > 0 && this.signers.size > 0
  }

  /** Warns if only the file vouches for its keys, and of given keys that signed nothing. */
  end(warnings: Findings, sealCount: number): void {
    if (this.#given.length === 0 && sealCount > 0) {
      warnings.add(
        'La llave es la que trae el propio archivo: compárela con la que se pactó o se le entregó.',
      )
    }
    for (const key of this.#given) {
      if (this.signers.has(key)) continue
      warnings.add(`Esta llave no firmó ningún sello del archivo: ${key}`)
    }
  }

  /**
   * Adds trusted keys. The error message begins with `subject`.
   * @throws UnreadableFile if a text is not a key
   */
  async #trust(texts: readonly string[], subject: string): Promise<void> {
    for (const text of texts) {
      const key = await readVerifierKey(text)
      if (!key) throw new UnreadableFile(`${subject} no es de verificación: ${text}`)
      this.#trusted.set(text, key)
    }
  }

  get trusted(): VerifierKey[] {
    return [...this.#trusted.values()]
  }

  /** Reads a seal's checkpoint. Returns undefined if no trusted key has signed it. */
  async open(note: string): Promise<Checkpoint | undefined> {
    for (const [text, key] of this.#trusted) {
      const checkpoint = await openCheckpoint(note, [key])
      if (!checkpoint) continue
      this.signers.add(text)
      return checkpoint
    }
    return undefined
  }
}
