import { equal } from '../../src/core/values/bytes.ts'
import type { Checkpoint } from '../../src/evidence/seal/checkpoint.ts'
import type { SealLine } from './format.ts'
import type { KeptCheckpoints } from './kept.ts'
import { isConsistent, rootByInclusion } from './proofs.ts'
import type { Findings } from './report.ts'
import { nameOf, type PendingEvent, type SealChecks } from './sealing.ts'
import { plural } from './words.ts'

/**
 * Checks each event's proof in a file of people, and that each seal continues the seal before it.
 */
export class PeopleSeals implements SealChecks {
  readonly #faults: Findings
  readonly #kept: KeptCheckpoints
  #previous: Checkpoint | undefined
  #previousSeal = 0

  constructor(faults: Findings, kept: KeptCheckpoints) {
    this.#faults = faults
    this.#kept = kept
  }

  get size(): number {
    return this.#previous?.size ?? 0
  }

  check(
    line: SealLine,
    pending: readonly PendingEvent[],
    checkpoint: Checkpoint | undefined,
  ): void {
    const name = `Sello ${line.seal}`
    for (const { leaf, hash, proof } of pending) {
      const root = proof && checkpoint && rootByInclusion(hash, proof, checkpoint.size)
      const holds =
        root &&
        equal(root, checkpoint.root) &&
        proof.checkpoint === line.checkpoint &&
        proof.index === leaf.id - 1
      if (!holds) this.#faults.add(`${nameOf(leaf)}: no es como se selló (${name}).`)
    }
    if (checkpoint) {
      this.#checkCount(line, pending, checkpoint)
      this.#kept.compare(checkpoint.size, checkpoint.root)
      if (!this.#continues(checkpoint, line)) {
        this.#faults.add(`${name}: no continúa la evidencia del sello anterior.`)
      }
    }
    this.#previous = checkpoint ?? this.#previous
    this.#previousSeal = line.seal
  }

  #continues(checkpoint: Checkpoint, { consistency }: SealLine): boolean {
    return this.#previous
      ? isConsistent(this.#previous, checkpoint, consistency)
      : consistency.length === 0
  }

  /** The number of a seal's events is not signed. It must fit the events and the other seals. */
  #checkCount(line: SealLine, pending: readonly PendingEvent[], { size }: Checkpoint): void {
    const first = size - line.count
    const follows = line.seal === this.#previousSeal + 1
    const fits =
      (follows ? first === this.size : first >= this.size) &&
      pending.every(({ leaf }) => leaf.id > first)
    if (!fits)
      this.#faults.add(`Sello ${line.seal}: no pudo tener ${plural(line.count, 'evento')}.`)
  }
}
