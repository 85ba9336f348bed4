import type { Leaf } from '../../src/evidence/leaf.ts'
import { SEAL_MAX } from './format.ts'
import type { Findings } from './report.ts'
import { nameOf } from './sealing.ts'

/** How far clocks may be apart. */
const SKEW_MS = 5 * 60_000
const LATE_MS = 24 * 3_600_000

interface SealDates {
  seal: number
  /** How many events it covers. */
  count: number
  at: string
  stamps: readonly Date[]
}

/** Step 5: whether events and seals are dated in the order in which they were sealed. */
export class Dates {
  readonly #faults: Findings
  readonly #warnings: Findings
  /** When the last seal was made that left nothing unsealed. */
  #allSealedAt = Number.NEGATIVE_INFINITY
  #lastAt = Number.NEGATIVE_INFINITY
  late = 0

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
    if (Date.parse(at) - moment > LATE_MS) this.late++
  }

  /** Checks a seal and its events against the seals before it. */
  add(leaves: readonly Leaf[], dates: SealDates): void {
    const { seal, count, at } = dates
    const moment = Date.parse(at)
    if (moment < this.#lastAt - SKEW_MS) {
      this.#faults.add(`Sello ${seal}: tiene fecha anterior a la del sello que le precede.`)
    }
    this.#checkStamps(dates)
    for (const leaf of leaves) this.#checkEvent(leaf, dates)
    // Full seals of one run have one date each, and leave events of any date for the next one.
    if (count < SEAL_MAX) this.#allSealedAt = moment
    this.#lastAt = moment
  }

  /** An event that no seal covers yet. */
  addUnsealed(leaf: Leaf): void {
    if (Date.parse(leaf.at) <= this.#allSealedAt - SKEW_MS) {
      const text = `${nameOf(leaf)}: tiene fecha ${leaf.at}, anterior al último sello, que no la incluye.`
      this.#faults.add(text)
    }
  }
}
