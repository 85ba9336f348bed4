import type { Checkpoint } from '../../src/evidence/seal/checkpoint.ts'
import { isLogLeaf, type Leaf } from '../../src/evidence/seal/leaf.ts'
import type { Hash } from '../../src/evidence/seal/merkle.ts'
import type { SealLine } from './format.ts'
import type { Proof } from './proofs.ts'
import { labelOf } from './words.ts'

/** The name of an event in messages. */
export const nameOf = (leaf: Leaf): string => {
  if (isLogLeaf(leaf)) return `Evento ${leaf.id} (checada ${leaf.log_id})`
  if ('closing_id' in leaf) return `Evento ${leaf.id} (cierre ${leaf.closing_id})`
  return `Evento ${leaf.id} (${labelOf(leaf.event)})`
}

/** An event whose seal has not been read yet. */
export interface PendingEvent {
  leaf: Leaf
  hash: Hash
  proof: Proof | undefined
}

/** Checks seals against their events. Whole files and files of people need different checks. */
export interface SealChecks {
  /** The number of events that are covered by the seals so far. */
  readonly size: number
  /** `checkpoint` is undefined if no trusted key has signed it. */
  check(line: SealLine, pending: readonly PendingEvent[], checkpoint: Checkpoint | undefined): void
}
