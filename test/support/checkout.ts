import { afterEach, beforeEach } from 'vitest'
import { CLOCK_FLAGS } from './clock/flags.ts'
import { copyProject } from './project-copy.ts'

/** A Worker and its database in the simulated Cloudflare account. */
interface FakeWorker {
  database?: string
  secrets?: Record<string, string>
  migrated?: boolean
  /** Whether a restore has not finished. */
  unfinished?: boolean
  replicated?: boolean
  /** Whether Cloudflare rejects the deployment. */
  rejects_deployment?: boolean
  /** The variables with which the Worker was deployed. */
  vars?: Record<string, string>
  /** Whether wrangler fails for this Worker. */
  broken?: boolean
}

interface Account {
  signedIn: boolean
  workers: Record<string, FakeWorker>
  /** The ids of the Cloudflare accounts that the signed-in user may use. */
  ids: string[]
}

/** A script in place of wrangler. It logs its calls and changes the account file. */
const FAKE_WRANGLER = `#!/usr/bin/env node
import { readFileSync, writeFileSync, appendFileSync } from 'node:fs'
const args = process.argv.slice(2)
appendFileSync('calls', 'wrangler ' + args.join(' ') + '\\n')
const account = JSON.parse(readFileSync('account', 'utf8'))
const path = args.find((arg) => arg.startsWith('--config='))?.slice('--config='.length)
const config = path ? JSON.parse(readFileSync(path, 'utf8')) : {}
const worker = config.name ? (account.workers[config.name] ??= {}) : {}
const fail = (message) => { console.error(message); process.exit(1) }
const put = (name) => { (worker.secrets ??= {})[name] = readFileSync(0, 'utf8') }
const command = args.filter((arg) => !arg.startsWith('--')).join(' ')
const [, created] = /^d1 create (\\S+)$/.exec(command) ?? []
const commands = {
  whoami: () => account.signedIn
    ? console.log(JSON.stringify({ accounts: account.ids.map((id) => ({ id })) }))
    : (console.log(JSON.stringify({ loggedIn: false })), process.exit(1)),
  'd1 info DB': () => worker.broken
    ? fail('A request to the Cloudflare API failed.')
    : console.log(JSON.stringify({ read_replication: { mode: worker.replicated ? 'auto' : 'disabled' } })),
  'd1 list': () => console.log(JSON.stringify(Object.entries(account.workers).flatMap(
    ([name, { database }]) => (database ? [{ name, uuid: database }] : [])))),
  ['d1 create ' + created]: () => {
    (account.workers[created] ??= {}).database = '11111111-2222-3333-4444-555555555555'
  },
  'secret list json': () => worker.secrets
    ? console.log(JSON.stringify(Object.keys(worker.secrets).map((name) => ({ name, type: 'secret_text' }))))
    : fail('Worker not found. [code: 10007]'),
  'secret put TOKEN_SECRET': () => put('TOKEN_SECRET'),
  'secret put SEAL_KEY': () => put('SEAL_KEY'),
  'secret put VAPID_KEY': () => put('VAPID_KEY'),
  'd1 migrations list DB': () => worker.broken
    ? fail('A request to the Cloudflare API failed.')
    : console.log(worker.migrated ? '✅ No migrations to apply!' : '│ 0000_initial.sql │ 0001_zones.sql │'),
  'd1 execute DB': () => console.log(JSON.stringify([{ results: [{ unfinished: worker.unfinished ? 1 : 0 }] }])),
  'd1 migrations apply DB': () => { worker.migrated = true },
  'deploy dist': () => console.log('Bundled.'),
  deploy: () => {
    if (worker.rejects_deployment) fail('A route of the Worker is taken.')
    worker.vars = config.vars
    console.log('Deployed.')
  },
}
;(commands[command] ?? (() => fail('unexpected: ' + command)))()
writeFileSync('account', JSON.stringify(account))
`

const COPIED_PATHS = [
  'cli',
  'drizzle',
  'public',
  'scripts',
  'sdk',
  'src',
  'installations',
  'wrangler.toml',
  'package.json',
]

const createCheckout = () => {
  const copy = copyProject(COPIED_PATHS)
  copy.writeCommand('wrangler', FAKE_WRANGLER)
  copy.writeCommand('npm', '#!/bin/sh\necho "npm $*" >> calls\n')
  const setAccount = (workers: Account['workers'], signedIn = true, ids = ['a1']) =>
    copy.write('account', JSON.stringify({ signedIn, workers, ids }))
  setAccount({})
  return {
    ...copy,
    /** The calls of wrangler and npm with their arguments, one per line. */
    calls: () => copy.read('calls'),
    account: (): Account => JSON.parse(copy.read('account')),
    setAccount,
    /** Runs a script without the Cloudflare account of the person who runs the tests. */
    runScript: (script: string, args: string[] = [], env = {}) => {
      const nobody = { CLOUDFLARE_API_TOKEN: '', CLOUDFLARE_ACCOUNT_ID: '' }
      return copy.run(process.execPath, [...CLOCK_FLAGS, script, ...args], { ...nobody, ...env })
    },
  }
}

/** Copies the project for each test, with a fake wrangler that keeps its account in a file. */
export const useCheckout = () => {
  const checkout = {} as ReturnType<typeof createCheckout>
  beforeEach(() => {
    Object.assign(checkout, createCheckout())
  })
  afterEach(() => checkout.remove())
  return checkout
}
