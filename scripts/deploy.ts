/** `npm run deploy`: checks in seconds that a deployment is ready, runs the tests, and deploys. */
import { spawnSync } from 'node:child_process'
import { Command } from 'commander'
import {
  allOption,
  deployedTargets,
  inOrder,
  installationOption,
} from '../cli/core/each-installation.ts'
import {
  configuredDatabase,
  readInstallation,
  setupCommand,
} from '../cli/core/installation-file.ts'
import { CliError, runCli } from '../cli/core/run-cli.ts'
import {
  countPendingMigrations,
  hasSecret,
  requireNoUnfinishedRestore,
  requireSignIn,
  runWrangler,
} from '../cli/core/wrangler.ts'
import { copyAssets } from '../cli/installations/assets.ts'

const runTests = (): void => {
  const { status } = spawnSync('npm', ['test'], { stdio: 'inherit' })
  if (status !== 0) throw new CliError('Not deployed: npm test failed, see above.')
}

const requireDatabase = (installation: string): void => {
  if (configuredDatabase(installation).id) return
  throw new CliError(
    `Not deployed: ${installation} has no database yet. Run ${setupCommand(installation)} first.`,
  )
}

const requireReady = (installation: string): void => {
  const setup = setupCommand(installation)
  requireNoUnfinishedRestore(installation)
  if (countPendingMigrations(installation) > 0) {
    throw new CliError(`Not deployed: migrations are pending. Run ${setup}, which applies them.`)
  }
  for (const secret of ['TOKEN_SECRET', 'SEAL_KEY', 'VAPID_KEY']) {
    if (hasSecret(secret, installation)) continue
    throw new CliError(`Not deployed: ${secret} is missing. Run ${setup} first.`)
  }
}

const program = new Command('deploy')
  .description('test and deploy; stops first at pending migrations or a missing secret')
  .addOption(installationOption('the installation'))
  .addOption(allOption('every installation, one after the other; stops at the first that fails'))
  .option('--dry-run', "check the installation's file and bundle, without an account")
  .option(
    '--without-running-the-tests',
    'for a bad night: deploy what was tested elsewhere, such as an earlier version',
  )
  .action(async ({ dryRun, withoutRunningTheTests, ...chosen }) => {
    const targets = deployedTargets(chosen)
    for (const { installation } of targets) readInstallation(installation)
    if (!dryRun) {
      for (const { installation } of targets) requireDatabase(installation)
      requireSignIn()
      for (const { installation } of targets) requireReady(installation)
      if (withoutRunningTheTests) console.log('Deploying without npm test.')
      else runTests()
    }
    const deploy = ({ installation }: { installation: string }) => {
      copyAssets(installation)
      runWrangler(['deploy', ...(dryRun ? ['--dry-run', '--outdir', 'dist'] : [])], installation)
    }
    await inOrder(targets, deploy, { stopsAtFirst: true })
  })

await runCli(program)
