import type { Checkpoint } from '../../src/evidence/checkpoint.ts'
import type { Leaf } from '../../src/evidence/leaf.ts'
import type { Hash } from '../../src/evidence/merkle.ts'
import type { SealLine } from './format.ts'
import type { Proof } from './proofs.ts'

/** An event as people read of it. */
export const nameOf = (leaf: Leaf): string =>
  'log_id' in leaf
    ? `Evento ${leaf.id} (checada ${leaf.log_id})`
    : `Evento ${leaf.id} (cierre ${leaf.closing_id})`

/** An event that waits for its seal. */
export interface Pending {
  leaf: Leaf
  hash: Hash
  proof: Proof | undefined
}

/** Step 3, which differs in a whole file and in a person's. */
export interface SealChecks {
  /** How many events are sealed. */
  readonly size: number
  /** `checkpoint` is undefined where no trusted key signed it. */
  check(line: SealLine, pending: readonly Pending[], checkpoint: Checkpoint | undefined): void
}
