/** `npm run deploy`: verifies, checks that the deployment is ready, and deploys. */
import { spawnSync } from 'node:child_process'
import { Command } from 'commander'
import { CliError, runCli } from '../cli/run-cli.ts'
import {
  captureWrangler,
  configuredDatabase,
  type Deployment,
  hasSecret,
  requireSignIn,
  runWrangler,
} from '../cli/wrangler.ts'

const verify = (): void => {
  const { status } = spawnSync('npm', ['run', 'verify'], { stdio: 'inherit' })
  if (status !== 0) throw new CliError('Not deployed: npm run verify failed, see above.')
}

const setupOf = ({ env }: Deployment): string =>
  `npm run deploy:setup${env ? ` -- --env ${env}` : ''}`

const requireReady = (deployment: Deployment): void => {
  const setup = setupOf(deployment)
  requireSignIn()
  const { ok, out, err } = captureWrangler(
    ['d1', 'migrations', 'list', 'DB', '--remote'],
    deployment,
  )
  if (!ok) throw new CliError(`Not deployed: the migrations could not be listed.\n${err || out}`)
  // Anything but wrangler's own message for "none" counts as pending.
  if (!out.includes('No migrations to apply')) {
    throw new CliError(`Not deployed: migrations are pending. Run ${setup}, which applies them.`)
  }
  for (const secret of ['TOKEN_SECRET', 'SEAL_KEY']) {
    if (hasSecret(secret, deployment)) continue
    throw new CliError(`Not deployed: ${secret} is missing. Run ${setup} first.`)
  }
}

const program = new Command('deploy')
  .description('verify and deploy; stops at pending migrations or a missing secret')
  .option('--env <name>', 'an environment of wrangler.toml, such as staging, instead of production')
  .option('--dry-run', 'verify and bundle only')
  .action(({ env, dryRun }) => {
    const deployment: Deployment = env ? { env } : {}
    const { id } = configuredDatabase(deployment)
    if (!id && !dryRun) {
      throw new CliError(
        `Not deployed: there is no database yet. Run ${setupOf(deployment)} first.`,
      )
    }
    verify()
    if (dryRun) {
      runWrangler(['deploy', '--dry-run', '--outdir', 'dist'], deployment)
    } else {
      requireReady(deployment)
      runWrangler(['deploy'], deployment)
    }
  })

await runCli(program)
