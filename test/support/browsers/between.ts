import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'
import { shiftDate } from '../clock/shift-date.ts'

/**
 * A server between the browser and the service. It does what no driver can: it loses answers, hangs,
 * answers as a proxy or a portal does, and gives the page a clock.
 */

/** What becomes of a request. Without it, the service answers. */
export type Fate =
  /** No connection, as without a network. */
  | 'down'
  /** No answer, ever. */
  | 'hang'
  /** The service has done it, and its answer is lost on the way. */
  | 'lost'
  /** Another server's answer, such as a portal's page. */
  | { status: number; type: string; body: string }

/** A script for `run`: the browser blocks the data of pages. */
export const BLOCK_STORAGE = `{
  const blocked = () => { throw new DOMException('Blocked', 'SecurityError') }
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) {
    Object.defineProperty(globalThis, name, { get: blocked })
  }
  globalThis.BroadcastChannel = blocked
}`

/** What runs in a page before its own script: the clock of the tests, and what finds elements. */
const firstScript = (more: string): string =>
  `${more};(${shiftDate})(${process.env.CLOCK_SHIFT_MS});${readFileSync(join(import.meta.dirname, 'page.js'), 'utf8')}`

const sha256 = (page: string | Buffer): string => createHash('sha256').update(page).digest('hex')

/** Puts the first script into a page, and allows it in the page's policy. */
const withFirstScript = (page: string, policy: string, more: string) => {
  const script = firstScript(more)
  const hash = createHash('sha256').update(script).digest('base64')
  return {
    page: page.replace('<head>', `<head><script>${script}</script>`),
    policy: policy.replace("script-src 'self'", `script-src 'self' 'sha256-${hash}'`),
  }
}

export const useBetween = (service: () => string) => {
  const rules: { path: RegExp; fate: Fate }[] = []
  let more = ''
  const hanging: ServerResponse[] = []
  /** The SHA-256 of each changed page, by that of the service's: the service worker knows pages by it. */
  const changed = new Map<string, string>()
  let origin = ''

  const pass = async (incoming: IncomingMessage, response: ServerResponse, isLost: boolean) => {
    const { hostname, port } = new URL(service())
    const { method, url: path, headers } = incoming
    // A compressed page could not be changed.
    const onward = { ...headers, 'accept-encoding': 'identity' }
    const given = await buffer(incoming)
    const sent = request({ hostname, port, method, path, headers: onward })
    sent.on('error', () => response.destroy())
    sent.end(given)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const body = await buffer(answer)
    if (isLost) return response.destroy()
    const { 'transfer-encoding': _, 'content-length': __, ...fields } = answer.headers
    if (path?.endsWith('/service-worker.js')) {
      let script = body.toString()
      for (const [before, after] of changed) script = script.replaceAll(before, after)
      response.writeHead(answer.statusCode ?? 500, fields).end(script)
      return
    }
    if (!fields['content-type']?.startsWith('text/html')) {
      response.writeHead(answer.statusCode ?? 500, fields).end(body)
      return
    }
    const policy = String(fields['content-security-policy'] ?? '')
    const opened = withFirstScript(body.toString(), policy, more)
    changed.set(sha256(body), sha256(opened.page))
    response
      .writeHead(answer.statusCode ?? 500, { ...fields, 'content-security-policy': opened.policy })
      .end(opened.page)
  }

  const server = createServer((incoming, response) => {
    const about = `${incoming.method} ${incoming.url}`
    const fate = rules.findLast(({ path }) => path.test(about))?.fate
    if (fate === 'down') return response.destroy()
    if (fate === 'hang') return void hanging.push(response)
    if (typeof fate === 'object') {
      response.writeHead(fate.status, { 'content-type': fate.type }).end(fate.body)
      return
    }
    // The page may be closed before its request is answered.
    pass(incoming, response, fate === 'lost').catch(() => response.destroy())
  })

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  return {
    origin: () => origin,
    /** Says what becomes of the requests whose `METHOD /path` matches. The last rule counts. */
    set: (path: RegExp, fate: Fate) => void rules.push({ path, fate }),
    /** Runs a script in each page that is opened, before its own. */
    run: (script: string) => {
      more = script
    },
    /** The service answers everything again. Requests that hang lose their connection. */
    clear: () => {
      rules.length = 0
      more = ''
      for (const response of hanging.splice(0)) response.destroy()
    },
  }
}
