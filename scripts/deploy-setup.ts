/** `npm run deploy:setup`: prepares a deployment. It can be run again at any time. */
import { randomBytes } from 'node:crypto'
import { Command, Option } from 'commander'
import { CliError, runCli } from '../cli/run-cli.ts'
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

const ensureSecret = (deployment: Deployment): void => {
  if (hasSecret(deployment)) {
    console.log('2. TOKEN_SECRET is set already.')
    return
  }
  const secret = randomBytes(32).toString('base64url')
  const { ok, err, out } = captureWrangler(['secret', 'put', 'TOKEN_SECRET'], deployment, secret)
  if (!ok) throw new CliError(`TOKEN_SECRET could not be set:\n${err || out}`)
  console.log(`2. TOKEN_SECRET is set. Keep it in a password manager: a rotation needs it, and nothing
   shows it again.
   ${secret}`)
}

const program = new Command('deploy:setup')
  .description('create the database, set the secret, apply the migrations; safe to run again')
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
      console.log('2. Set TOKEN_SECRET to 32 random bytes, unless it is set.')
      console.log(`3. Apply the migrations of drizzle/ to ${name}.`)
      console.log('Nothing was done.')
      return
    }
    requireSignIn()
    ensureDatabase(deployment, location)
    ensureSecret(deployment)
    runWrangler(['d1', 'migrations', 'apply', 'DB', '--remote'], deployment)
    const flags = `--remote${env ? ` --env ${env}` : ''}`
    console.log(`3. The migrations are applied.

Next, an administrator, and the service itself:
  npm run user -- add EMAIL --first-name NAME --last-name NAME --role admin ${flags}
  npm run deploy${env ? ` -- --env ${env}` : ''}`)
  })

await runCli(program)
