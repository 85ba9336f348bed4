import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createConnection, createServer } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allowedMethods } from '../../src/app.ts'
import { legacyUrl } from '../../src/core/http/legacy.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'

/** A forwarded path must mean the same to a server that normalizes paths before it routes them. */

const hasNginx = spawnSync('nginx', ['-v']).status === 0

const { folder, write } = useTemporaryFolder()
let nginx: ReturnType<typeof spawn> | undefined
let port = 0

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

beforeAll(async () => {
  if (!hasNginx) return
  port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  const config = write(
    'nginx.conf',
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
     events {}
     http { access_log off; ${temporary}
       large_client_header_buffers 4 128k;
       server { listen 127.0.0.1:${port}; location / { return 200 "$uri"; } } }`,
  )
  nginx = spawn('nginx', ['-p', folder, '-c', config], { stdio: 'ignore' })
  for (;;) {
    const socket = createConnection(port, '127.0.0.1')
    const connected = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (connected) return
    if (nginx.exitCode !== null) throw new Error('nginx did not start.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
})
afterAll(() => {
  nginx?.kill()
})

/** The path that nginx routes by, or undefined if nginx rejects the request. */
const readByNginx = async (path: string): Promise<string | undefined> => {
  const socket = createConnection(port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'close')
  const [head = '', body] = text.split('\r\n\r\n')
  return head.startsWith('HTTP/1.1 200') ? body : undefined
}

/**
 * The path that a model of a server routes by. The server decodes the path once, merges slashes and
 * resolves dot segments.
 */
const readByModel = (path: string): string | undefined => {
  const decoded = path.replace(/%([0-9a-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  const names: string[] = []
  for (const name of (decoded.split('\0')[0] ?? '').split(/[/\\]+/)) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name.replace(/[;\s].*$/s, '').toLowerCase())
  }
  return `/${names.join('/')}`
}

/**
 * The path that a model of a front controller routes by. It is what follows the controller's own
 * name, such as `/index.php`, and it has no extension.
 */
const readByFrontController = (path: string): string | undefined =>
  readByModel(path)
    ?.replace(/^(\/(api|public)(?=\/|$))*(\/\w+\.php(?=\/|$))?(\/api(?=\/|$))?/, '/api')
    .replace(/\.\w+$/, '')

const forwarded = (path: string): string | undefined => {
  const url = `https://checada.mx${path}`
  if (!URL.canParse(url)) return undefined
  const request = new Request(url)
  const env = { TOKEN_SECRET: 'x'.repeat(32), LEGACY_ORIGIN: 'https://old.example.com' }
  return legacyUrl(request, env, allowedMethods)?.slice('https://old.example.com'.length)
}

const isOurs = (path: string): boolean =>
  allowedMethods(new Request(new URL(encodeURI(path), 'https://checada.mx'))).length > 0

const PIECES = [
  ...['/', '//', '%2f', '%2F', '%5c', '\\', '.', '..', '%2e', '%2e%2e', '..%2f'],
  ...[';', ';x', '%3b', '%00', '%20', ' ', '%09', '%25', '%252f', '%25%32%66'],
  ...['%ff', '%c0%af', '%c0%ae', '%u0061', '%', '%2', '+'],
  ...['api', 'API', 'auth', 'login', 'me', 'v1', 'v2', 'clients', 'config', 'logo'],
  ...['incidents', 'logs', 'change_log_status', 'modules_enabled', 'admin', 'reportes'],
  ...['.php', 'index.php', 'app.php', 'public', '.json', 'ａｕｔｈ', 'K', 'ſ', 'ñ', '%61'],
]

const path = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 9 })
  .chain((pieces) =>
    fc.constantFrom(
      `/api/${pieces.join('')}`,
      `/api/${pieces.join('/')}`,
      `/${pieces.join('/')}`,
      `/api/${pieces.join('/')}/auth/login`,
      `/api/auth/login${pieces.join('')}`,
    ),
  )

const KNOWN_ATTACKS = [
  '/api/%ff%2f..%2fauth%2flogin',
  '/api/auth/login/%ff%2f..',
  '/api/%ff%2f..%2f..%2fadmin',
  '/api/auth/login%00.php',
  '/api/%u0061uth/login',
  '/api/auth%c0%aflogin',
  '/api/ａｕｔｈ/login',
]

describe.each([
  ['nginx', readByNginx, hasNginx ? 600 : 0],
  ['a model of lenient servers', async (path: string) => readByModel(path), 20_000],
  ['a front controller', async (path: string) => readByFrontController(path), 20_000],
])('as %s reads it', (_, read, numRuns) => {
  it.runIf(numRuns > 0)('no forwarded path is one of this service or outside /api', async () => {
    let count = 0
    await fc.assert(
      fc.asyncProperty(path, async (path) => {
        const sent = forwarded(path)
        if (sent === undefined) return
        count++
        const seen = await read(sent)
        if (seen === undefined) return
        expect(seen, `${path} → ${sent}`).toMatch(/^\/api(\/|$)/i)
        expect(isOurs(seen), `${path} → ${sent} → ${seen}`).toBe(false)
        expect(isOurs(seen.toLowerCase()), `${path} → ${sent} → ${seen}`).toBe(false)
      }),
      { numRuns, seed: 20261121 },
    )
    expect(count).toBeGreaterThan(numRuns / 50)
  })
})

it.each(KNOWN_ATTACKS)('%s is not forwarded', (attack) => {
  expect(forwarded(attack)).toBeUndefined()
})
