import {
  type Checkpoint,
  openCheckpoint,
  readVerifierKey,
  type VerifierKey,
} from '../../src/evidence/checkpoint.ts'
import { UnreadableFile } from './unreadable.ts'

/** Step 1: the keys that are trusted, and which of them signed a seal. */
export class Keys {
  readonly #trusted = new Map<string, VerifierKey>()
  /** In the order of their first seals. */
  readonly signers = new Set<string>()

  /** `whose` begins the sentence that says that one of them is no key. */
  async trust(texts: readonly string[], whose: string): Promise<void> {
    for (const text of texts) {
      const key = await readVerifierKey(text)
      if (!key) throw new UnreadableFile(`${whose} no es de verificación: ${text}`)
      this.#trusted.set(text, key)
    }
  }

  get trusted(): VerifierKey[] {
    return [...this.#trusted.values()]
  }

  /** Opens a seal's checkpoint, which one of the trusted keys must have signed. */
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
