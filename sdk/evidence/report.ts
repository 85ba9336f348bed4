/** What a verification found. Texts are for people, in Spanish. */

/** Findings of one kind that are kept with their text; all are counted. */
const KEPT = 200

/** Findings, of which only the first of many are kept. */
export class Findings {
  readonly texts: string[] = []
  count = 0
  readonly #kept: number

  constructor(kept = KEPT) {
    this.#kept = kept
  }

  add(text: string): void {
    this.count++
    if (this.texts.length < this.#kept) this.texts.push(text)
  }
}

export interface TimeStamp {
  /** What the token states, UTC with milliseconds. */
  time: string
  /** How many events it covers. */
  size: number
  /** Whether its signature was checked, up to a trusted certificate. */
  isChecked: boolean
}

/** What a closing pays the person whom a file is about, as it was sealed. */
export interface OwnClosing {
  id: number
  /** The first day that stays open. */
  before: string
  isCancelled: boolean
  paid_seconds: number
  deducted_seconds: number
}

/** A file of lines that are those that a closing's event has sealed. */
export interface ComparedClosing {
  id: number
  name: string
}

export interface Report {
  /** Everything, or the events of one person. */
  kind: 'whole' | 'person'
  employee_id: string | undefined
  origin: string
  /** The keys that signed its seals. */
  keys: string[]
  /** Whether those were among the keys that were given to verify with. */
  areKeysAgreed: boolean
  faults: Findings
  warnings: Findings
  /** What was given to compare with, and neither agrees nor disagrees with anything in the file. */
  uncompared: Findings
  /** Events that no seal covers, by name and moment. */
  unsealed: Findings
  events: number
  logs: number
  closings: number
  /** How many of the events, and of their logs, a seal covers. */
  sealedEvents: number
  sealedLogs: number
  seals: number
  /** The last seal: its number, how many events it covers, and when it was made, as the file states. */
  until: { seal: number; size: number; at: string } | undefined
  /** Comments whose text is not in the file. */
  withheld: number
  /** The sizes of the kept checkpoints that agree. */
  kept: number[]
  stamps: TimeStamp[]
  /** Rows of the payroll export that agree with a sealed event. */
  compared: number
  /** Rows of the payroll export whose last event is not sealed. */
  unproven: number
  /** The closings whose lines were compared and are those that were sealed. */
  comparedClosings: ComparedClosing[]
  /** Of a person's file. */
  ownClosings: OwnClosing[]
}

/** What a file proves: all that is in it, what is sealed of it, nothing; or that something is wrong. */
export type Verdict = 'sound' | 'partial' | 'unsealed' | 'faulty'

export const verdictOf = ({ faults, seals, unsealed }: Report): Verdict => {
  if (faults.count > 0) return 'faulty'
  if (seals === 0) return 'unsealed'
  return unsealed.count > 0 ? 'partial' : 'sound'
}

/** Whether anything outside the operator's hands holds what the file states. */
export const isAnchored = ({ kept, stamps }: Report): boolean =>
  kept.length > 0 || stamps.some(({ isChecked }) => isChecked)
