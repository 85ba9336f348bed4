/** `npm start [-- FLAGS]`: runs the service with demo data, by `wrangler dev`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { stripVTControlCharacters } from 'node:util'
import { Command, InvalidArgumentError, Option } from 'commander'
import { withDatabase } from '../cli/core/database.ts'
import { localVars, readSecretsFile, SECRETS_FILE } from '../cli/core/installation-file.ts'
import { migrateLocal, wranglerEnv } from '../cli/core/local-database.ts'
import { rejectLostFlags } from '../cli/core/npm-flags.ts'
import { rejectRepeatedOptions } from '../cli/core/option-parsers.ts'
import { persistToOption, variableOption } from '../cli/core/program.ts'
import { messageOf } from '../cli/core/run-cli.ts'
import {
  DEMO_ADMIN,
  DEMO_EMPLOYEE,
  DEMO_PASSWORD,
  DEMO_VARS,
  hasDemo,
  loadDemo,
  setDemoOrigin,
} from '../cli/demo/demo-data.ts'
import { createSealKey } from '../cli/evidence/seal-key.ts'
import { createVapidKey } from '../cli/push/vapid-key.ts'
import { readSettings } from '../src/core/http/settings.ts'
import { buildConsole } from './build-console.ts'
import { descendantsOf, killAll, readStarters } from './processes.ts'

const PORT_MAX = 65_535
const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/

/** Adds the secrets that this machine does not have yet to the file of local secrets. */
const ensureSecrets = (): void => {
  const known = readSecretsFile()
  const { signerKey } = createSealKey('local')
  const secrets = {
    TOKEN_SECRET: randomBytes(32).toString('base64url'),
    SEAL_KEY: signerKey,
    VAPID_KEY: createVapidKey(),
  }
  const missing = Object.entries(secrets).filter(([name]) => !(name in known))
  if (missing.length === 0) return
  const text = existsSync(SECRETS_FILE) ? readFileSync(SECRETS_FILE, 'utf8') : ''
  const separator = text === '' || text.endsWith('\n') ? '' : '\n'
  const lines = missing.map(([name, value]) => `${name}="${value}"\n`)
  appendFileSync(SECRETS_FILE, `${separator}${lines.join('')}`, { mode: 0o600 })
  console.log(`Created ${missing.map(([name]) => name).join(', ')} in ${SECRETS_FILE}.`)
}

const demoHelp = (origin: string) => `
Demo users, with the password ${DEMO_PASSWORD}:
  ${DEMO_ADMIN}     administrator, for the review console
  ${DEMO_EMPLOYEE}   employee, for the worker's page

A first request:
  curl ${origin}/api/auth/login -H 'Content-Type: application/json' \\
    -d '{"email":"${DEMO_ADMIN}","password":"${DEMO_PASSWORD}"}'
`

const printAddress = (origin: string, demo: boolean) =>
  console.log(`
Checada is running at ${origin}/api
  Review console  ${origin}/revision/
  Worker's page   ${origin}/mi/
  Reference page  ${origin}/docs
${demo ? demoHelp(origin) : ''}`)

const port = (text: string): number => {
  if (/^\d{1,5}$/.test(text) && Number(text) <= PORT_MAX) return Number(text)
  throw new InvalidArgumentError(`A port is a number up to ${PORT_MAX}.`)
}

const address = (text: string): string => {
  if (isIP(text) || text === 'localhost') return text
  throw new InvalidArgumentError('Not an IP address.')
}

interface Options {
  persistTo?: string
  ip?: string
  var?: Record<string, string>
}

/**
 * Accepts only some flags of `wrangler dev`, and passes them on. With other flags, wrangler could
 * serve a different database.
 */
const parseOptions = (): Options => {
  const program = new Command('start')
    .description('serve the local database, with demo data the first time')
    .addOption(persistToOption())
    .option('--port <number>', 'the port of the service (default: 8787)', port)
    .option('--ip <address>', 'the address to listen on (default: localhost)', address)
    .option('--inspector-port <number>', 'the port for debuggers', port)
    .addOption(variableOption())
    .addOption(new Option('--local-protocol <name>').choices(['http', 'https']))
  if (rejectLostFlags(program.options)) process.exit()
  rejectRepeatedOptions(program)
  return program.parse().opts<Options>()
}

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

const endWithStarters = () => {
  process.on('exit', () => killAll([...descendants, ...descendantsOf(process.pid)]))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
  // The service also ends when the reader of its output ends.
  process.stdout.on('error', end)
  // The service must end with npm, but a shell between them does not forward signals, and npm does
  // not forward SIGHUP. So npm and the shells are watched. The process that started npm is not
  // watched, so a script may run `npm start &` and end.
  const starters = readStarters().join()
  setInterval(() => starters !== readStarters().join() && end(), WATCH_MS).unref()
}

/**
 * Runs `wrangler dev`. What it prints until it is ready would hide the address, so it is shown only
 * with an error or warning. `onReady` gets the origin.
 */
const serve = (args: string[], onReady: (origin: string) => Promise<void>): void => {
  const watch = `--import=${new URL('end-with-parent.ts', import.meta.url)}`
  const env = {
    ...wranglerEnv,
    NODE_OPTIONS: [process.env.NODE_OPTIONS ?? [], watch].flat().join(' '),
    ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
  }
  const server = spawn('wrangler', args, { stdio: ['inherit', 'pipe', 'pipe'], env })
  wrangler = server
  let isReady = false
  let hidden = ''
  const showHidden = () => {
    process.stdout.write(hidden)
    hidden = ''
  }
  server.stdout.on('data', (chunk: Buffer) => {
    if (isReady) return process.stdout.write(chunk)
    hidden += chunk
    const [, origin] = /Ready on (http\S+)/.exec(stripVTControlCharacters(hidden)) ?? []
    if (!origin) return
    isReady = true
    hidden = ''
    void onReady(origin)
  })
  server.stderr.on('data', (chunk: Buffer) => {
    showHidden()
    process.stderr.write(chunk)
  })
  server.on('exit', (code) => {
    // A start that was ended by a signal needs no explanation.
    if (descendants.length === 0) showHidden()
    process.exit(code ?? 0)
  })
}

/**
 * Prepares the local database and serves it.
 * @param extraArgs more arguments of `wrangler dev`, which the tests use for an entry of their own
 */
export const start = async (extraArgs: string[] = []): Promise<void> => {
  const { ip, persistTo, var: vars } = parseOptions()
  endWithStarters()
  if (ip !== undefined && !LOOPBACK.test(ip)) {
    console.log(`Notice: other machines can reach this service at ${ip}, with its demo passwords.`)
  }
  ensureSecrets()
  readSettings(localVars(vars))
  await buildConsole()
  await migrateLocal(persistTo)
  const target = persistTo ? { persistTo } : {}
  let demo = false
  await withDatabase(target, async (db) => {
    if (await loadDemo(db)) console.log('Loaded the demo data into an empty database.')
    demo = await hasDemo(db)
  })
  const set = localVars(vars)
  const demoVars = demo ? Object.entries(DEMO_VARS).filter(([name]) => !set[name]) : []
  const args = [
    'dev',
    ...extraArgs,
    '--show-interactive-dev-session=false',
    '--test-scheduled',
    ...demoVars.flatMap(([name, value]) => ['--var', `${name}:${value}`]),
    ...process.argv.slice(2),
  ]
  serve(args, async (origin) => {
    if (demo) await withDatabase(target, (db) => setDemoOrigin(db, origin))
    printAddress(origin, demo)
  })
}

if (import.meta.main) {
  await start().catch((error: unknown) => {
    console.error(messageOf(error))
    process.exit(1)
  })
}
