import type { LogLeaf } from '../../src/evidence/leaf.ts'

const WORDS = ['branch', 'employee_id', 'event', 'kind', 'source', 'to'] as const

/** Whether an employee asked for the log. */
export const isRequest = ({ source }: { source: string }): boolean => source.startsWith('request:')

/**
 * The hash of an event's comment, and its salt. The salt is undefined if the file lacks the text.
 */
export interface SealedComment {
  comment: string | null
  comment_salt: string | undefined
}

/** The state of a log after its events, to compare with its row in the export. */
export interface LogState {
  /** The newest event of the log so far. */
  last: Pick<LogLeaf, (typeof WORDS)[number] | 'id' | 'at' | 'recorded_at' | 'comment'>
  received_at: string | undefined
  /** The salt of the last event's comment. Undefined if the file lacks the comment's text. */
  comment_salt: string | undefined
  /** The comment with which an employee asked for the log. Undefined if no such event was read. */
  request: SealedComment | undefined
}

/** How many numbers a row has: the id, three moments, and one number for each word. */
const WIDTH = 4 + WORDS.length

const BLOCK = 64
const PAGE = 1_024

const toText = (moment: number | undefined) => new Date(moment ?? Number.NaN).toISOString()

/** The states of logs. Each state is a row of numbers, because a million objects take 400 MB. */
export class LogStates {
  /**
   * For each log, the number of its row plus 1, in blocks of 64 log ids. 0 means that there is no
   * such log. Most ids are consecutive.
   */
  readonly #blocks = new Map<number, Uint32Array>()
  readonly #pages: Float64Array[] = []
  /** The values of the fields in WORDS. Rows store their indexes. Undefined if a leaf has none. */
  readonly #words: (string | undefined)[] = []
  readonly #wordNumbers = new Map<string | undefined, number>()
  /** The comments of the rows whose last event has one. */
  readonly #comments = new Map<number, SealedComment>()
  readonly #requests = new Map<number, SealedComment>()

  size = 0
  newestId = 0

  #rowOf(logId: number): number | undefined {
    const number = this.#blocks.get(Math.floor(logId / BLOCK))?.[logId % BLOCK]
    return number ? number - 1 : undefined
  }

  #addRow(logId: number): number {
    const key = Math.floor(logId / BLOCK)
    const block = this.#blocks.get(key) ?? new Uint32Array(BLOCK)
    this.#blocks.set(key, block)
    this.newestId = Math.max(this.newestId, logId)
    block[logId % BLOCK] = ++this.size
    return this.size - 1
  }

  #numberOf(word: string | undefined): number {
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

  set(logId: number, { last, received_at, comment_salt, request }: LogState): void {
    const row = this.#rowOf(logId) ?? this.#addRow(logId)
    const moments = [last.recorded_at, last.at, received_at ?? ''].map((text) => Date.parse(text))
    const words = WORDS.map((name) => this.#numberOf(last[name]))
    this.#numbersOf(row).set([last.id, ...moments, ...words])
    const { comment } = last
    if (comment === null) this.#comments.delete(row)
    else this.#comments.set(row, { comment, comment_salt })
    if (request) this.#requests.set(row, request)
  }

  #read(row: number): LogState {
    const [id = 0, recorded_at, at, received_at = Number.NaN, ...words] = this.#numbersOf(row)
    const texts = Object.fromEntries(WORDS.map((name, i) => [name, this.#words[words[i] ?? -1]]))
    const { comment = null, comment_salt } = this.#comments.get(row) ?? {}
    const moments = { recorded_at: toText(recorded_at), at: toText(at) }
    return {
      last: { ...(texts as Pick<LogLeaf, (typeof WORDS)[number]>), id, ...moments, comment },
      received_at: Number.isNaN(received_at) ? undefined : toText(received_at),
      comment_salt,
      request: this.#requests.get(row),
    }
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
