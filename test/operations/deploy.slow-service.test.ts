import { describe, expect, it } from 'vitest'
import { useCheckout } from '../support/checkout.ts'

const ID = '11111111-2222-3333-4444-555555555555'
const FILE = 'installations/production.toml'

const SIGN_IN = 'Sign in to Cloudflare first: npx wrangler login, or set CLOUDFLARE_API_TOKEN.\n'

const checkout = useCheckout()

const run = (script: string, ...args: string[]) =>
  checkout.runScript(`scripts/${script}.ts`, ['--installation', 'production', ...args])

const deployed = () =>
  /^wrangler deploy --config=\.wrangler\.production\.json$/m.test(checkout.calls())

describe('the first deployment', () => {
  it('creates everything and deploys, and can be run again', () => {
    const first = run('deploy-setup')
    expect(first.status).toBe(0)
    const { secrets = {} } = checkout.account().workers.checada ?? {}
    expect(secrets.TOKEN_SECRET?.length).toBeGreaterThanOrEqual(32)
    expect(first.out).toContain(secrets.TOKEN_SECRET)
    expect(secrets.SEAL_KEY).toMatch(/^PRIVATE\+KEY\+checada\/production\/[0-9a-f]{8}\+/)
    expect(first.out).not.toContain(secrets.SEAL_KEY)
    expect(first.out).toMatch(/^ {3}checada\/production\/[0-9a-f]{8}\+[0-9a-f]{8}\+\S{44}$/m)

    const again = run('deploy-setup')
    expect(again.status).toBe(0)
    expect(again.out).toContain('TOKEN_SECRET is set already')
    expect(checkout.account().workers.checada?.secrets).toEqual(secrets)
    expect(again.out).not.toContain(secrets.TOKEN_SECRET)

    expect(run('deploy').status).toBe(0)
    expect(deployed()).toBe(true)
  })

  it('writes the id into the file of the installation, and nothing else', () => {
    const [before, top] = [checkout.read(FILE), checkout.read('wrangler.toml')]
    run('deploy-setup')
    expect(checkout.read(FILE)).toBe(before.replace('database_id = ""', `database_id = "${ID}"`))
    expect(checkout.read('wrangler.toml')).toBe(top)
  })

  it('does nothing on a dry run', () => {
    expect(run('deploy-setup', '--dry-run').out).toContain('Nothing was done.')
    expect(checkout.calls()).toBe('')
  })

  it('requires a sign-in first', () => {
    checkout.setAccount({}, false)
    expect(run('deploy-setup')).toEqual({
      status: 1,
      out: SIGN_IN,
    })
  })

  it.each([
    ['cli/users/user.ts', 'list'],
    ['cli/users/user.ts', 'deactivate', 'ana@demo.mx', '--yes'],
    ['cli/evidence/audit.ts', 'key'],
    ['cli/backup/backup.ts', '--out', 'backups'],
    ['cli/backup/restore.ts', FILE],
  ])('is required by %s %s before a database is opened', (script, ...args) => {
    checkout.write(FILE, checkout.read(FILE).replace('database_id = ""', `database_id = "${ID}"`))
    checkout.setAccount({}, false)
    const ended = checkout.runScript(script, [...args, '--installation', 'production'])
    expect(ended).toEqual({ status: 1, out: expect.stringContaining(SIGN_IN) })
    expect(checkout.calls()).toBe('wrangler whoami --json\n')
  })

  it('is not asked for where nobody can answer a question that comes after it', () => {
    const args = ['deactivate', 'ana@demo.mx', '--installation', 'production']
    expect(checkout.runScript('cli/users/user.ts', args)).toEqual({
      status: 1,
      out: 'Nobody can be asked here, so nothing was changed: --yes does it without asking.\n',
    })
    expect(checkout.calls()).toBe('')
  })
})

describe('read replicas', () => {
  const TOKEN = 'a-token-that-is-never-printed'
  /** Replaces Cloudflare's API by one that responds with a status, and logs each call. */
  const setUp = (status: number, env = {}) => {
    checkout.write(
      'fetch.mjs',
      `import { appendFileSync } from 'node:fs'
      globalThis.fetch = async (url, { method, headers, body }) => {
        new Headers(headers)
        appendFileSync('calls', [method, url, headers.Authorization, body].join(' '))
        return new Response('{}', { status: ${status} })
      }`,
    )
    const options = { NODE_OPTIONS: '--import ./fetch.mjs', CLOUDFLARE_API_TOKEN: TOKEN, ...env }
    return checkout.runScript('scripts/deploy-setup.ts', ['--installation', 'production'], options)
  }
  const callOf = (account: string) =>
    `PUT https://api.cloudflare.com/client/v4/accounts/${account}/d1/database/${ID} Bearer ${TOKEN} {"read_replication":{"mode":"auto"}}`

  it('are switched on if there is a token, also if one of several accounts is chosen', () => {
    const { out } = setUp(200)
    expect(out).toContain('4. Read replicas are on.\n')
    expect(out).not.toContain(TOKEN)
    expect(checkout.calls()).toContain(callOf('a1'))
    checkout.setAccount(checkout.account().workers, true, ['a1', 'a2'])
    expect(setUp(200, { CLOUDFLARE_ACCOUNT_ID: 'a2' }).status).toBe(0)
    expect(checkout.calls()).toContain(callOf('a2'))
  })

  it.each([
    ['CLOUDFLARE_API_TOKEN is not set', 200, { CLOUDFLARE_API_TOKEN: '' }],
    ['Cloudflare responds 403; D1 Edit is required', 403, {}],
    ['or the token is malformed', 200, { CLOUDFLARE_API_TOKEN: `${TOKEN}\nx` }],
    ['there are several accounts: set CLOUDFLARE_ACCOUNT_ID', 200, {}, ['a1', 'a2']],
  ])('are left to the dashboard, without an error: %s', (reason, status, env, ids = ['a1']) => {
    checkout.setAccount({}, true, ids)
    const setup = setUp(status, env)
    expect(setup.out).toContain(reason)
    expect(setup.out).toContain('checada > Settings > Enable Read Replication.')
    expect(setup.out).not.toContain(TOKEN)
    expect(setup.status).toBe(0)
  })

  it('are reported as on already, also without a token', () => {
    checkout.setAccount({ checada: { database: ID, replicated: true } })
    expect(setUp(200, { CLOUDFLARE_API_TOKEN: '' }).out).toContain('are on already.')
    expect(checkout.calls()).not.toContain('PUT')
  })
})

describe('a deployment', () => {
  const ready = {
    database: ID,
    secrets: { TOKEN_SECRET: 'x', SEAL_KEY: 'y', VAPID_KEY: 'z' },
    migrated: true,
  }

  it('fails before there is a database', () => {
    const reason =
      'production has no database yet. Run npm run deploy:setup -- --installation production first.'
    expect(run('deploy')).toEqual({ status: 1, out: expect.stringContaining(reason) })
    expect(checkout.calls()).toBe('')
  })

  it.each([
    ['migrations are pending', { ...ready, migrated: false }],
    ['TOKEN_SECRET is missing', { database: ID, migrated: true }],
    ['SEAL_KEY is missing', { ...ready, secrets: { TOKEN_SECRET: 'x' } }],
    ['Sign in to Cloudflare first', ready, false],
  ])('fails while not ready: %s', (reason, worker, signedIn = true) => {
    run('deploy-setup')
    checkout.setAccount({ checada: worker }, signedIn)
    expect(run('deploy')).toEqual({ status: 1, out: expect.stringContaining(reason) })
    expect(deployed()).toBe(false)
    // What can be checked in seconds is checked before the tests run.
    expect(checkout.calls()).not.toContain('npm')
  })

  it.each([
    ['deploy', false],
    ['deploy', true],
    ['deploy-setup', false],
  ])('%s refuses a restore that has not finished (migrated: %s)', (script, migrated) => {
    run('deploy-setup')
    checkout.setAccount({ checada: { ...ready, migrated, unfinished: true } })
    const out = expect.stringContaining('A restore of this database has not finished')
    expect(run(script)).toEqual({ status: 1, out })
    expect(deployed()).toBe(false)
    expect(checkout.account().workers.checada?.migrated).toBe(migrated)
  })

  it('only bundles on a dry run, before there is a database or a sign-in', () => {
    checkout.setAccount({}, false)
    expect(run('deploy', '--dry-run')).toEqual({ status: 0, out: 'Bundled.\n' })
    expect(
      checkout.calls(),
    ).toBe(`wrangler deploy --dry-run --outdir dist --config=.wrangler.production.json
`)
  })

  it('runs no tests on a bad night, if the operator says so in full', () => {
    run('deploy-setup')
    const { status, out } = run('deploy', '--without-running-the-tests')
    expect([status, out]).toEqual([0, expect.stringContaining('Deploying without npm test.\n')])
    expect(deployed()).toBe(true)
    expect(checkout.calls()).not.toContain('npm')
  })

  it('fails when the tests fail', () => {
    run('deploy-setup')
    checkout.writeCommand('npm', '#!/bin/sh\nexit 1\n')
    const out = expect.stringContaining('npm test failed')
    expect(run('deploy')).toEqual({ status: 1, out })
    expect(deployed()).toBe(false)
  })
})

describe('clocks and pages without HTTPS', () => {
  it.each([
    ['reach the service at http://checada.norte.mx.', "new Response('ERROR', { status: 403 })"],
    [
      'do not reach the service: http://checada.norte.mx responds 301',
      'new Response(null, { status: 301 })',
    ],
    [
      'do not reach the service: http://checada.norte.mx responds 403',
      "new Response('<p>', { status: 403 })",
    ],
    ['http://checada.norte.mx does not respond', "Promise.reject(new Error('no host'))"],
  ])('%s', (text, response) => {
    const file = checkout.read(FILE)
    checkout.write(FILE, `${file}routes = ["checada.norte.mx/*"]\n`)
    checkout.write(
      'fetch.mjs',
      `globalThis.fetch = async (url, { redirect }) => {
        if (url + redirect === 'http://checada.norte.mx/iclock/pingmanual') return ${response}
        if (url + redirect === 'http://checada.norte.mx/mi/manual') {
          const Location = 'https://checada.norte.mx/mi/'
          return new Response(null, { status: 301, headers: { Location } })
        }
      }`,
    )
    const options = { NODE_OPTIONS: '--import ./fetch.mjs' }
    const args = ['--installation', 'production']
    const { status, out } = checkout.runScript('scripts/deploy-setup.ts', args, options)
    expect(out).toContain(text)
    expect(status).toBe(0)
  })

  it('are not tried before the file has a route', () => {
    expect(run('deploy-setup').out).toContain('were not tried: the file has no route')
  })
})
