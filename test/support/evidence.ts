import { UnreadableFile } from '../../sdk/evidence/unreadable.ts'
import { type VerifyOptions, verifyEvidence } from '../../sdk/evidence/verify.ts'

/** An evidence file's text, line by line. */
export async function* linesFrom(text: string): AsyncGenerator<string> {
  const lines = text.split('\n')
  yield* text.endsWith('\n') ? lines.slice(0, -1) : lines
}

export const verifyText = (text: string, options: VerifyOptions = {}) =>
  verifyEvidence(linesFrom(text), options)

/** What is wrong with a file, as texts: its faults, or why it is not read. */
export const faultsOf = (text: string, options: VerifyOptions = {}): Promise<string[]> =>
  verifyText(text, options).then(
    ({ faults }) => faults.texts,
    (error: unknown) => {
      if (error instanceof UnreadableFile) return [error.message]
      throw error
    },
  )
