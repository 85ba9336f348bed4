import { followedEmployee, isLogLeaf, type Leaf } from '../../src/evidence/leaf.ts'
import type { Findings, Report } from './report.ts'
import { nameOf } from './sealing.ts'

/** The newest events of an employee so far, in the file. */
interface Newest {
  previous: number | null
  statement: number | null
}

/**
 * Checks that `previous` and `statement` name the newest earlier events of the same employee. A
 * person's file has all statements, and all events of logs from its first one to its last one. So
 * it may lack an event that `previous` names only before its first event of a log, or after its
 * last one.
 */
export class Chain {
  readonly #isWhole: boolean
  readonly #faults: Findings
  readonly #newest = new Map<string, Newest>()
  /** Events that `previous` names and the file lacks, if an event of a log follows. */
  #absent: number[] = []
  #first: number | undefined
  #last: number | undefined
  #compared = 0

  constructor(isWhole: boolean, faults: Findings) {
    this.#isWhole = isWhole
    this.#faults = faults
  }

  /** What was compared so far. */
  get state(): Report['chain'] {
    const [first, last] = [this.#first, this.#last]
    const absentAfter = last === undefined ? undefined : this.#absent.at(-1)
    return { first, last, absentAfter, compared: this.#compared }
  }

  add(leaf: Leaf): void {
    const employee = followedEmployee(leaf)
    const { previous, statement } = leaf
    if (employee === null) {
      if (previous !== null || statement !== null) {
        this.#fault(leaf, 'nombra un evento anterior, y es de los que no tienen.')
      }
      return
    }
    this.#compared++
    const newest = this.#newest.get(employee) ?? { previous: null, statement: null }
    this.#compare(leaf, statement, newest.statement)
    if (this.#isWhole || (previous ?? 0) <= (newest.previous ?? 0)) {
      this.#compare(leaf, previous, newest.previous)
    } else if (previous !== null && previous !== statement) {
      this.#absent.push(previous)
    }
    const isOfLog = isLogLeaf(leaf)
    if (isOfLog) this.#addOfLog(leaf)
    this.#newest.set(employee, {
      previous: leaf.id,
      statement: isOfLog ? newest.statement : leaf.id,
    })
  }

  #addOfLog({ id }: Leaf): void {
    this.#first ??= id
    this.#last = id
    for (const absent of this.#absent) {
      if (absent > this.#first) this.#faults.add(`Falta el evento ${absent} de esta persona.`)
    }
    this.#absent = []
  }

  #fault(leaf: Leaf, text: string): void {
    this.#faults.add(`${nameOf(leaf)}: ${text}`)
  }

  #compare(leaf: Leaf, named: number | null, newest: number | null): void {
    if (named === newest) return
    if ((named ?? 0) > (newest ?? 0)) {
      this.#fault(leaf, `falta el evento ${named} de esta persona.`)
    } else {
      this.#fault(leaf, `nombra el evento ${named ?? 'ninguno'}, y el anterior es el ${newest}.`)
    }
  }
}
