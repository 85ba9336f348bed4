import { type Leaf, saltedHash } from '../../src/shared/evidence/leaf.ts'
import { isMoment } from './entry.ts'
import { labelOf } from './labels.ts'
import type { Findings } from './report.ts'

const FACTS = ['employee_id', 'kind', 'recorded_at', 'source'] as const

const STATUSES = ['pending', 'approved', 'rejected']

/** An event as people read of it. */
export const nameOf = ({ id, log_id }: Leaf): string => `Evento ${id} (checada ${log_id})`

/** The life of each log so far: its last event. */
export class History {
  readonly last = new Map<number, Leaf>()
  readonly #faults: Findings
  #lastId = 0
  withheld = 0

  constructor(faults: Findings) {
    this.#faults = faults
  }

  #checkId(leaf: Leaf, hasAll: boolean): void {
    const expected = this.#lastId + 1
    if (leaf.id < expected) {
      this.#faults.add(`${nameOf(leaf)}: está fuera de orden o repetido.`, leaf.log_id)
    } else if (hasAll && leaf.id > expected) {
      const missing = leaf.id - expected === 1 ? expected : `${expected} a ${leaf.id - 1}`
      this.#faults.add(`Antes del evento ${leaf.id} falta(n): ${missing}.`)
    }
    this.#lastId = Math.max(this.#lastId, leaf.id)
  }

  #checkStatus(leaf: Leaf): void {
    const fault = (text: string) => this.#faults.add(`${nameOf(leaf)}: ${text}`, leaf.log_id)
    const previous = this.last.get(leaf.log_id)
    const isFirst = leaf.event === 'recorded' && leaf.from === null
    const isLater = leaf.event === 'decided' && STATUSES.includes(leaf.from ?? '')
    if (!STATUSES.includes(leaf.to) || !(isFirst || isLater)) fault('no es un evento conocido.')
    if (!previous && !isFirst) fault('no consta cuándo se registró la checada.')
    if (previous && isFirst) fault('la checada ya estaba registrada.')
    if (previous && isLater && previous.to !== leaf.from) {
      fault(`parte de ${labelOf(leaf.from)}, pero el anterior la dejó ${labelOf(previous.to)}.`)
    }
    for (const fact of FACTS) {
      if (previous && previous[fact] !== leaf[fact]) {
        fault(`${labelOf(fact)} es ${leaf[fact]}, y antes era ${previous[fact]}.`)
      }
    }
  }

  #checkComment(leaf: Leaf, comment: unknown, salt: unknown): void {
    if (comment === undefined && leaf.comment !== null) this.withheld++
    if (comment === undefined) return
    const isSealed =
      leaf.comment !== null && leaf.comment === saltedHash(String(salt), String(comment))
    if (!isSealed) {
      this.#faults.add(`${nameOf(leaf)}: su comentario no es el que se selló.`, leaf.log_id)
    }
  }

  /** Checks an event against those before it. `hasAll`: the file has every event. */
  add(
    leaf: Leaf,
    { comment, comment_salt }: { comment?: unknown; comment_salt?: unknown },
    hasAll: boolean,
  ): void {
    if (!isMoment(leaf.at) || !isMoment(leaf.recorded_at)) {
      this.#faults.add(`${nameOf(leaf)}: tiene una fecha que no existe.`, leaf.log_id)
    }
    this.#checkId(leaf, hasAll)
    this.#checkStatus(leaf)
    this.#checkComment(leaf, comment, comment_salt)
    this.last.set(leaf.log_id, leaf)
  }
}
