/** An answer whose head comes later is treated as lost. */
const HEAD_MS = 20_000

/**
 * Like `fetch`, but rejects if the head of the answer does not come in time. A file may take longer
 * than that to download.
 */
export const fetchInTime = async (
  input: RequestInfo | URL,
  init?: RequestInit,
): Promise<Response> => {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), HEAD_MS)
  try {
    return await fetch(input, { ...init, signal: controller.signal })
  } finally {
    clearTimeout(timer)
  }
}
