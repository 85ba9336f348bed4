import { fromBase64 } from '../../src/core/values/bytes.ts'
import { stampedTime } from '../../src/evidence/seal/time-stamp.ts'
import type { SealLine } from './format.ts'
import type { Findings, TimeStamp } from './report.ts'

/**
 * Checks the signature and the certificates of a time-stamp token. Returns the reason if they are
 * not valid, or undefined.
 */
export type CheckToken = (
  token: Uint8Array,
  checkpoint: string,
  time: Date,
) => Promise<string | undefined>

/**
 * Checks that each time stamp is of the seal that contains it. If `checkToken` is given, it also
 * checks the signature of the time stamp.
 */
export class Tokens {
  readonly #faults: Findings
  readonly #checkToken: CheckToken | undefined
  readonly stamps: TimeStamp[] = []

  constructor(faults: Findings, checkToken: CheckToken | undefined) {
    this.#faults = faults
    this.#checkToken = checkToken
  }

  /** Returns the times of a seal's valid tokens. */
  async read({ seal, checkpoint, tokens }: SealLine, size: number): Promise<Date[]> {
    const times: Date[] = []
    for (const token of tokens.map(fromBase64)) {
      const time = token && stampedTime(token, checkpoint)
      if (!token || !time) {
        this.#faults.add(`Sello ${seal}: un sello de tiempo no es de este sello.`)
        continue
      }
      const reason = await this.#checkToken?.(token, checkpoint, time)
      if (reason) {
        this.#faults.add(`Sello ${seal}: su sello de tiempo no vale: ${reason}`)
        continue
      }
      times.push(time)
      const isChecked = this.#checkToken !== undefined
      this.stamps.push({ time: time.toISOString(), size, isChecked })
    }
    return times
  }

  end(warnings: Findings): void {
    if (this.stamps.every(({ isChecked }) => isChecked)) return
    warnings.add(
      'Los sellos de tiempo son de estos sellos, pero la firma de su autoridad no se comprobó.',
    )
  }
}
