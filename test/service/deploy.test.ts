import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const ID = '11111111-2222-3333-4444-555555555555'

let folder: string

// A copy of the project, with a fake wrangler whose Cloudflare account is a file.
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'checada-deploy-'))
  for (const part of ['cli', 'scripts', 'src', 'wrangler.toml', 'package.json']) {
    cpSync(part, join(folder, part), { recursive: true })
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'wrangler'), FAKE_WRANGLER)
  writeFileSync(join(folder, 'npm'), '#!/bin/sh\necho "npm $*" >> calls\n')
  chmodSync(join(folder, 'wrangler'), 0o755)
  chmodSync(join(folder, 'npm'), 0o755)
  account({ signedIn: true })
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

interface Account {
  signedIn?: boolean
  database?: boolean
  secret?: boolean
  sealKey?: boolean
  migrated?: boolean
}

const account = (state: Account) => writeFileSync(join(folder, 'account'), JSON.stringify(state))

/** Logs its calls, and runs them on the account file. */
const FAKE_WRANGLER = `#!/usr/bin/env node
import { readFileSync, writeFileSync, appendFileSync } from 'node:fs'
const args = process.argv.slice(2)
appendFileSync('calls', 'wrangler ' + args.join(' ') + '\\n')
const account = JSON.parse(readFileSync('account', 'utf8'))
const save = () => writeFileSync('account', JSON.stringify(account))
const command = args.filter((arg) => !arg.startsWith('--')).join(' ')
const commands = {
  whoami: () => account.signedIn || process.exit(1),
  'd1 list': () => console.log(JSON.stringify(account.database ? [{ name: 'checada', uuid: '${ID}' }] : [])),
  'd1 create checada': () => { account.database = true; save() },
  'secret list json': () => {
    if (account.secret === undefined) { console.error('Worker not found. [code: 10007]'); process.exit(1) }
    const names = ['TOKEN_SECRET', ...(account.sealKey ? ['SEAL_KEY'] : [])]
    console.log(JSON.stringify(names.map((name) => ({ name, type: 'secret_text' }))))
  },
  'secret put TOKEN_SECRET': () => { account.secret = readFileSync(0, 'utf8'); save() },
  'secret put SEAL_KEY': () => { account.sealKey = readFileSync(0, 'utf8'); save() },
  'd1 migrations list DB': () => console.log(account.migrated ? '✅ No migrations to apply!' : '0000_schema.sql'),
  'd1 migrations apply DB': () => { account.migrated = true; save() },
  deploy: () => console.log('Deployed.'),
}
;(commands[command] ?? (() => { console.error('unexpected: ' + command); process.exit(9) }))()
`

const run = (script: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`scripts/${script}.ts`, ...args],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
    },
  )
  return { status, out: stdout + stderr }
}

const calls = () => {
  const file = join(folder, 'calls')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
const deployed = () => /^wrangler deploy --env=$/m.test(calls())

describe('the first deployment', () => {
  it('creates everything and deploys, and can be run again', () => {
    const first = run('deploy-setup')
    expect(first.status).toBe(0)
    const state = JSON.parse(readFileSync(join(folder, 'account'), 'utf8'))
    expect(state.secret.length).toBeGreaterThanOrEqual(32)
    expect(first.out).toContain(state.secret)
    expect(state.sealKey).toMatch(/^PRIVATE\+KEY\+checada\/production\/[0-9a-f]{8}\+/)
    expect(first.out).not.toContain(state.sealKey)
    expect(first.out).toMatch(/^ {3}checada\/production\/[0-9a-f]{8}\+[0-9a-f]{8}\+\S{44}$/m)

    const again = run('deploy-setup')
    expect(again.status).toBe(0)
    expect(again.out).toContain('TOKEN_SECRET is set already')
    expect(JSON.parse(readFileSync(join(folder, 'account'), 'utf8'))).toEqual(state)
    expect(again.out).not.toContain(state.secret)

    expect(run('deploy').status).toBe(0)
    expect(deployed()).toBe(true)
  })

  it('writes the id under the database’s name, and changes nothing else in wrangler.toml', () => {
    const before = readFileSync('wrangler.toml', 'utf8')
    run('deploy-setup')
    const after = readFileSync(join(folder, 'wrangler.toml'), 'utf8')
    expect(after).toBe(before.replace('00000000-0000-0000-0000-000000000000', ID))
  })

  it('does nothing on a dry run', () => {
    expect(run('deploy-setup', '--dry-run').out).toContain('Nothing was done.')
    expect(calls()).toBe('')
  })

  it('requires a sign-in first', () => {
    account({ signedIn: false })
    const { status, out } = run('deploy-setup')
    expect(status).toBe(1)
    expect(out).toBe(
      'Sign in to Cloudflare first: npx wrangler login, or set CLOUDFLARE_API_TOKEN.\n',
    )
  })
})

describe('a deployment', () => {
  const ready: Account = {
    signedIn: true,
    database: true,
    secret: true,
    sealKey: true,
    migrated: true,
  }

  it('fails before there is a database', () => {
    const { status, out } = run('deploy')
    expect(status).toBe(1)
    expect(out).toContain('there is no database yet. Run npm run deploy:setup first.')
    expect(deployed()).toBe(false)
  })

  it.each([
    ['migrations are pending', { ...ready, migrated: false }],
    ['TOKEN_SECRET is missing', { signedIn: true, database: true, migrated: true }],
    ['SEAL_KEY is missing', { ...ready, sealKey: false }],
    ['Sign in to Cloudflare first', { ...ready, signedIn: false }],
  ])('fails while not ready: %s', (reason, state) => {
    run('deploy-setup')
    account(state)
    const { status, out } = run('deploy')
    expect(status).toBe(1)
    expect(out).toContain(reason)
    expect(deployed()).toBe(false)
  })

  it('fails when verify fails', () => {
    run('deploy-setup')
    writeFileSync(join(folder, 'npm'), '#!/bin/sh\nexit 1\n')
    const { status, out } = run('deploy')
    expect(status).toBe(1)
    expect(out).toContain('npm run verify failed')
    expect(deployed()).toBe(false)
  })
})
