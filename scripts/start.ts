/** `npm start [-- FLAGS]`: runs the service with demo data. The flags go to `wrangler dev`. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Option } from 'commander'
import { migrateLocal, wranglerEnv } from '../cli/core/local-database.ts'
import { rejectLostFlags } from '../cli/core/npm-flags.ts'
import { withDatabase } from '../cli/core/program.ts'
import { messageOf } from '../cli/core/run-cli.ts'
import {
  DEMO_ADMIN,
  DEMO_EMPLOYEE,
  DEMO_PASSWORD,
  hasDemo,
  loadDemo,
} from '../cli/demo/demo-data.ts'
import { createSealKey } from '../cli/evidence/seal-key.ts'
import { buildConsole } from './build-console.ts'
import { descendantsOf, killAll, readStarters } from './processes.ts'

const SECRETS_FILE = '.dev.vars'
const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/

/** Writes a secret for the local service, unless there already is one. */
const ensureSecret = (name: string, value: string, purpose = ''): void => {
  const current = existsSync(SECRETS_FILE) ? readFileSync(SECRETS_FILE, 'utf8') : ''
  if (new RegExp(`^\\s*${name}\\s*=`, 'm').test(current)) return
  const separator = current === '' || current.endsWith('\n') ? '' : '\n'
  appendFileSync(SECRETS_FILE, `${separator}${name}="${value}"\n`, { mode: 0o600 })
  console.log(`Created a ${name} for this machine in ${SECRETS_FILE}.${purpose}`)
}

const ensureSecrets = () => {
  ensureSecret('TOKEN_SECRET', randomBytes(32).toString('base64url'))
  const { signerKey, verifierKey } = createSealKey('local')
  ensureSecret('SEAL_KEY', signerKey, `\nIt seals what ${verifierKey} verifies.`)
}

const demoHelp = (origin: string) => `
  Demo users, both with the password ${DEMO_PASSWORD}
    ${DEMO_ADMIN}      administrator
    ${DEMO_EMPLOYEE}    employee

  Try:
    curl ${origin}/api/auth/login -H 'Content-Type: application/json' \\
      -d '{"email":"${DEMO_ADMIN}","password":"${DEMO_PASSWORD}"}'
`

const printAddress = (origin: string, demo: boolean) =>
  console.log(`
Checada is running at ${origin}/api
Review console: ${origin}/revision/
Reference page: ${origin}/docs
${demo ? demoHelp(origin) : ''}`)

/** The flags of wrangler for which an error is printed if npm has taken them for its own. */
const WRANGLER_FLAGS = [
  '--persist-to <folder>',
  '--port <number>',
  '--ip <address>',
  '--inspector-port <number>',
  '--var <name:value>',
].map((flag) => new Option(flag))
if (rejectLostFlags(WRANGLER_FLAGS)) process.exit()

/** Ends before anything was written. */
const fail = (message: string): never => {
  console.error(message)
  process.exit(1)
}

/** Returns a flag that wrangler would reject, but only after the demo data has been written. */
const unknownFlag = (given: readonly string[]): string | undefined => {
  const names = given.flatMap((flag) => /^--([^=]+)/.exec(flag)?.[0] ?? [])
  const own = WRANGLER_FLAGS.map(({ long }) => long)
  const others = names.filter((name) => !own.includes(name))
  if (others.length === 0) return undefined
  const { stdout } = spawnSync('wrangler', ['dev', '--help'], { encoding: 'utf8' })
  // wrangler also takes `--persistTo`, but the checks here would look at the default folder.
  const known: readonly string[] = stdout.match(/--[a-z][a-z-]*/g) ?? []
  const isKnown = (name: string) => known.includes(name) || known.includes(name.replace('no-', ''))
  return others.find((name) => !isKnown(name))
}

/** Returns an argument that is neither a flag nor after one, such as a script's path. */
const lostArgument = (given: readonly string[]): string | undefined =>
  given.find((arg, i) => !arg.startsWith('-') && !/^--[^=]+$/.test(given[i - 1] ?? ''))

/** How long wrangler may take to end before it is killed. */
const END_MS = 5_000
const WATCH_MS = 1_000

let wrangler: ChildProcess | undefined
let descendants: number[] = []
/** Ends all started processes, since `workerd` would go on if only wrangler ended. */
const end = () => {
  if (descendants.length > 0) return
  descendants = descendantsOf(process.pid)
  if (!wrangler) process.exit()
  wrangler.kill('SIGTERM')
  setTimeout(() => process.exit(), END_MS)
}
process.on('exit', () => killAll([...descendants, ...descendantsOf(process.pid)]))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
// The reader of the output has ended.
process.stdout.on('error', end)
// The service must end with npm, but a shell between them does not forward signals, and npm does
// not forward SIGHUP. So npm and the shells are watched. The process that started npm is not
// watched, so a script may run `npm start &` and end.
const starters = readStarters().join()
setInterval(() => starters !== readStarters().join() && end(), WATCH_MS).unref()

const flags = process.argv.slice(2)
const options = {
  ip: { type: 'string' },
  'persist-to': { type: 'string' },
  port: { type: 'string' },
  'inspector-port': { type: 'string' },
} as const
const { values } = parseArgs({ args: flags, strict: false, options })
const unknown = unknownFlag(flags)
if (unknown) fail(`npm start and wrangler dev have no flag ${unknown}: npx wrangler dev --help.`)
const lost = lostArgument(flags)
if (lost !== undefined) fail(`npm start takes flags only, not ${lost}.`)
for (const name of ['port', 'inspector-port'] as const) {
  const port = values[name] ?? '0'
  if (!/^\d{1,5}$/.test(String(port)) || Number(port) > 65_535) {
    fail(`--${name} must be a number from 0 to 65535.`)
  }
}
// A flag that is given without a value is parsed as true.
if (values['persist-to'] === true || values['persist-to'] === '') {
  fail('--persist-to needs the name of a folder.')
}
const [ip, persistTo] = [values.ip, values['persist-to']].map((value) =>
  typeof value === 'string' ? value : undefined,
)
if (ip !== undefined && !LOOPBACK.test(ip)) {
  console.log(`Notice: other machines can reach this service at ${ip}, with its demo passwords.`)
}
ensureSecrets()
await buildConsole()
await migrateLocal(persistTo).catch((error: unknown) => fail(messageOf(error)))
let demo = false
await withDatabase(persistTo ? { persistTo } : {}, async (db) => {
  if (await loadDemo(db)) console.log('Loaded the demo data into an empty database.')
  demo = await hasDemo(db)
})

const args = ['dev', '--show-interactive-dev-session=false', '--test-scheduled', ...flags]
const watch = `--import=${new URL('end-with-parent.ts', import.meta.url)}`
const env = {
  ...wranglerEnv,
  NODE_OPTIONS: [process.env.NODE_OPTIONS ?? [], watch].flat().join(' '),
  ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
}
const server = spawn('wrangler', args, { stdio: ['inherit', 'pipe', 'inherit'], env })
wrangler = server
let output: string | undefined = ''
server.stdout.on('data', (chunk: Buffer) => {
  process.stdout.write(chunk)
  if (output === undefined) return
  output += chunk
  const [, origin] = /Ready on (http\S+)/.exec(output) ?? []
  if (!origin) return
  output = undefined
  printAddress(origin, demo)
})
server.on('exit', (code) => process.exit(code ?? 0))
