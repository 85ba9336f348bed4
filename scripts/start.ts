/** `npm start [-- FLAGS]`: runs the service with demo data, by `wrangler dev`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { parseEnv } from 'node:util'
import { Command, InvalidArgumentError, Option } from 'commander'
import { withDatabase } from '../cli/core/database.ts'
import { migrateLocal, wranglerEnv } from '../cli/core/local-database.ts'
import { rejectLostFlags } from '../cli/core/npm-flags.ts'
import { collectPairs, rejectRepeatedOptions } from '../cli/core/option-parsers.ts'
import { persistToOption } from '../cli/core/program.ts'
import { messageOf } from '../cli/core/run-cli.ts'
import { SECRETS_FILE } from '../cli/core/wrangler.ts'
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

const PORT_MAX = 65_535
const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/

const ensureSecret = (name: string, value: string, purpose = ''): void => {
  const current = existsSync(SECRETS_FILE) ? readFileSync(SECRETS_FILE, 'utf8') : ''
  if (name in parseEnv(current)) return
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
Worker's page:  ${origin}/mi/
Reference page: ${origin}/docs
${demo ? demoHelp(origin) : ''}`)

const port = (text: string): number => {
  if (/^\d{1,5}$/.test(text) && Number(text) <= PORT_MAX) return Number(text)
  throw new InvalidArgumentError(`A port is a number up to ${PORT_MAX}.`)
}

const address = (text: string): string => {
  if (isIP(text) || text === 'localhost') return text
  throw new InvalidArgumentError('Not an IP address.')
}

const collectVariable = collectPairs(/^(\w+):(.*)$/s, 'Not NAME:VALUE.')

/**
 * Accepts only some flags of `wrangler dev`, and passes them on. With other flags, wrangler could
 * serve a different database.
 */
const program = new Command('start')
  .description('serve the local database, with demo data the first time')
  .addOption(persistToOption())
  .option('--port <number>', 'the port of the service (default: 8787)', port)
  .option('--ip <address>', 'the address to listen on (default: localhost)', address)
  .option('--inspector-port <number>', 'the port for debuggers', port)
  .option('--var <name:value>', 'a variable of wrangler.toml; may be repeated', collectVariable)
  .addOption(new Option('--local-protocol <name>').choices(['http', 'https']))
  .addOption(
    new Option('--log-level <name>').choices(['debug', 'info', 'log', 'warn', 'error', 'none']),
  )
if (rejectLostFlags(program.options)) process.exit()
rejectRepeatedOptions(program)
program.parse()

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
// The service also ends when the reader of its output ends.
process.stdout.on('error', end)
// The service must end with npm, but a shell between them does not forward signals, and npm does
// not forward SIGHUP. So npm and the shells are watched. The process that started npm is not
// watched, so a script may run `npm start &` and end.
const starters = readStarters().join()
setInterval(() => starters !== readStarters().join() && end(), WATCH_MS).unref()

const { ip, persistTo } = program.opts<{ ip?: string; persistTo?: string }>()
if (ip !== undefined && !LOOPBACK.test(ip)) {
  console.log(`Notice: other machines can reach this service at ${ip}, with its demo passwords.`)
}
ensureSecrets()
await buildConsole()
await migrateLocal(persistTo).catch((error: unknown) => {
  console.error(messageOf(error))
  process.exit(1)
})
let demo = false
await withDatabase(persistTo ? { persistTo } : {}, async (db) => {
  if (await loadDemo(db)) console.log('Loaded the demo data into an empty database.')
  demo = await hasDemo(db)
})

const args = [
  'dev',
  '--show-interactive-dev-session=false',
  '--test-scheduled',
  ...process.argv.slice(2),
]
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
