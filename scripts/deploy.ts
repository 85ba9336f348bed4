/** `npm run deploy`: verifies, asks the deployment whether it is ready, and ships. */
import { spawnSync } from 'node:child_process'
import { Command } from 'commander'
import { Fault, start } from '../cli/program.ts'
import {
  act,
  ask,
  configuredDatabase,
  type Deployment,
  hasSecret,
  requireSignIn,
} from '../cli/wrangler.ts'

const verify = (): void => {
  const { status } = spawnSync('npm', ['run', 'verify'], { stdio: 'inherit' })
  if (status !== 0) throw new Fault('Not deployed: npm run verify failed, see above.')
}

const setupOf = ({ env }: Deployment): string =>
  `npm run deploy:setup${env ? ` -- --env ${env}` : ''}`

const refuseUnready = (deployment: Deployment): void => {
  const setup = setupOf(deployment)
  requireSignIn()
  const { ok, out, err } = ask(['d1', 'migrations', 'list', 'DB', '--remote'], deployment)
  if (!ok) throw new Fault(`Not deployed: the migrations could not be asked for.\n${err || out}`)
  // Anything but wrangler's own word for "none" counts as pending.
  if (!out.includes('No migrations to apply')) {
    throw new Fault(`Not deployed: migrations are pending. Run ${setup}, which applies them.`)
  }
  if (!hasSecret(deployment)) {
    throw new Fault(`Not deployed: TOKEN_SECRET is missing. Run ${setup} first.`)
  }
}

const program = new Command('deploy')
  .description('verify and ship; refuses with pending migrations or a missing secret')
  .option('--env <name>', 'an environment of wrangler.toml, such as staging, instead of production')
  .option('--dry-run', 'verify and bundle, but ask and ship nothing')
  .action(({ env, dryRun }) => {
    const deployment: Deployment = env ? { env } : {}
    const { id } = configuredDatabase(deployment)
    if (!id && !dryRun) {
      throw new Fault(`Not deployed: there is no database yet. Run ${setupOf(deployment)} first.`)
    }
    verify()
    if (dryRun) {
      act(['deploy', '--dry-run', '--outdir', 'dist'], deployment)
    } else {
      refuseUnready(deployment)
      act(['deploy'], deployment)
    }
  })

await start(program)
