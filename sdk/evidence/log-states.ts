import type { LogLeaf } from '../../src/evidence/seal/leaf.ts'
import type { ProvenLog } from './report.ts'

const WORDS = ['branch', 'employee_id', 'kind', 'source', 'to'] as const

/** A log after its last event: its facts, its status (`to`), and the id of that event. */
export type LogState = Pick<LogLeaf, (typeof WORDS)[number] | 'id' | 'recorded_at'>

/** How many numbers a row has: the event's id, the moment, and one number for each word. */
const WIDTH = 2 + WORDS.length

const BLOCK = 64
const PAGE = 1_024

/** The states of logs. Each state is a row of numbers, because a million objects take 400 MB. */
export class LogStates {
  /**
   * For each log, the number of its row plus 1, in blocks of 64 log ids. 0 means that there is no
   * such log. Most ids are consecutive.
   */
  readonly #blocks = new Map<number, Uint32Array>()
  readonly #pages: Float64Array[] = []
  /** The values of the fields in WORDS. Rows store their indexes. */
  readonly #words: string[] = []
  readonly #wordNumbers = new Map<string, number>()

  size = 0

  #rowOf(logId: number): number | undefined {
    const number = this.#blocks.get(Math.floor(logId / BLOCK))?.[logId % BLOCK]
    return number ? number - 1 : undefined
  }

  #addRow(logId: number): number {
    const key = Math.floor(logId / BLOCK)
    const block = this.#blocks.get(key) ?? new Uint32Array(BLOCK)
    this.#blocks.set(key, block)
    block[logId % BLOCK] = ++this.size
    return this.size - 1
  }

  #numberOf(word: string): number {
    const known = this.#wordNumbers.get(word)
    if (known !== undefined) return known
    this.#wordNumbers.set(word, this.#words.length)
    return this.#words.push(word) - 1
  }

  #numbersOf(row: number): Float64Array {
    const page = Math.floor(row / PAGE)
    this.#pages[page] ??= new Float64Array(WIDTH * PAGE)
    const start = (row % PAGE) * WIDTH
    return this.#pages[page].subarray(start, start + WIDTH)
  }

  set(logId: number, state: LogState): void {
    const row = this.#rowOf(logId) ?? this.#addRow(logId)
    const words = WORDS.map((name) => this.#numberOf(state[name]))
    this.#numbersOf(row).set([state.id, Date.parse(state.recorded_at), ...words])
  }

  #read(row: number): LogState {
    const [id = 0, recorded_at = 0, ...words] = this.#numbersOf(row)
    const texts = Object.fromEntries(WORDS.map((name, i) => [name, this.#words[words[i] ?? -1]]))
    const moment = new Date(recorded_at).toISOString()
    return { ...(texts as Pick<LogState, (typeof WORDS)[number]>), id, recorded_at: moment }
  }

  get(logId: number): LogState | undefined {
    const row = this.#rowOf(logId)
    return row === undefined ? undefined : this.#read(row)
  }

  *[Symbol.iterator](): Generator<[id: number, state: LogState]> {
    for (const [key, block] of this.#blocks) {
      for (const [i, number] of block.entries()) {
        if (number > 0) yield [key * BLOCK + i, this.#read(number - 1)]
      }
    }
  }
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

/** The states as a report lists them: by person, in the order of the times. */
export const provenLogs = (states: LogStates, unsealedFrom: number): ProvenLog[] =>
  [...states]
    .map(([logId, { employee_id, kind, recorded_at, branch, to, id }]) => {
      const isSealed = id < unsealedFrom
      return { id: logId, employee_id, kind, recorded_at, branch, status: to, isSealed }
    })
    .sort((a, b) => compare(a.employee_id, b.employee_id) || compare(a.recorded_at, b.recorded_at))
