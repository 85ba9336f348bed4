/** `npm run deploy`: verifies, checks that the deployment is ready, and deploys. */
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

const verify = (): void => {
  const { status } = spawnSync('npm', ['run', 'verify'], { stdio: 'inherit' })
  if (status !== 0) throw new CliError('Not deployed: npm run verify failed, see above.')
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
  for (const secret of ['TOKEN_SECRET', 'SEAL_KEY']) {
    if (hasSecret(secret, installation)) continue
    throw new CliError(`Not deployed: ${secret} is missing. Run ${setup} first.`)
  }
}

const program = new Command('deploy')
  .description('verify and deploy; stops at pending migrations or a missing secret')
  .addOption(installationOption('the installation'))
  .addOption(allOption('every installation, one after the other; stops at the first that fails'))
  .option('--dry-run', 'verify and bundle only')
  .action(async ({ dryRun, ...chosen }) => {
    const targets = deployedTargets(chosen)
    for (const { installation } of targets) readInstallation(installation)
    if (!dryRun) for (const { installation } of targets) requireDatabase(installation)
    verify()
    if (!dryRun) requireSignIn()
    const deploy = ({ installation }: { installation: string }) => {
      if (!dryRun) requireReady(installation)
      copyAssets(installation)
      runWrangler(['deploy', ...(dryRun ? ['--dry-run', '--outdir', 'dist'] : [])], installation)
    }
    await inOrder(targets, deploy, { stopsAtFirst: true })
  })

await runCli(program)
