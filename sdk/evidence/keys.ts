import {
  type Checkpoint,
  openCheckpoint,
  readVerifierKey,
  type VerifierKey,
} from '../../src/evidence/seal/checkpoint.ts'
import { UnreadableFile } from './unreadable.ts'

/** The trusted keys, and which of them signed a seal. */
export class Keys {
  readonly #trusted = new Map<string, VerifierKey>()
  /** The keys that signed a seal, in the order of their first seals. */
  readonly signers = new Set<string>()

  /**
   * Adds trusted keys. The error message begins with `subject`.
   * @throws UnreadableFile if a text is not a key
   */
  async trust(texts: readonly string[], subject: string): Promise<void> {
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
