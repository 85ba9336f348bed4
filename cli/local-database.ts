import { spawnSync } from 'node:child_process'

/** Wrangler's environment without telemetry and without the look-up of a `Request.cf` we never read. */
export const quietly = {
  ...process.env,
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
}

/** Applies the migrations to the local database; says nothing unless they fail. */
export const migrateLocal = (persistTo?: string): void => {
  const flags = persistTo ? ['--persist-to', persistTo] : []
  const { status, stdout, stderr, error } = spawnSync(
    'wrangler',
    ['d1', 'migrations', 'apply', 'DB', '--local', ...flags],
    { env: quietly, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  )
  if (status !== 0) throw new Error(`The migrations failed.\n${error ?? ''}${stdout}${stderr}`)
}
