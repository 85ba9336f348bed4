/** `npm start [-- FLAGS]`: runs the service with demo data, by `wrangler dev`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { stripVTControlCharacters } from 'node:util'
import { Command, InvalidArgumentError, Option } from 'commander'
import { withDatabase } from '../cli/core/database.ts'
import {
  localVars,
  readConfig,
  readSecretsFile,
  SECRETS_FILE,
} from '../cli/core/installation-file.ts'
import { migrateLocal, wranglerEnv } from '../cli/core/local-database.ts'
import { rejectLostFlags } from '../cli/core/npm-flags.ts'
import { rejectRepeatedOptions } from '../cli/core/option-parsers.ts'
import { persistToOption, variableOption } from '../cli/core/program.ts'
import { CliError, messageOf } from '../cli/core/run-cli.ts'
import type { Target } from '../cli/core/target.ts'
import {
  DEMO_ADMIN,
  DEMO_CODE,
  DEMO_EMPLOYEE,
  DEMO_PASSWORD,
  DEMO_VARS,
  hasDemo,
  isEmpty,
  setDemoOrigin,
} from '../cli/demo/demo-data.ts'
import { createSealKey } from '../cli/evidence/seal-key.ts'
import { createVapidKey } from '../cli/push/vapid-key.ts'
import { readSettings } from '../src/core/http/settings.ts'
import { buildConsole } from './build-console.ts'
import './drizzle-imports.ts'
import { descendantsOf, killAll, readStarters } from './processes.ts'

const PORT_MAX = 65_535
const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/
/** The addresses that mean all addresses of this machine. */
const ALL = ['0.0.0.0', '::']

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

const printAddress = (origin: string, isDemo: boolean) =>
  console.log(`
Checada is running at ${origin}/api
  Review console  ${origin}/revision/
  Worker's page   ${origin}/mi/
  Reference page  ${origin}/docs
${isDemo ? demoHelp(origin) : ''}`)

const port = (text: string): number => {
  if (/^\d{1,5}$/.test(text) && Number(text) <= PORT_MAX) return Number(text)
  throw new InvalidArgumentError(`A port is a number up to ${PORT_MAX}.`)
}

const address = (text: string): string => {
  if (isIP(text) || text === 'localhost') return text
  throw new InvalidArgumentError('Not an IP address.')
}

const hostName = (text: string): string => {
  if (isIP(text) || text === 'localhost' || /^[a-z\d-]+\.local$/i.test(text)) return text
  throw new InvalidArgumentError(
    'Not an address such as 192.168.1.20, nor a name such as pc.local.',
  )
}

interface Options {
  persistTo?: string
  port: number
  ip?: string
  host?: string
  inspectorPort?: number
  var?: Record<string, string>
  localProtocol?: string
}

/** Accepts only some flags. With others of `wrangler dev`, it could serve a different database. */
const parseOptions = (): Options => {
  const program = new Command('start')
    .description('serve the local database, with demo data the first time')
    .addOption(persistToOption())
    .option('--port <number>', 'the port of the service', port, readConfig().dev.port)
    .option(
      '--host <address>',
      'where phones reach this machine; listens on all addresses',
      hostName,
    )
    .option('--ip <address>', 'the address to listen on (default: localhost)', address)
    .option('--inspector-port <number>', 'the port for debuggers', port)
    .addOption(variableOption())
    .addOption(new Option('--local-protocol <name>').choices(['http', 'https']))
  if (rejectLostFlags(program.options)) process.exit()
  rejectRepeatedOptions(program)
  const options = program.parse().opts<Options>()
  return options.host === undefined ? options : { ip: '0.0.0.0', ...options }
}

const wranglerFlags = ({
  persistTo,
  port,
  ip,
  inspectorPort,
  localProtocol,
  ...options
}: Options) =>
  [
    ...Object.entries(options.var ?? {}).map(([name, value]) => ['--var', `${name}:${value}`]),
    ['--port', String(port)],
    ip === undefined ? [] : ['--ip', ip],
    persistTo === undefined ? [] : ['--persist-to', persistTo],
    inspectorPort === undefined ? [] : ['--inspector-port', String(inspectorPort)],
    localProtocol === undefined ? [] : ['--local-protocol', localProtocol],
  ].flat()

const listen = (port: number, ip: string) =>
  new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const server = createServer().once('error', resolve)
    server.listen(port, ip, () => server.close(() => resolve(undefined)))
  })

/** Fails if another process listens on the port, which wrangler says only after 39 lines. */
const requireFreePort = async ({ port, ip = 'localhost' }: Options): Promise<void> => {
  for (const one of ip === 'localhost' ? ['127.0.0.1', '::1'] : [ip]) {
    const error = await listen(port, one)
    if (error?.code === 'EADDRINUSE') {
      const other = port === PORT_MAX ? port - 1 : port + 1
      throw new CliError(`Port ${port} is in use, perhaps by another npm start. End that one, or choose another:
  npm start -- --port ${other}`)
    }
    // A machine may lack IPv6.
    if (error && one !== '::1') throw new CliError(`Nothing can listen on ${one}: ${error.code}.`)
  }
}

/** The first address by which other machines of the network reach this one, if there is any. */
const ownAddress = (): string | undefined =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address

/** Where the service is reached: at the host that was given, or where it listens. */
const originOf = ({ host, ip = 'localhost', localProtocol = 'http' }: Options, port: number) => {
  const name = host ?? (ALL.includes(ip) ? (ownAddress() ?? 'localhost') : ip)
  return `${localProtocol}://${isIP(name) === 6 ? `[${name}]` : name}:${port}`
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
 * with an error or warning. `onReady` gets the port.
 */
const serve = (args: string[], onReady: (port: number) => Promise<void>): void => {
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
    const [, port] = /Ready on http\S+:(\d+)/.exec(stripVTControlCharacters(hidden)) ?? []
    if (!port) return
    isReady = true
    hidden = ''
    void onReady(Number(port))
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

/** Loads the demo data into an empty database. Returns whether the database has it. */
const loadDemoIfEmpty = async (target: Target): Promise<boolean> => {
  let isDemo = false
  await withDatabase(target, async (db) => {
    if (await isEmpty(db)) {
      // Importing it takes most of a second, which only the first start needs.
      const { loadDemo } = await import('../cli/demo/load-demo.ts')
      if (await loadDemo(db)) console.log('Loaded the demo data into an empty database.')
    }
    isDemo = await hasDemo(db)
  })
  return isDemo
}

/**
 * Prepares the local database and serves it.
 * @param extraArgs more arguments of `wrangler dev`, which the tests use for an entry of their own
 */
export const start = async (extraArgs: string[] = []): Promise<void> => {
  const options = parseOptions()
  const { ip, persistTo, var: vars } = options
  endWithStarters()
  ensureSecrets()
  readSettings(localVars(vars))
  console.log('Starting, which takes some seconds: the data, the pages, the service.')
  await migrateLocal(persistTo)
  await requireFreePort(options)
  const target = persistTo ? { persistTo } : {}
  const [isDemo] = await Promise.all([loadDemoIfEmpty(target), buildConsole()])
  const set = localVars(vars)
  const demoVars = isDemo ? Object.entries(DEMO_VARS).filter(([name]) => !set[name]) : []
  const args = [
    'dev',
    ...extraArgs,
    '--show-interactive-dev-session=false',
    '--test-scheduled',
    ...demoVars.flatMap(([name, value]) => ['--var', `${name}:${value}`]),
    ...wranglerFlags(options),
  ]
  const leadHere = async (origin: string) => {
    if (!isDemo) return
    const always = options.host !== undefined
    await withDatabase(target, async (db) => {
      const shown = await setDemoOrigin(db, origin, { always })
      if (shown !== origin)
        console.log(`${DEMO_CODE} leads to ${shown}, which another start serves.`)
    })
  }
  // Before the service runs, since its first requests would meet a locked database. A free port is
  // chosen by wrangler, and nobody knows it before it is printed.
  if (options.port !== 0) await leadHere(originOf(options, options.port))
  serve(args, async (port) => {
    const origin = originOf(options, port)
    if (options.port === 0) await leadHere(origin)
    if (ip !== undefined && !LOOPBACK.test(ip)) {
      console.log(
        `Notice: other machines can reach this service at ${origin}${isDemo ? ', with its demo passwords' : ''}.`,
      )
    }
    printAddress(origin, isDemo)
  })
}

if (import.meta.main) {
  await start().catch((error: unknown) => {
    console.error(messageOf(error))
    process.exit(1)
  })
}
