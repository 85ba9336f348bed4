/** `npm run deploy:setup`: prepares a deployment. It can be run again at any time. */
import { randomBytes } from 'node:crypto'
import { Command, Option } from 'commander'
import { deployedTargets, installationOption } from '../cli/core/each-installation.ts'
import { configuredDatabase, fileOf, writeDatabaseId } from '../cli/core/installation-file.ts'
import { CliError, runCli } from '../cli/core/run-cli.ts'
import {
  captureWranglerOrFail,
  hasSecret,
  requireNoUnfinishedRestore,
  requireSignIn,
  runWrangler,
} from '../cli/core/wrangler.ts'
import { createSealKey } from '../cli/evidence/seal-key.ts'
import { describeClockAccess } from '../cli/installations/clock-access.ts'
import { ensureReplication } from '../cli/installations/replication.ts'
import { createVapidKey } from '../cli/push/vapid-key.ts'

const LOCATIONS = ['wnam', 'enam', 'weur', 'eeur', 'apac', 'oc']

const findDatabase = (name: string): string | undefined => {
  const out = captureWranglerOrFail(['d1', 'list', '--json'], 'Could not list the D1 databases')
  const databases: { name: string; uuid: string }[] = JSON.parse(out)
  return databases.find((database) => database.name === name)?.uuid
}

const ensureDatabase = (installation: string, location?: string): void => {
  const { name, id: configured } = configuredDatabase(installation)
  if (configured) {
    console.log(`1. The database ${name} is in ${fileOf(installation)} already.`)
    return
  }
  if (!findDatabase(name))
    runWrangler(['d1', 'create', name, ...(location ? ['--location', location] : [])])
  const id = findDatabase(name)
  if (!id) throw new CliError(`Cloudflare does not list the database ${name}; try again.`)
  writeDatabaseId(installation, id)
  console.log(`1. The database ${name} exists; its id is in ${fileOf(installation)}: commit it.`)
}

const ensureSecret = (installation: string, name: string, value: string, advice: string): void => {
  if (hasSecret(name, installation)) {
    console.log(`2. ${name} is set already.`)
    return
  }
  captureWranglerOrFail(['secret', 'put', name], `${name} could not be set`, {
    installation,
    input: value,
  })
  console.log(`2. ${name} is set${advice}`)
}

const ensureSecrets = (installation: string): void => {
  const secret = randomBytes(32).toString('base64url')
  const toKeep = `. Keep it in a password manager: a rotation needs it, and nothing
   shows it again.
   ${secret}`
  ensureSecret(installation, 'TOKEN_SECRET', secret, toKeep)
  const { signerKey, verifierKey } = createSealKey(installation)
  const toPublish = `: it seals the record each hour. Nobody else needs it; a new one begins a
   new origin. The key that verifies, for the agreement with workers and for whoever verifies:
   ${verifierKey}`
  ensureSecret(installation, 'SEAL_KEY', signerKey, toPublish)
  const toPhones = ': messages to phones are sent with it. A new one ends all subscriptions.'
  ensureSecret(installation, 'VAPID_KEY', createVapidKey(), toPhones)
}

const printSteps = (installation: string): void => {
  const { name, id } = configuredDatabase(installation)
  console.log(`1. ${id ? `Use the database ${name} (${id}).` : `Create the database ${name}.`}
2. Set TOKEN_SECRET, SEAL_KEY and VAPID_KEY to random keys, unless they are set.
3. Apply the migrations of drizzle/ to ${name}.
4. Switch on its read replicas if CLOUDFLARE_API_TOKEN is set, otherwise print where to do it.
5. Try whether clocks without HTTPS reach the service, and whether pages are redirected to HTTPS.
Nothing was done.`)
}

const setUp = async (installation: string, location?: string): Promise<void> => {
  requireSignIn()
  ensureDatabase(installation, location)
  ensureSecrets(installation)
  requireNoUnfinishedRestore(installation)
  runWrangler(['d1', 'migrations', 'apply', 'DB', '--remote'], installation)
  console.log(`3. The migrations are applied.
4. ${await ensureReplication(installation)}
5. ${await describeClockAccess(installation)}

Next, an administrator, and the service itself:
  npm run user -- add EMAIL --first-name NAME --last-name NAME --role admin --installation ${installation}
  npm run deploy -- --installation ${installation}`)
}

const program = new Command('deploy:setup')
  .description('create the database, set the secrets, apply the migrations; safe to run again')
  .addOption(installationOption('the installation'))
  .addOption(new Option('--location <hint>', 'location hint for the database').choices(LOCATIONS))
  .option('--dry-run', 'print the steps without doing them')
  .action(async ({ location, dryRun, ...chosen }) => {
    for (const { installation } of deployedTargets(chosen)) {
      if (dryRun) printSteps(installation)
      else await setUp(installation, location)
    }
  })

await runCli(program)
