import { it } from 'vitest'
import {
  expectNoSilentRemoval,
  expectNoSilentRemovalFromBoth,
  expectOnlyKnownRemovals,
} from '../support/evidence-removals.ts'

it('no event can be removed from a person’s file without a fault', () => expectNoSilentRemoval(1))

it('no event can be removed from a file of two people without a fault', () =>
  expectNoSilentRemovalFromBoth(3))

it('an operator who makes a file to match can leave out only what the verdict names', () =>
  expectOnlyKnownRemovals(2))
