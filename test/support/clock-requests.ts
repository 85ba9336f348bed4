import { request } from 'node:http'

/** Sends a request as a clock does. `fetch` would add a header by which the service knows browsers. */
export const requestAsClock = (
  url: string,
  body?: string,
): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method: body === undefined ? 'GET' : 'POST', agent: false })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const read = response.toArray().then((chunks) => Buffer.concat(chunks).toString())
      read.then((text) => resolve({ status: response.statusCode ?? 0, text }), reject)
    })
    sent.end(body)
  })
