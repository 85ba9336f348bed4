import { LoggableError } from '../../core/values/loggable-error.ts'
import { stampedTime, timeStampRequest, tokenOf } from './time-stamp.ts'

/** After this time, the request is aborted. The next run tries again. */
const TIMEOUT_MS = 10_000

/** The maximum number of bytes of a response. A token takes a few kilobytes. */
const ANSWER_MAX = 64 * 1024

/** The authority's response is not a valid time stamp. */
class TimeStampError extends LoggableError {
  override name = 'TimeStampError'
}

/** Reads the body of a response. Returns undefined if it is too long, without reading the rest. */
const readAnswer = async ({ body }: Response): Promise<Uint8Array | undefined> => {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the body.
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > ANSWER_MAX) return undefined
    chunks.push(chunk)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

/**
 * Requests a token for a text (RFC 3161, section 3.4). Throws unless the token is for this text.
 */
export const requestTimeStamp = async (url: string, text: string): Promise<Uint8Array> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/timestamp-query' },
    body: timeStampRequest(text),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (response.status !== 200) throw new TimeStampError(`TSA_URL answered ${response.status}.`)
  const answer = await readAnswer(response)
  const token = answer && tokenOf(answer)
  if (!token) throw new TimeStampError('TSA_URL granted no token.')
  if (!stampedTime(token, text))
    throw new TimeStampError('The token of TSA_URL is for another text.')
  return token
}
