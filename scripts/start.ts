/** `npm start [-- FLAGS]`: runs the service with demo data. `wrangler dev` gets the flags. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { DEMO_ADMIN, DEMO_EMPLOYEE, DEMO_PASSWORD, hasDemo, loadDemo } from '../cli/demo-data.ts'
import { migrateLocal, wranglerEnv } from '../cli/local-database.ts'
import { withDatabase } from '../cli/program.ts'
import { createSealKey } from '../cli/seal-key.ts'
import { buildConsole } from './build-console.ts'

const SECRETS = '.dev.vars'
const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/

/** Writes a secret for this machine, once; returns whether it is new. */
const ensureSecret = (name: string, value: string): boolean => {
  const current = existsSync(SECRETS) ? readFileSync(SECRETS, 'utf8') : ''
  if (new RegExp(`^\\s*${name}\\s*=`, 'm').test(current)) return false
  const separator = current === '' || current.endsWith('\n') ? '' : '\n'
  appendFileSync(SECRETS, `${separator}${name}="${value}"\n`, { mode: 0o600 })
  console.log(`Created a ${name} for this machine in ${SECRETS}.`)
  return true
}

const ensureSecrets = () => {
  ensureSecret('TOKEN_SECRET', randomBytes(32).toString('base64url'))
  const { signerKey, verifierKey } = createSealKey('local')
  if (ensureSecret('SEAL_KEY', signerKey)) console.log(`It seals what ${verifierKey} verifies.`)
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
  console.log(
    `\nChecada is running at ${origin}/api\nReview console: ${origin}/revision/\nReference page: ${origin}/docs\n${demo ? demoHelp(origin) : ''}`,
  )

const flags = process.argv.slice(2)
const { values } = parseArgs({
  args: flags,
  strict: false,
  options: { ip: { type: 'string' }, 'persist-to': { type: 'string' } },
})
const persistTo = typeof values['persist-to'] === 'string' ? values['persist-to'] : undefined

if (typeof values.ip === 'string' && !LOOPBACK.test(values.ip)) {
  console.log(
    `Notice: other machines can reach this service at ${values.ip}, with its demo passwords.`,
  )
}
ensureSecrets()
await buildConsole()
await migrateLocal(persistTo)
let demo = false
await withDatabase(persistTo ? { persistTo } : {}, async (db) => {
  if (await loadDemo(db)) console.log('Loaded the demo data into an empty database.')
  demo = await hasDemo(db)
})

const wrangler = spawn(
  'wrangler',
  ['dev', '--show-interactive-dev-session=false', '--test-scheduled', ...flags],
  {
    stdio: ['inherit', 'pipe', 'inherit'],
    env: { ...wranglerEnv, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) },
  },
)
let output: string | undefined = ''
wrangler.stdout.on('data', (chunk: Buffer) => {
  process.stdout.write(chunk)
  if (output === undefined) return
  output += chunk
  const [, origin] = /Ready on (http\S+)/.exec(output) ?? []
  if (!origin) return
  output = undefined
  printAddress(origin, demo)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => wrangler.kill(signal))
}
wrangler.on('exit', (code) => process.exit(code ?? 0))
