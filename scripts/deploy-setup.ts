/** `npm run deploy:setup`: prepares a deployment. It can be run again at any time. */
import { randomBytes } from 'node:crypto'
import { Command, Option } from 'commander'
import { CliError, runCli } from '../cli/run-cli.ts'
import { createSealKey } from '../cli/seal-key.ts'
import {
  captureWrangler,
  configuredDatabase,
  type Deployment,
  hasSecret,
  requireSignIn,
  runWrangler,
  writeDatabaseId,
} from '../cli/wrangler.ts'

const findDatabase = (name: string): string | undefined => {
  const { ok, out, err } = captureWrangler(['d1', 'list', '--json'])
  if (!ok) throw new CliError(`Could not list the D1 databases:\n${err || out}`)
  const databases: { name: string; uuid: string }[] = JSON.parse(out)
  return databases.find((database) => database.name === name)?.uuid
}

const ensureDatabase = (deployment: Deployment, location?: string): void => {
  const { name, id: configured } = configuredDatabase(deployment)
  if (configured) {
    console.log(`1. The database ${name} is in wrangler.toml already.`)
    return
  }
  if (!findDatabase(name))
    runWrangler(['d1', 'create', name, ...(location ? ['--location', location] : [])])
  const id = findDatabase(name)
  if (!id) throw new CliError(`Cloudflare does not list the database ${name}; try again.`)
  writeDatabaseId(name, id)
  console.log(`1. The database ${name} exists; its id is in wrangler.toml: commit it.`)
}

/** Sets a secret unless it is set; returns whether it was set now. */
const ensureSecret = (name: string, value: string, deployment: Deployment): boolean => {
  if (hasSecret(name, deployment)) {
    console.log(`2. ${name} is set already.`)
    return false
  }
  const { ok, err, out } = captureWrangler(['secret', 'put', name], deployment, value)
  if (!ok) throw new CliError(`${name} could not be set:\n${err || out}`)
  return true
}

const ensureSecrets = (deployment: Deployment): void => {
  const secret = randomBytes(32).toString('base64url')
  if (ensureSecret('TOKEN_SECRET', secret, deployment)) {
    console.log(`2. TOKEN_SECRET is set. Keep it in a password manager: a rotation needs it, and nothing
   shows it again.
   ${secret}`)
  }
  const { signerKey, verifierKey } = createSealKey(deployment.env ?? 'production')
  if (ensureSecret('SEAL_KEY', signerKey, deployment)) {
    console.log(`2. SEAL_KEY is set: it seals the record each hour. Nobody else needs it; a new one begins a
   new origin. The key that verifies, for the agreement with workers and for whoever verifies:
   ${verifierKey}`)
  }
}

const program = new Command('deploy:setup')
  .description('create the database, set the secrets, apply the migrations; safe to run again')
  .option('--env <name>', 'an environment of wrangler.toml, such as staging, instead of production')
  .addOption(
    new Option('--location <hint>', 'location hint for the database').choices([
      'wnam',
      'enam',
      'weur',
      'eeur',
      'apac',
      'oc',
    ]),
  )
  .option('--dry-run', 'print the steps without doing them')
  .action(({ env, location, dryRun }) => {
    const deployment: Deployment = env ? { env } : {}
    if (dryRun) {
      const { name, id } = configuredDatabase(deployment)
      console.log(`1. ${id ? `Use the database ${name} (${id}).` : `Create the database ${name}.`}`)
      console.log('2. Set TOKEN_SECRET and SEAL_KEY to random keys, unless they are set.')
      console.log(`3. Apply the migrations of drizzle/ to ${name}.`)
      console.log('Nothing was done.')
      return
    }
    requireSignIn()
    ensureDatabase(deployment, location)
    ensureSecrets(deployment)
    runWrangler(['d1', 'migrations', 'apply', 'DB', '--remote'], deployment)
    const flags = `--remote${env ? ` --env ${env}` : ''}`
    console.log(`3. The migrations are applied.

Next, an administrator, and the service itself:
  npm run user -- add EMAIL --first-name NAME --last-name NAME --role admin ${flags}
  npm run deploy${env ? ` -- --env ${env}` : ''}`)
  })

await runCli(program)
