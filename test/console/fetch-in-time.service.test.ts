import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { fetchInTime } from '../../console/session/fetch-in-time.ts'

const closing: (() => void)[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) close()
})

/** A server that answers as the test says. Returns its address and the next response. */
const aServer = async () => {
  const server = createServer({ keepAlive: false })
  const responses = once(server, 'request').then(([, response]) => response as ServerResponse)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, responses }
}

it('downloads a body that takes longer than the limit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { url, responses } = await aServer()
  const answer = fetchInTime(url)
  const response = await responses
  response.writeHead(200).write('begin ')
  const { body } = await answer
  vi.advanceTimersByTime(60_000)
  response.end('end')
  expect(await new Response(body).text()).toBe('begin end')
})

it('rejects if the head does not come in time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { url, responses } = await aServer()
  const answer = fetchInTime(url).catch((error: Error) => error.name)
  await responses
  vi.advanceTimersByTime(19_000)
  vi.advanceTimersByTime(2_000)
  expect(await answer).toBe('AbortError')
})

it('rejects if the JSON does not come in time, so that a page does not wait for ever', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { url, responses } = await aServer()
  const answer = fetchInTime(url).catch((error: Error) => error.name)
  const response = await responses
  response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"success":')
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
  await new Promise((resolve) => setImmediate(resolve))
  vi.advanceTimersByTime(90_000)
  expect(await answer).toBe('AbortError')
})
