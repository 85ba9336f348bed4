import { isLogLeaf, isSourceRule, type Leaf } from '../../src/evidence/seal/leaf.ts'
import { flawOfOwnLines } from './closing.ts'
import type { EventLine, PeopleHead } from './format.ts'
import type { Findings } from './report.ts'
import { nameOf } from './sealing.ts'

type About = PeopleHead['about']

/** Whether the log of an event is of the file's period. True for an event that has no log. */
const isOfPeriod = (leaf: Leaf, { from, before }: About): boolean =>
  !isLogLeaf(leaf) || (leaf.recorded_at >= from && leaf.recorded_at < before)

/** Whether an event is of one of the people, or is one that concerns everybody. */
const isOfPeople = (leaf: Leaf, { employee_ids }: About): boolean => {
  if (leaf.event === 'cancelled' || isSourceRule(leaf)) return true
  if (leaf.event === 'closed' && !leaf.employee_id) return true
  return leaf.employee_id !== null && employee_ids.includes(leaf.employee_id)
}

/** Whether an event may be in a file of one log. True in any other file. */
const isOfLog = (leaf: Leaf, about: About): boolean => {
  if (about.log_id === null) return true
  return isLogLeaf(leaf)
    ? leaf.log_id === about.log_id && isOfPeriod(leaf, about)
    : leaf.event === 'shown'
}

/** Checks each event against what the first line says that the file is about. */
export class Subject {
  /** Undefined in a whole file, which is about everything. */
  readonly about: About | undefined
  readonly #faults: Findings

  constructor(about: About | undefined, faults: Findings) {
    this.about = about
    this.#faults = faults
  }

  /** Whether the file has only one log, and so not all events of its employee. */
  get isOneLog(): boolean {
    return this.about !== undefined && this.about.log_id !== null
  }

  hasInPeriod(leaf: Leaf): boolean {
    return this.about === undefined || isOfPeriod(leaf, this.about)
  }

  check({ leaf, paid }: EventLine): void {
    if (!this.about) return
    if (!isOfPeople(leaf, this.about) || !isOfLog(leaf, this.about)) {
      this.#faults.add(`${nameOf(leaf)}: no es de lo que trata el archivo.`)
    }
    if (leaf.event !== 'closed' || !paid) return
    const flaw = flawOfOwnLines(leaf, paid, this.about.employee_ids)
    if (flaw !== undefined) this.#faults.add(`${nameOf(leaf)}: ${flaw}`)
  }
}
