import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { DEMO_ADMIN, DEMO_EMPLOYEE, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { runScript } from '../support/server.ts'

const state = mkdtempSync(join(tmpdir(), 'checada-test-terminal-'))
afterEach(() => rmSync(state, { recursive: true, force: true }))

const START = `${process.execPath} scripts/start.ts --port 0 --inspector-port 0 --persist-to ${state}`
const SCRIPT = '/usr/bin/script'

it.skipIf(!existsSync(SCRIPT))(
  'prints the address, the logins and a first request in a terminal, and little else',
  async () => {
    // util-linux' script runs a command in a pseudo-terminal, in which wrangler prints colors.
    const child = spawn(SCRIPT, ['-qfec', START, '/dev/null'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, HOME: '/proc/no-home' },
    })
    onTestFinished(async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
    })
    let printed = ''
    child.stdout.on('data', (chunk) => {
      printed += chunk
    })
    await expect.poll(() => printed, { timeout: 600_000 }).toContain('"password":')

    const lines = stripVTControlCharacters(printed)
      .split(/\r?\n/)
      .filter((line) => line !== '')
    const [, origin] = /Checada is running at (http:\S+)\/api$/m.exec(lines.join('\n')) ?? []
    const last = lines.slice(-10)
    expect(last).toEqual([
      `Checada is running at ${origin}/api`,
      `  Review console  ${origin}/revision/`,
      `  Worker's page   ${origin}/mi/`,
      `  Reference page  ${origin}/docs`,
      `Demo users, with the password ${DEMO_PASSWORD}:`,
      `  ${DEMO_ADMIN}     administrator, for the review console`,
      `  ${DEMO_EMPLOYEE}   employee, for the worker's page`,
      'A first request:',
      `  curl ${origin}/api/auth/login -H 'Content-Type: application/json' \\`,
      `    -d '{"email":"${DEMO_ADMIN}","password":"${DEMO_PASSWORD}"}'`,
    ])
    // Before them, only what it does, and that the secrets and the demo data are new.
    expect(lines.length - last.length).toBeLessThanOrEqual(3)
    expect(lines.slice(0, 2)).toContain(
      'Starting, which takes some seconds: the data, the pages, the service.',
    )
  },
)

it('says in a sentence that the port is in use, before it builds or serves anything', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const args = ['--persist-to', state, '--port', String(port)]
  const { status, err } = await runScript('scripts/start.ts', args)
  server.close()
  expect([status, err]).toEqual([
    1,
    expect.stringMatching(
      `^Port ${port} is in use, perhaps by another npm start. End that one, or choose another:\n.*\n$`,
    ),
  ])
})

it('names each invalid setting instead of starting', async () => {
  const vars = ['--var', 'REQUIRE_COMMENT:Marte', '--var', 'TOKEN_TTL_MINUTES:0']
  const { status, out, err } = await runScript('scripts/start.ts', ['--persist-to', state, ...vars])
  expect([status, out]).toEqual([1, ''])
  expect(err).toMatch(/^TOKEN_TTL_MINUTES must be .+; REQUIRE_COMMENT must be .+\n$/)
})
