import { expect } from 'vitest'
import { followedEmployee, isLogLeaf, type Leaf } from '../../src/evidence/seal/leaf.ts'
import { faultsOf } from './evidence.ts'
import {
  aCancellation,
  aClosing,
  aLogEvent,
  anAccess,
  anAgreement,
  anAnswer,
  aRule,
  aSignature,
  BOTH,
  fileText,
  personFile,
  withPointers,
} from './evidence-files.ts'
import { parseLines } from './lines.ts'
import { createRandom } from './random.ts'

/** Histories of people, and files of them from which events are removed. */

const OTHER = { employee_id: 'E-otra', actor: 'import', user_id: null }
const OWN_ACCOUNT = { actor: 'a'.repeat(64), user_id: 9 }
const OBJECTION = { agrees: 0, comment: 'd'.repeat(64) }
const STEPS = 22

/** A random history of two people in several closings. */
const createHistory = (seed: number): Leaf[] => {
  const random = createRandom(seed)
  const leaves: Leaf[] = []
  const next = () => leaves.length + 1
  const add = (leaf: Leaf) => {
    leaves.push(leaf)
    return leaf.id
  }
  const pending: number[] = []
  const active: number[] = []
  let closings = 0
  const invite = () => {
    const through = add(anAccess(next(), 'invited'))
    if (random.int(2) === 0) add(anAccess(next(), 'password_set', { ...OWN_ACCOUNT, through }))
  }
  const steps: (() => void)[] = [
    () => pending.push(add(aLogEvent(next()))),
    () => pending.push(add(aLogEvent(next()))),
    () => {
      const log_id = pending.shift()
      const decision = { event: 'decided', log_id, from: 'pending', to: 'approved' } as const
      if (log_id) add(aLogEvent(next(), { ...decision, log_id }))
    },
    () => add(aLogEvent(next(), { ...OTHER })),
    () => active.push(add(aClosing(next(), ++closings)) && closings),
    () => {
      const id = active.shift()
      if (id && random.int(3) === 0) add(aCancellation(next(), id))
    },
    () => {
      const id = active.at(-1)
      if (id) add(aSignature(next(), id))
    },
    () => {
      const id = active.at(-1)
      if (!id) return
      const signature = add(aSignature(next(), id, OBJECTION))
      add(anAnswer(next(), signature))
    },
    () => add(anAgreement(next())),
    () => add(aRule(next())),
    () => add(anAccess(next(), 'password_set', OWN_ACCOUNT)),
    invite,
  ]
  add(anAccess(next(), 'linked'))
  invite()
  for (let i = 0; i < STEPS; i++) random.pick(steps)()
  return withPointers(leaves)
}

/** The numbers of leaves of the seals of a history. */
const sealsOf = (leaves: readonly Leaf[]): number[] => {
  const lastCount = leaves.length % 5
  return [...Array(Math.floor(leaves.length / 5)).fill(5), ...(lastCount > 0 ? [lastCount] : [])]
}

/** Each event alone, each kind, and each `step`-th of the pairs and of the runs of events. */
const removalsOf = (own: readonly Leaf[], step: number): Leaf[][] => {
  const pairs = own.flatMap((one, i) => own.slice(i + 1).map((other) => [one, other]))
  const runs = own.flatMap((_, i) => own.slice(i + 2).map((__, j) => own.slice(i, i + j + 3)))
  const isTaken = (_: unknown, i: number) => i % step === 0
  return [
    ...own.map((leaf) => [leaf]),
    ...Map.groupBy(own, ({ event }) => event).values(),
    ...pairs.filter(isTaken),
    ...runs.filter(isTaken),
  ]
}

interface Options {
  /** Every removal by default. */
  step?: number
  /** By default, the file is of one person. */
  people?: readonly string[]
  /** Whether `shown` was made for what is left, as only an operator can. */
  isShownToMatch?: boolean
}

/**
 * Verifies a file of people without some of its events, for each removal of `removalsOf`.
 * @returns the events of the file, and the removals that the verifier does not notice
 */
const findSilentRemovals = async (seed: number, options: Options) => {
  const leaves = createHistory(seed)
  const fileWithout = async (removed: readonly Leaf[]) => {
    const ids = new Set(removed.map(({ id }) => id))
    return fileText(await personFile(leaves, sealsOf(leaves), { ...options, removed: ids }))
  }
  const genuine = await fileWithout([])
  expect(await faultsOf(genuine)).toEqual([])
  const entries = parseLines(genuine).flatMap(({ entry }) => (entry ? [entry] : []))
  const all = entries.map((entry): Leaf => JSON.parse(entry))
  const own = all.filter(({ event }) => event !== 'shown')
  const removals = removalsOf(own, options.step ?? 1)
  expect(removals.length).toBeGreaterThan(50)
  const silent: Leaf[][] = []
  for (const removed of removals) {
    const faults = await faultsOf(await fileWithout(removed)).catch(() => ['unreadable'])
    if (faults.length === 0) silent.push(removed)
  }
  return { own, silent }
}

export const expectNoSilentRemoval = async (seed: number, options: Options = {}) => {
  const { silent } = await findSilentRemovals(seed, options)
  expect(silent).toEqual([])
}

/** Expects that nothing can be removed from the file of two people. */
export const expectNoSilentRemovalFromBoth = (seed: number, options: Options = {}) =>
  expectNoSilentRemoval(seed, { ...options, people: BOTH })

/**
 * Expects that only cancellations, closings that the person did not sign, the person's last events,
 * and the first and the last events of logs can be left out.
 */
export const expectOnlyKnownRemovals = async (seed: number, options: Options = {}) => {
  const { own, silent } = await findSilentRemovals(seed, { ...options, isShownToMatch: true })
  for (const removed of silent) {
    const left = own.filter((leaf) => followedEmployee(leaf) !== null && !removed.includes(leaf))
    const isSigned = (leaf: Leaf) =>
      left.some(
        (other) =>
          other.event === 'signed' &&
          leaf.event === 'closed' &&
          other.closing_id === leaf.closing_id,
      )
    const isAtEnd = ({ id }: Leaf) => left.every((leaf) => leaf.id < id)
    const logs = left.filter(isLogLeaf)
    const isLogAtEdge = (leaf: Leaf) =>
      isLogLeaf(leaf) &&
      (logs.every(({ id }) => id > leaf.id) || logs.every(({ id }) => id < leaf.id))
    const others = removed.filter((leaf) =>
      followedEmployee(leaf) === null ? isSigned(leaf) : !isAtEnd(leaf) && !isLogAtEdge(leaf),
    )
    expect(others).toEqual([])
  }
}
