import { describeError } from './request-log.ts'

/**
 * Runs work that no request waits for, and writes one JSON line: the name, the duration, and the
 * outcome or the error.
 * @param options.isQuiet whether an outcome without an error needs no line
 */
export const logRun = async <Outcome extends object>(
  name: Record<string, string>,
  work: () => Promise<Outcome>,
  { isQuiet = () => false }: { isQuiet?: (outcome: Outcome) => boolean } = {},
): Promise<void> => {
  const start = Date.now()
  const outcome = await work().catch((error: Error) => ({ error: describeError(error) }))
  const text = JSON.stringify({ ...name, duration_ms: Date.now() - start, ...outcome })
  if ('error' in outcome) console.error(text)
  else if (!isQuiet(outcome)) console.log(text)
}
