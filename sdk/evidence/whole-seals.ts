import { equal, toHex } from '../../src/core/values/bytes.ts'
import type { Checkpoint } from '../../src/evidence/seal/checkpoint.ts'
import { GrowingTree, type Hash } from '../../src/evidence/seal/merkle.ts'
import type { SealLine } from './format.ts'
import type { KeptCheckpoints } from './kept.ts'
import type { Findings } from './report.ts'
import { nameOf, type PendingEvent, type SealChecks } from './sealing.ts'

/** Checks that the events of a whole file are the sealed ones, in the same order. */
export class WholeSeals implements SealChecks {
  readonly #faults: Findings
  readonly #kept: KeptCheckpoints
  readonly #tree = new GrowingTree()

  constructor(faults: Findings, kept: KeptCheckpoints) {
    this.#faults = faults
    this.#kept = kept
  }

  get size(): number {
    return this.#tree.size
  }

  check(
    line: SealLine,
    pending: readonly PendingEvent[],
    checkpoint: Checkpoint | undefined,
  ): void {
    const first = this.#tree.size
    for (const leaf of line.leaves) {
      this.#tree.add(leaf)
      if (this.#kept.has(this.#tree.size)) this.#kept.compare(this.#tree.size, this.#tree.root)
    }
    const { size, root } = this.#tree
    if (checkpoint && (checkpoint.size !== size || !equal(checkpoint.root, root))) {
      this.#faults.add(`Sello ${line.seal}: su firma es de otros eventos.`)
    }
    this.#compareLeaves(`Sello ${line.seal}`, pending, line.leaves, first)
  }

  #compareLeaves(
    name: string,
    pending: readonly PendingEvent[],
    sealed: readonly Hash[],
    first: number,
  ): void {
    const isSame =
      pending.length === sealed.length &&
      pending.every(({ hash }, i) => equal(hash, sealed[i] ?? hash))
    if (isSame) return
    const here = new Set(pending.map(({ hash }) => toHex(hash)))
    const there = new Set(sealed.map(toHex))
    let named = 0
    for (const { leaf, hash } of pending) {
      if (there.has(toHex(hash))) continue
      named++
      this.#faults.add(`${nameOf(leaf)}: no es como se selló (${name}).`)
    }
    for (const [i, hash] of sealed.entries()) {
      if (here.has(toHex(hash))) continue
      named++
      this.#faults.add(`Falta, o se cambió, el evento sellado número ${first + i + 1} (${name}).`)
    }
    if (named === 0) this.#faults.add(`${name}: sus eventos están en otro orden, o repetidos.`)
  }
}
