import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { withBusyRetry } from './local-sqlite.ts'
import { requireNames, requireNoUnfinishedLocalRestore, requireSound } from './opening-check.ts'
import { CliError } from './run-cli.ts'

/**
 * The environment for wrangler. Its explorer is off because it runs SQL for anybody who reaches the
 * port. Its store of traces is off because it grows with each request. Telemetry and `Request.cf`
 * are off because nothing reads them. Wrangler's own files, such as logs, are in `.wrangler`, because
 * it hangs if it cannot write to the user's home.
 */
export const wranglerEnv = {
  ...process.env,
  XDG_CONFIG_HOME: resolve('.wrangler', 'config'),
  X_LOCAL_EXPLORER: 'false',
  X_LOCAL_OBSERVABILITY: 'false',
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
}

const TOO_OLD = `The local database was made by an earlier version, whose tables differ.
Move its folder (.wrangler/state, or the one of --persist-to) away, and start again.`

/** Applies the migrations to the local database, and creates the database if there is none. */
export const migrateLocal = async (persistTo?: string): Promise<void> => {
  requireNoUnfinishedLocalRestore(persistTo)
  requireSound(persistTo)
  requireNames(persistTo)
  await withBusyRetry(async () => {
    const flags = persistTo ? ['--persist-to', persistTo] : []
    const { status, stdout, stderr, error } = spawnSync(
      'wrangler',
      ['d1', 'migrations', 'apply', 'DB', '--local', ...flags],
      { env: wranglerEnv, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    )
    if (status === 0) return
    if (/already exists/.test(stdout + stderr)) throw new CliError(TOO_OLD)
    throw new Error(`The migrations failed.\n${error ?? ''}${stdout}${stderr}`)
  })
}
