import type { Reporter } from 'vitest/node'

/** Longer than any test's own timeout. */
const STALL_MS = 15 * 60_000

/**
 * Ends a run in which no test has started or finished for `STALL_MS`. A query that never ends
 * blocks the Workers runtime and the timeouts inside it. This timer runs in the main process.
 */
export class StallReporter implements Reporter {
  #timer: NodeJS.Timeout | undefined
  #last = 'the start'

  #restart(progress: string) {
    this.#last = progress
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      console.error(`No test has started or finished for ${STALL_MS / 1000} s since: ${this.#last}`)
      process.exit(1)
    }, STALL_MS)
  }

  onTestRunStart() {
    this.#restart('the start')
  }

  onTestCaseReady(test: { fullName: string }) {
    this.#restart(test.fullName)
  }

  onTestCaseResult(test: { fullName: string }) {
    this.#restart(test.fullName)
  }

  onTestRunEnd() {
    clearTimeout(this.#timer)
  }
}
