import { followedEmployee, type Leaf } from '../../src/evidence/leaf.ts'
import type { Findings } from './report.ts'
import { nameOf } from './sealing.ts'

/**
 * Checks that `previous` names the newest earlier event of the same employee. In a whole file,
 * anything else is a fault. In a person's file, `previous` can name an event that the file lacks,
 * which shows a gap. A person's file covers a period, so it may lack events before its first log
 * and after its last log. But it must have all agreements, signatures, answers, longest shifts and
 * changes of access to the account.
 */
export class Chain {
  readonly #isWhole: boolean
  readonly #faults: Findings
  readonly #missing: Findings
  readonly #lastIds = new Map<string, number>()
  /** The ids of the events of closings and of branches' zones. They have no `previous`. */
  readonly #outside = new Set<number>()
  #isAfterLog = false
  /**
   * Gaps just before an event without a log, such as an agreement. They count only if an event of a
   * log follows.
   */
  #pendingGaps: string[] = []
  /** The ids of the first and the last compared event that belongs to a log. */
  first: number | undefined
  last: number | undefined
  /** The number of events whose `previous` was compared. */
  compared = 0
  /** The number of places where a person's file lacks events. */
  gaps = 0

  constructor(isWhole: boolean, faults: Findings, missing: Findings) {
    this.#isWhole = isWhole
    this.#faults = faults
    this.#missing = missing
  }

  add(leaf: Leaf): void {
    const employee = followedEmployee(leaf)
    const { previous } = leaf
    if (employee === null) {
      this.#outside.add(leaf.id)
      if (previous) this.#fault(leaf, 'nombra un evento anterior, y es de los que no tienen.')
      return
    }
    const lastId = this.#lastIds.get(employee) ?? null
    this.#lastIds.set(employee, leaf.id)
    const isOfLog = 'log_id' in leaf
    if (previous !== undefined) {
      this.compared++
      if (this.#isWhole) this.#compare(leaf, lastId)
      else this.#compareOfPerson(leaf, lastId, isOfLog)
    }
    this.#isAfterLog ||= isOfLog
    if (!isOfLog || previous === undefined) return
    this.first ??= leaf.id
    this.last = leaf.id
  }

  #fault(leaf: Leaf, text: string): void {
    this.#faults.add(`${nameOf(leaf)}: ${text}`)
  }

  #compare(leaf: Leaf, lastId: number | null): void {
    if (leaf.previous === lastId) return
    this.#fault(
      leaf,
      `dice que el anterior de su persona es ${leaf.previous ?? 'ninguno'}, y es ${lastId ?? 'ninguno'}.`,
    )
  }

  #addGap(gap: string): void {
    this.gaps++
    this.#missing.add(gap)
  }

  #compareOfPerson(leaf: Leaf, lastId: number | null, isOfLog: boolean): void {
    const previous = leaf.previous ?? null
    if ((previous ?? 0) < (lastId ?? 0) || this.#outside.has(previous ?? 0)) {
      this.#compare(leaf, lastId)
      return
    }
    if (isOfLog) {
      for (const gap of this.#pendingGaps) this.#addGap(gap)
      this.#pendingGaps = []
    }
    if (previous === lastId || !this.#isAfterLog) return
    const gap = `Entre los eventos ${lastId} y ${leaf.id} faltan eventos de la persona: el último es el ${previous}.`
    if (isOfLog) this.#addGap(gap)
    else this.#pendingGaps.push(gap)
  }
}
