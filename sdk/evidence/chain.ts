import { followedEmployee, isLogLeaf, type Leaf } from '../../src/evidence/seal/leaf.ts'
import type { Findings, Report } from './report.ts'
import { nameOf } from './sealing.ts'

/** What was read of an employee so far. */
interface Links {
  /** The ids of the newest event, and of the newest one that is not of a log. */
  previous: number | null
  statement: number | null
  /** The ids of the first and of the last event of a log. */
  first: number | undefined
  last: number | undefined
  /** Events that `previous` names and the file lacks, if an event of a log follows. */
  absent: number[]
}

/**
 * Checks that `previous` and `statement` name the newest earlier events of the same employee. A file
 * of people has all statements of each, and all events of logs from the first one to the last one.
 * So it may lack an event that `previous` names only before a person's first event of a log, or
 * after the last one.
 */
export class Chain {
  readonly #isWhole: boolean
  readonly #faults: Findings
  readonly #links = new Map<string, Links>()
  /** The ids of all events of a file of people so far. */
  readonly #ids = new Set<number>()
  #compared = 0

  constructor(isWhole: boolean, faults: Findings) {
    this.#isWhole = isWhole
    this.#faults = faults
  }

  /** What was compared so far. */
  get state(): Report['chain'] {
    const people = [...this.#links].flatMap(([employee_id, { first, last, absent }]) =>
      first === undefined || last === undefined
        ? []
        : [{ employee_id, first, last, absentAfter: absent.at(-1) }],
    )
    return { people: this.#isWhole ? [] : people, compared: this.#compared }
  }

  #linksOf(employee_id: string): Links {
    const none = { previous: null, statement: null, first: undefined, last: undefined, absent: [] }
    const links = this.#links.get(employee_id) ?? none
    this.#links.set(employee_id, links)
    return links
  }

  add(leaf: Leaf): void {
    const employee = followedEmployee(leaf)
    const { previous, statement } = leaf
    if (!this.#isWhole) this.#ids.add(leaf.id)
    if (employee === null) {
      if (previous !== null || statement !== null) {
        this.#fault(leaf, 'nombra un evento anterior, y es de los que no tienen.')
      }
      return
    }
    this.#compared++
    const links = this.#linksOf(employee)
    this.#compare(leaf, statement, links.statement)
    if (this.#isWhole || (previous ?? 0) <= (links.previous ?? 0)) {
      this.#compare(leaf, previous, links.previous)
    } else if (previous !== null && this.#ids.has(previous)) {
      this.#fault(leaf, `nombra el evento ${previous}, que no es de esta persona.`)
    } else if (previous !== null && previous !== statement) {
      links.absent.push(previous)
    }
    links.previous = leaf.id
    if (isLogLeaf(leaf)) this.#addOfLog(leaf, links)
    else links.statement = leaf.id
  }

  #addOfLog({ id }: Leaf, links: Links): void {
    links.first ??= id
    links.last = id
    for (const absent of links.absent) {
      if (absent > links.first) this.#faults.add(`Falta el evento ${absent} de esta persona.`)
    }
    links.absent = []
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
