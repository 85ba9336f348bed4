import type { PeopleHead } from './format.ts'

/** The result of a verification. Texts are in Spanish, for people. */

/** The default maximum number of texts that are kept for one kind of findings. */
const TEXTS_KEPT = 200

/** Findings of one kind. All are counted, but only the first texts are kept. */
export class Findings {
  readonly texts: string[] = []
  count = 0
  readonly #kept: number

  constructor(kept = TEXTS_KEPT) {
    this.#kept = kept
  }

  add(text: string): void {
    this.count++
    if (this.texts.length < this.#kept) this.texts.push(text)
  }
}

export interface TimeStamp {
  /** The time in the token: UTC with milliseconds. */
  time: string
  /** The number of events that the token's seal covers. */
  size: number
  /** Whether the token's signature and certificates were checked. */
  isChecked: boolean
}

/** The totals of a closing for a person of the file, from sealed lines. */
export interface OwnClosing {
  id: number
  employee_id: string
  /** The first day that the closing does not pay. */
  before: string
  /** Whether a sealed event cancels it. */
  isCancelled: boolean
  paid_seconds: number
  deducted_seconds: number
}

/** A file whose lines have the hash of a sealed closing. */
export interface ComparedClosing {
  id: number
  /** The name of the file. */
  name: string
  /** The columns of the file that are not sealed. */
  unsealed: string[]
  /** Whether a sealed event cancels the closing. */
  isCancelled: boolean
}

/** A log after its newest event in the file. */
export interface ProvenLog {
  id: number
  employee_id: string
  kind: string
  recorded_at: string
  branch: string
  status: string
  /** Whether that event is sealed. If not, nothing proves the status. */
  isSealed: boolean
}

export interface ProvenClosing {
  id: number
  /** The first day that the closing does not pay. */
  before: string
  /** The hash of the closing's lines. */
  lines: string
  /** Whether a sealed event cancels it. */
  isCancelled: boolean
  /** The people of the file whose lines in the closing are missing. Empty in a whole file. */
  withoutLines: string[]
}

export interface Report {
  /** `whole` if the file has all events, `people` if it has the events of people or of one log. */
  kind: 'whole' | 'people'
  /** What a file of people is about. Undefined in a whole file. */
  about: PeopleHead['about'] | undefined
  origin: string
  /** The keys that signed the seals. */
  keys: string[]
  /** Whether the seals were signed with keys that the user gave. */
  areKeysAgreed: boolean
  faults: Findings
  warnings: Findings
  /** The files of lines that are of no sealed closing. */
  uncompared: Findings
  /** The events that are not sealed, with name and moment. */
  unsealed: Findings
  events: number
  logs: number
  /** The number of logs outside the file's period. The file may have only some of their events. */
  otherLogs: number
  /**
   * What was checked with the pointers in the sealed events. For each person of the file who has
   * events of logs, `first` and `last` are the ids of the first and the last one. `absentAfter` is
   * the id of a later event of a log, which the file lacks. `compared` is the number of checked
   * events.
   */
  chain: {
    people: { employee_id: string; first: number; last: number; absentAfter: number | undefined }[]
    compared: number
  }
  /** A sentence for each sealed agreement and signature. */
  statements: Findings
  /** A sentence for each sealed change of a clock, of another source or of the company. */
  sources: Findings
  /** The logs of a file of people, each with the status in which its newest event left it. */
  logStates: ProvenLog[]
  closings: number
  sealedClosings: ProvenClosing[]
  /** The first event that says what a file of people has. */
  shown: { id: number; at: string } | undefined
  sealedEvents: number
  /** The number of logs with a sealed event. */
  sealedLogs: number
  seals: number
  /**
   * The last seal of the file. `size` is the number of events that it covers. `at` is not signed.
   */
  until: { seal: number; size: number; at: string } | undefined
  /** The number of comments whose text is not in the file. */
  withheld: number
  /** The sizes of the kept checkpoints that agree with the file. */
  kept: number[]
  stamps: TimeStamp[]
  /** The closings whose lines were given and equal the sealed lines. */
  comparedClosings: ComparedClosing[]
  /** The totals of each person in each closing. Empty in a whole file. */
  ownClosings: OwnClosing[]
}

/**
 * `sound`: everything is sealed and intact. `partial`: what is sealed is intact, but not everything
 * is sealed. `unsealed`: nothing is sealed or proven. `faulty`: there are faults.
 */
export type Verdict = 'sound' | 'partial' | 'unsealed' | 'faulty'

export const verdictOf = ({ faults, seals, unsealed }: Report): Verdict => {
  if (faults.count > 0) return 'faulty'
  if (seals === 0) return 'unsealed'
  return unsealed.count > 0 ? 'partial' : 'sound'
}

/** Whether something outside the operator's control confirms the file. */
export const isAnchored = ({ kept, stamps }: Report): boolean =>
  kept.length > 0 || stamps.some(({ isChecked }) => isChecked)
