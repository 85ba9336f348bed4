import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { writeConfig } from './installation-file.ts'
import { UNFINISHED_RESTORE_TABLE, unfinishedRestoreText } from './opening-check.ts'
import { CliError } from './run-cli.ts'

/** Without an installation, wrangler reads wrangler.toml, which is for the local service. */
const withConfig = (args: string[], installation?: string): string[] =>
  installation === undefined ? args : [...args, `--config=${writeConfig(installation)}`]

export const captureWrangler = (args: string[], installation?: string, input = '') => {
  const { status, stdout, stderr, error } = spawnSync('wrangler', withConfig(args, installation), {
    encoding: 'utf8',
    input,
  })
  if (error) throw new CliError(`wrangler cannot be started: use npm run. (${error.message})`)
  return { ok: status === 0, out: stdout, err: stderr }
}

/** Runs wrangler and returns its output. Fails with the message and what wrangler has printed. */
export const captureWranglerOrFail = (
  args: string[],
  message: string,
  { installation, input }: { installation?: string; input?: string } = {},
): string => {
  const { ok, out, err } = captureWrangler(args, installation, input)
  if (ok) return out
  throw new CliError(`${message}: ${stripVTControlCharacters(err || out).trim()}`)
}

export const runWrangler = (args: string[], installation?: string): void => {
  const { status } = spawnSync('wrangler', withConfig(args, installation), { stdio: 'inherit' })
  if (status !== 0) throw new CliError(`wrangler ${args.join(' ')} failed; see above.`)
}

/** Bundles the Worker or another entry as for deployment. The metafile lists the bundled files. */
export const bundle = (
  outdir: string,
  { entry = 'src/index.ts', metafile }: { entry?: string; metafile?: string } = {},
): string => {
  const flags = ['--dry-run', '--outdir', outdir, ...(metafile ? ['--metafile', metafile] : [])]
  captureWranglerOrFail(['deploy', entry, ...flags], `The bundle of ${entry} could not be built`)
  return readFileSync(join(outdir, `${parse(entry).name}.js`), 'utf8')
}

export const countPendingMigrations = (installation: string): number => {
  const args = ['d1', 'migrations', 'list', 'DB', '--remote']
  const out = captureWranglerOrFail(args, 'The migrations could not be listed', { installation })
  // wrangler prints this text if no migration is pending. With any other text, at least one counts
  // as pending.
  if (out.includes('No migrations to apply')) return 0
  return out.match(/\d{4}_\w+\.sql/g)?.length ?? 1
}

export const requireNoUnfinishedRestore = (installation: string): void => {
  const query = `SELECT count(*) AS unfinished FROM sqlite_schema WHERE name = '${UNFINISHED_RESTORE_TABLE}'`
  const args = ['d1', 'execute', 'DB', '--remote', '--json', `--command=${query}`]
  const out = captureWranglerOrFail(args, 'The database could not be read', { installation })
  if (/"unfinished":\s*1/.test(out)) throw new CliError(unfinishedRestoreText(installation))
}

/** Whether the deployed Worker has a secret. A Worker that was never deployed has none. */
export const hasSecret = (name: string, installation: string): boolean => {
  const { ok, out, err } = captureWrangler(['secret', 'list', '--format', 'json'], installation)
  if (ok) return out.includes(`"${name}"`)
  if (/10007|not found|does not exist/i.test(out + err)) return false
  throw new CliError(`The secrets could not be listed:\n${err || out}`)
}

/**
 * Fails unless wrangler has a sign-in. Without one, most of its commands wait minutes for a browser.
 * A token from the environment is taken as one, since it may lack the permission to read its user.
 */
export const requireSignIn = (): void => {
  if (process.env.CLOUDFLARE_API_TOKEN) return
  const { ok, out, err } = captureWrangler(['whoami', '--json'])
  if (ok) return
  if (/"loggedIn":\s*false/.test(out)) {
    throw new CliError(
      'Sign in to Cloudflare first: npx wrangler login, or set CLOUDFLARE_API_TOKEN.',
    )
  }
  throw new CliError(
    `Cloudflare did not say who is signed in: ${stripVTControlCharacters(err).trim()}`,
  )
}
