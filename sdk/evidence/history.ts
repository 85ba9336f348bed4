import { saltedHash } from '../../src/core/values/salted-hash.ts'
import {
  type CancelledLeaf,
  type ClosedLeaf,
  isLogLeaf,
  type Leaf,
  type LogLeaf,
} from '../../src/evidence/seal/leaf.ts'
import type { ClosingState } from './closing.ts'
import type { EventLine, OwnLines, PeopleHead, WholeHead } from './format.ts'
import { LogStates } from './log-states.ts'
import type { Findings } from './report.ts'
import { nameOf } from './sealing.ts'
import { isStatement, Statements } from './statements.ts'
import { labelOf } from './words.ts'

const FACTS = ['employee_id', 'kind', 'recorded_at', 'source', 'branch'] as const

/** The events whose words every file has, unless they were erased. */
const WORDS_OF: Partial<Record<Leaf['event'], string>> = {
  signed: 'de la objeción',
  answered: 'de la respuesta',
  agreed: 'con que se anuló el acuerdo',
}

/** Checks each event against the earlier events of its log or closing. */
export class History {
  /** The logs of the file's period, by id. */
  readonly logs = new LogStates()
  readonly closings = new Map<number, ClosingState>()
  /** The agreements, signatures, answers and changes of access to accounts. */
  readonly statements: Statements
  /** The logs that are not of the file's period. */
  readonly #otherLogs = new LogStates()
  readonly #faults: Findings
  readonly #warnings: Findings
  #lastId = 0
  /** The number of comments on decisions whose text is not in the file. */
  withheld = 0

  constructor(faults: Findings, warnings: Findings, head: WholeHead | PeopleHead) {
    this.#faults = faults
    this.#warnings = warnings
    this.statements = new Statements(faults, this.closings, head)
  }

  #checkId(leaf: Leaf, hasAll: boolean): void {
    const expected = this.#lastId + 1
    if (leaf.id < expected) {
      this.#faults.add(`${nameOf(leaf)}: está fuera de orden o repetido.`)
    } else if (hasAll && leaf.id > expected) {
      const missing =
        leaf.id - expected === 1
          ? `falta el ${expected}`
          : `faltan los eventos ${expected} a ${leaf.id - 1}`
      this.#faults.add(`Antes del evento ${leaf.id} ${missing}.`)
    }
    this.#lastId = Math.max(this.#lastId, leaf.id)
  }

  #checkLog(leaf: LogLeaf, isOfPeriod: boolean): void {
    const fault = (text: string) => this.#faults.add(`${nameOf(leaf)}: ${text}`)
    const logs = isOfPeriod ? this.logs : this.#otherLogs
    const previous = logs.get(leaf.log_id)
    const isFirst = leaf.event === 'recorded'
    if (!previous && !isFirst && isOfPeriod) fault('no consta cuándo se registró la checada.')
    if (previous && isFirst) fault('la checada ya estaba registrada.')
    if (previous && !isFirst && previous.to !== leaf.from) {
      fault(`parte de ${labelOf(leaf.from)}, pero el anterior la dejó ${labelOf(previous.to)}.`)
    }
    for (const fact of FACTS) {
      const [is, was] = [leaf[fact], previous?.[fact]]
      if (was !== undefined && is !== was) fault(`${labelOf(fact)} es ${is}, y antes era ${was}.`)
    }
    logs.set(leaf.log_id, leaf)
  }

  #checkClosing(leaf: ClosedLeaf | CancelledLeaf, paid: OwnLines | undefined): void {
    const fault = (text: string) => this.#faults.add(`${nameOf(leaf)}: ${text}`)
    const closing = this.closings.get(leaf.closing_id)
    if (leaf.event === 'closed') {
      if (closing) fault('el cierre ya se había hecho.')
      const { id: eventId, before, employee_id, lines } = leaf
      this.closings.set(leaf.closing_id, {
        ...{ eventId, before, employee_id, lines, paid, cancelledId: undefined },
      })
      return
    }
    if (!closing) fault('se cancela un cierre que no consta.')
    if (closing?.cancelledId !== undefined) fault('el cierre ya se había cancelado.')
    const unknown = { eventId: leaf.id, before: '', employee_id: null, lines: '', paid: undefined }
    this.closings.set(leaf.closing_id, { ...unknown, ...closing, cancelledId: leaf.id })
  }

  #checkComment({ leaf, comment, comment_salt }: EventLine): void {
    const hash = 'comment' in leaf ? leaf.comment : null
    if (comment === undefined) {
      if (hash === null) return
      const what = WORDS_OF[leaf.event]
      if (what === undefined) this.withheld++
      else {
        this.#warnings.add(
          `${nameOf(leaf)}: las palabras ${what} no vienen en el archivo, o se borraron.`,
        )
      }
    } else if (hash !== saltedHash(comment_salt, comment)) {
      this.#faults.add(`${nameOf(leaf)}: su comentario no es el que se selló.`)
    }
  }

  /** The number of logs in the file that are outside its period. */
  get otherLogs(): number {
    return this.#otherLogs.size
  }

  /**
   * Checks the next event. If `hasAll`, the ids must have no gap. A log that is not of the file's
   * period may have only some of its events.
   */
  add(line: EventLine, { hasAll, isOfPeriod }: { hasAll: boolean; isOfPeriod: boolean }): void {
    const { leaf } = line
    this.#checkId(leaf, hasAll)
    if (isLogLeaf(leaf)) this.#checkLog(leaf, isOfPeriod)
    else if (leaf.event === 'closed' || leaf.event === 'cancelled') {
      this.#checkClosing(leaf, line.paid)
    } else if (isStatement(leaf)) this.statements.add(leaf)
    this.#checkComment(line)
  }
}
