/** An answer whose head comes later is treated as lost. */
const HEAD_MS = 20_000
/** Likewise an answer in JSON whose body takes longer than this. */
const BODY_MS = 60_000

const isJson = ({ headers }: Response): boolean =>
  headers.get('Content-Type')?.includes('/json') ?? false

/**
 * Like `fetch`, but rejects if the head of the answer, or a body in JSON, does not come in time. A
 * file may take longer than that to download.
 */
export const fetchInTime = async (
  input: RequestInfo | URL,
  init?: RequestInit,
): Promise<Response> => {
  const controller = new AbortController()
  const abort = () => controller.abort()
  let timer = setTimeout(abort, HEAD_MS)
  try {
    const response = await fetch(input, { ...init, signal: controller.signal })
    if (!isJson(response)) return response
    clearTimeout(timer)
    timer = setTimeout(abort, BODY_MS)
    return new Response(await response.arrayBuffer(), response)
  } finally {
    clearTimeout(timer)
  }
}
