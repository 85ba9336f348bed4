import { it } from 'vitest'
import {
  expectNoSilentRemoval,
  expectNoSilentRemovalFromBoth,
  expectOnlyKnownRemovals,
} from '../support/evidence-removals.ts'

/** evidence-removals.slow.test.ts tries every removal, also of these histories. */
const SOME = { step: 8 }

it('no event can be removed from a person’s file without a fault', () =>
  expectNoSilentRemoval(1, SOME))

it('no event can be removed from a file of two people without a fault', () =>
  expectNoSilentRemovalFromBoth(3, SOME))

it('an operator who makes a file to match can leave out only what the verdict names', () =>
  expectOnlyKnownRemovals(2, SOME))
