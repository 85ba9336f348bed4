import { type VerifyOptions, verifyEvidence } from '../../sdk/evidence/verify.ts'

/** An evidence file's text, line by line. */
export async function* linesFrom(text: string): AsyncGenerator<string> {
  const lines = text.split('\n')
  yield* text.endsWith('\n') ? lines.slice(0, -1) : lines
}

export const verifyText = (text: string, options: VerifyOptions = {}) =>
  verifyEvidence(linesFrom(text), options)

/** What is wrong with a file, as texts. */
export const faultsOf = async (text: string, options: VerifyOptions = {}): Promise<string[]> =>
  (await verifyText(text, options)).faults.list.map((fault) => fault.text)
