import { it } from 'vitest'
import {
  expectNoSilentRemoval,
  expectNoSilentRemovalFromBoth,
  expectOnlyKnownRemovals,
} from '../support/evidence-removals.ts'

const SEEDS = Array.from({ length: 10 }, (_, i) => 1 + i)

it.each(SEEDS)('no event can be removed from a person’s file without a fault: seed %i', (seed) =>
  expectNoSilentRemoval(seed),
)

it.each(SEEDS)('no event can be removed from a file of two people: seed %i', (seed) =>
  expectNoSilentRemovalFromBoth(seed),
)

it.each(SEEDS)('an operator can leave out only what the verdict names: seed %i', (seed) =>
  expectOnlyKnownRemovals(seed),
)
