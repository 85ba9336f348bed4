import { readFileSync, writeFileSync } from 'node:fs'
import type { Reporter, TestCase, Vitest } from 'vitest/node'

const FILE = 'sdk/openapi/operation-codes.json'

/**
 * Fails a run in which an operation answered with a code that the document does not list. With
 * `--update`, adds it to the list.
 */
export class CodesReporter implements Reporter {
  #isUpdate = false
  /** The test that saw each operation and code. */
  readonly #missing = new Map<string, string>()

  onInit({ config }: Vitest) {
    this.#isUpdate = config.snapshotOptions.updateSnapshot === 'all'
  }

  onTestCaseResult(test: TestCase) {
    for (const code of test.meta().missingCodes ?? []) this.#missing.set(code, test.fullName)
  }

  onTestRunEnd() {
    if (this.#missing.size === 0) return
    if (this.#isUpdate) return this.#add()
    const lines = [...this.#missing].map(([code, test]) => `  ${code}: ${test}`).toSorted()
    console.error(
      `The document lacks codes that these tests saw. Run them with --update at the end, then npm run openapi:\n${lines.join('\n')}`,
    )
    process.exitCode = 1
  }

  #add() {
    const codes: Record<string, string[]> = JSON.parse(readFileSync(FILE, 'utf8'))
    for (const missing of this.#missing.keys()) {
      const [method, path, code = ''] = missing.split(' ')
      const operation = `${method} ${path}`
      codes[operation] = [...(codes[operation] ?? []), code].toSorted()
    }
    const sorted = Object.fromEntries(Object.entries(codes).toSorted())
    writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`)
  }
}
