import { equal } from '../../src/shared/evidence/bytes.ts'
import { openCheckpoint, type VerifierKey } from '../../src/shared/evidence/checkpoint.ts'
import type { Hash } from '../../src/shared/evidence/merkle.ts'
import type { Findings } from './report.ts'

/** Step 6: checkpoints that somebody kept, by the size of their tree. */
export class KeptCheckpoints {
  readonly #roots = new Map<number, Hash>()
  readonly #faults: Findings
  /** The sizes that agree with the file. */
  readonly agreed: number[] = []

  constructor(faults: Findings) {
    this.#faults = faults
  }

  async read(notes: readonly string[], keys: readonly VerifierKey[]): Promise<void> {
    for (const note of notes) {
      const checkpoint = await openCheckpoint(note, keys)
      if (!checkpoint) {
        this.#faults.add('Un sello guardado no está firmado con la llave de este archivo.')
        continue
      }
      const { size, root } = checkpoint
      const other = this.#roots.get(size)
      if (other && !equal(other, root)) {
        this.#faults.add(
          `Dos sellos guardados de ${size} eventos se contradicen: hubo dos registros.`,
        )
      }
      this.#roots.set(size, root)
    }
  }

  has(size: number): boolean {
    return this.#roots.has(size)
  }

  /** Compares the file's root at a size with the kept one. */
  compare(size: number, root: Hash): void {
    const kept = this.#roots.get(size)
    if (!kept) return
    this.#roots.delete(size)
    if (equal(kept, root)) this.agreed.push(size)
    else {
      this.#faults.add(
        `El registro no es el del sello guardado: sus primeros ${size} eventos eran otros.`,
      )
    }
  }

  /** The sizes that the file did not reach or does not show. */
  get left(): number[] {
    return [...this.#roots.keys()].sort((a, b) => a - b)
  }
}
