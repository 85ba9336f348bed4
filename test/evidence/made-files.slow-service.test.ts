import { expect, it } from 'vitest'
import { runInProcess } from '../support/command.ts'
import { aLogEvent, fileText, VERIFIER_KEY, wholeFile } from '../support/evidence-files.ts'
import { type Expected, makeEvidence, TITLES } from '../support/made-evidence.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'

/** The page gives the same verdicts: `verifier-page.browser.test.ts`. */

const { write } = useTemporaryFolder()

const EXIT_CODES: Record<Expected, number> = {
  sound: 0,
  faulty: 1,
  unreadable: 2,
  partial: 3,
  unsealed: 3,
}

it('300 files of evidence have the verdict of what was done to each', async () => {
  const files = makeEvidence(71)
  expect(files.length).toBeGreaterThanOrEqual(300)
  const counted: Record<string, Partial<Record<Expected, number>>> = {}
  for (const [i, { kind, bytes, expected }] of files.entries()) {
    const path = write('file', bytes)
    const { status, out, err } = await runInProcess('audit', [
      ...['verify', path, '--key', VERIFIER_KEY],
    ])
    const what = `file ${i}, ${kind}: ${out.slice(0, 500)}${err}`
    expect([what, status]).toEqual([what, EXIT_CODES[expected]])
    if (expected === 'unreadable') expect(err, what).toMatch(/^[^\n]+\.\n$/)
    else expect(out.split('\n', 1)[0], what).toMatch(TITLES[expected])
    counted[kind] ??= {}
    counted[kind][expected] = (counted[kind][expected] ?? 0) + 1
  }
  console.table(counted)
})

it('prints no control characters of a file, and no line that the file invents', async () => {
  const employee_id = 'E-1\u001b[2J\u202e\nÍntegro'
  const leaves = [aLogEvent(1), aLogEvent(2, { log_id: 1, employee_id })]
  const path = write('controls', fileText(await wholeFile(leaves, [2])))
  const { status, out } = await runInProcess('audit', ['verify', path])
  expect(status).toBe(1)
  expect(out).toContain('el empleado es E-1�[2J��Íntegro, y antes era')
  expect(out).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
})
