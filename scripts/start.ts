/** `npm start [-- FLAGS]`: a working service from nothing. The flags go to `wrangler dev`. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { DEMO_ADMIN, DEMO_EMPLOYEE, DEMO_PASSWORD, hasDemo, loadDemo } from '../cli/demo-data.ts'
import { migrateLocal, quietly } from '../cli/local-database.ts'
import { withDatabase } from '../cli/program.ts'

const SECRETS = '.dev.vars'

/** A strong secret for this machine alone, made once. */
const ensureSecret = () => {
  const known = existsSync(SECRETS) ? readFileSync(SECRETS, 'utf8') : ''
  if (/^\s*TOKEN_SECRET\s*=\s*\S/m.test(known)) return
  const separator = known === '' || known.endsWith('\n') ? '' : '\n'
  const line = `${separator}TOKEN_SECRET="${randomBytes(32).toString('base64url')}"\n`
  appendFileSync(SECRETS, line, { mode: 0o600 })
  console.log(`Made a TOKEN_SECRET for this machine in ${SECRETS}.`)
}

const greet = (api: string, demo: boolean) => {
  console.log(`\nChecada will answer at ${api}\n`)
  if (!demo) return
  console.log(`  Sign-ins of the demo, both with the password ${DEMO_PASSWORD}
    ${DEMO_ADMIN}      administrator
    ${DEMO_EMPLOYEE}    employee

  Try:
    curl ${api}/auth/login -H 'Content-Type: application/json' \\
      -d '{"email":"${DEMO_ADMIN}","password":"${DEMO_PASSWORD}"}'
`)
}

const flags = process.argv.slice(2)
const { values } = parseArgs({
  args: flags,
  strict: false,
  options: { port: { type: 'string' }, 'persist-to': { type: 'string' } },
})
const persistTo = typeof values['persist-to'] === 'string' ? values['persist-to'] : undefined

ensureSecret()
await migrateLocal(persistTo)
let demo = false
await withDatabase(persistTo ? { persistTo } : {}, async (db) => {
  if (await loadDemo(db)) console.log('Loaded the demo data into an empty database.')
  demo = await hasDemo(db)
})
greet(`http://localhost:${values.port ?? 8787}/api`, demo)

const dev = ['dev', '--show-interactive-dev-session=false', ...flags]
const wrangler = spawn('wrangler', dev, { stdio: 'inherit', env: quietly })
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => wrangler.kill(signal))
}
wrangler.on('exit', (code) => process.exit(code ?? 0))
