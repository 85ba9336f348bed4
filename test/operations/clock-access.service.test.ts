import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { describeAddress } from '../../cli/installations/clock-access.ts'

const described = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const text = await describeAddress(`http://127.0.0.1:${port}`)
  server.close()
  return text.replaceAll(String(port), 'PORT')
}

const toHttps = { Location: 'https://checada.empresa.mx/' }
const isClock = (url = '') => url.startsWith('/iclock/')

it('says that clocks reach the service and that pages are redirected', async () => {
  const text = await described(({ url }, response) =>
    isClock(url) ? response.writeHead(403).end('ERROR') : response.writeHead(301, toHttps).end(),
  )
  expect(text).toBe(`Clocks without HTTPS reach the service at http://127.0.0.1:PORT.
   Pages without HTTPS are redirected to it.`)
})

it('says what the zone does otherwise', async () => {
  const text = await described(({ url }, response) =>
    isClock(url) ? response.writeHead(301, toHttps).end() : response.end('<html>'),
  )
  expect(text).toContain('do not reach the service: http://127.0.0.1:PORT responds 301.')
  expect(text).toContain('are not redirected: http://127.0.0.1:PORT/mi/ responds 200.')
})

it('says that an address does not respond yet', async () => {
  expect(await describeAddress('http://127.0.0.1:1')).toContain('does not respond')
})
