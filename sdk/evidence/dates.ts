import type { Leaf } from '../../src/evidence/seal/leaf.ts'
import { EVENTS_PER_SEAL } from './format.ts'
import type { Findings } from './report.ts'
import { nameOf } from './sealing.ts'
import { plural } from './words.ts'

/** How much clocks may differ, in milliseconds. */
export const SKEW_MS = 5 * 60_000
const LATE_MS = 24 * 3_600_000

interface SealDates {
  seal: number
  /** The number of events in this seal. */
  count: number
  at: string
  stamps: readonly Date[]
}

/** Checks that the dates of events and seals agree with the order of the seals. */
export class Dates {
  readonly #faults: Findings
  readonly #warnings: Findings
  /** The date of the last seal that was not full. It left no earlier event unsealed. */
  #allSealedAt = Number.NEGATIVE_INFINITY
  #lastAt = Number.NEGATIVE_INFINITY
  /** The number of events that were sealed more than 24 hours after their date. */
  #late = 0

  constructor(faults: Findings, warnings: Findings) {
    this.#faults = faults
    this.#warnings = warnings
  }

  #checkStamps({ seal, at, stamps }: SealDates): void {
    for (const stamp of stamps) {
      const delay = stamp.getTime() - Date.parse(at)
      const text = `Sello ${seal}: dice ${at}, y su sello de tiempo es de ${stamp.toISOString()}.`
      if (delay < -SKEW_MS) this.#faults.add(text)
      else if (delay > LATE_MS) this.#warnings.add(text)
    }
  }

  #checkEvent(leaf: Leaf, { seal, at, stamps }: SealDates): void {
    const moment = Date.parse(leaf.at)
    const end = Math.min(Date.parse(at), ...stamps.map((stamp) => stamp.getTime()))
    if (moment > end + SKEW_MS) {
      const text = `${nameOf(leaf)}: tiene fecha ${leaf.at}, posterior a su sello ${seal}.`
      this.#faults.add(text)
    }
    if (moment <= this.#allSealedAt - SKEW_MS) {
      const before = new Date(this.#allSealedAt).toISOString()
      const text = `${nameOf(leaf)}: tiene fecha ${leaf.at}, pero a las ${before} todavía no existía: se antedató.`
      this.#faults.add(text)
    }
    if (Date.parse(at) - moment > LATE_MS) this.#late++
  }

  /** Checks the dates of a seal, its time stamps and its events. */
  add(leaves: readonly Leaf[], dates: SealDates): void {
    const { seal, count, at } = dates
    const moment = Date.parse(at)
    if (moment < this.#lastAt - SKEW_MS) {
      this.#faults.add(`Sello ${seal}: tiene fecha anterior a la del sello que le precede.`)
    }
    this.#checkStamps(dates)
    for (const leaf of leaves) this.#checkEvent(leaf, dates)
    // Events from before the date of a full seal may be in the next seal. So only the date of a
    // seal that is not full counts.
    if (count < EVENTS_PER_SEAL) this.#allSealedAt = moment
    this.#lastAt = moment
  }

  end(): void {
    if (this.#late === 0) return
    this.#warnings.add(
      `${plural(this.#late, 'evento se selló', 'eventos se sellaron')} más de 24 horas después.`,
    )
  }

  addUnsealed(leaf: Leaf): void {
    if (Date.parse(leaf.at) <= this.#allSealedAt - SKEW_MS) {
      const text = `${nameOf(leaf)}: tiene fecha ${leaf.at}, anterior al último sello, que no la incluye.`
      this.#faults.add(text)
    }
  }
}
