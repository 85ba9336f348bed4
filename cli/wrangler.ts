import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { readSettings, type Settings } from '../src/http/core/settings.ts'
import { CliError } from './run-cli.ts'

const CONFIG = 'wrangler.toml'
const NO_DATABASE = /^[0-]*$/

export interface Deployment {
  env?: string
}

interface Output {
  ok: boolean
  out: string
  err: string
}

/** Without --env, wrangler warns: the top level of wrangler.toml is the environment ''. */
const withEnv = (args: string[], { env = '' }: Deployment): string[] => [...args, `--env=${env}`]

/** Runs wrangler and returns its output. */
export const captureWrangler = (
  args: string[],
  deployment: Deployment = {},
  input = '',
): Output => {
  const { status, stdout, stderr } = spawnSync('wrangler', withEnv(args, deployment), {
    encoding: 'utf8',
    input,
  })
  return { ok: status === 0, out: stdout, err: stderr }
}

/** Runs wrangler with its output on the terminal. */
export const runWrangler = (args: string[], deployment: Deployment = {}): void => {
  const { status } = spawnSync('wrangler', withEnv(args, deployment), { stdio: 'inherit' })
  if (status !== 0) throw new CliError(`wrangler ${args.join(' ')} failed; see above.`)
}

interface BundleOptions {
  entry?: string
  /** Where esbuild's metafile is written. */
  metafile?: string
}

/** Bundles the Worker, or another entry, as it is deployed; returns the script. */
export const bundle = (
  outdir: string,
  { entry = 'src/index.ts', metafile }: BundleOptions = {},
): string => {
  const flags = ['--dry-run', '--outdir', outdir, ...(metafile ? ['--metafile', metafile] : [])]
  const { ok, err } = captureWrangler(['deploy', entry, ...flags])
  if (!ok) throw new CliError(`The bundle of ${entry} could not be built:\n${err}`)
  return readFileSync(join(outdir, `${parse(entry).name}.js`), 'utf8')
}

interface Environment {
  vars?: Record<string, string>
  compatibility_date?: string
  d1_databases?: { database_name?: string; database_id?: string }[]
  ratelimits?: { name: string; namespace_id: string; simple: { limit: number; period: 10 | 60 } }[]
}

/** wrangler.toml; the top level is production. Importing wrangler to read it would take seconds. */
export const readConfig = (): Environment & { env?: Record<string, Environment> } =>
  parseToml(readFileSync(CONFIG, 'utf8'))

/** Whether ADMIN_ROLES of any environment lists a role; `admin` is its default. */
export const isAdminRole = (role: string): boolean => {
  const { env, ...production } = readConfig()
  return [production, ...Object.values(env ?? {})].some(({ vars }) =>
    (vars?.ADMIN_ROLES || 'admin').split(',').some((listed) => listed.trim() === role),
  )
}

const readEnvironment = ({ env }: Deployment): Environment => {
  const config = readConfig()
  const environment = env ? config.env?.[env] : config
  if (!environment) throw new CliError(`${CONFIG} has no environment ${env}.`)
  return environment
}

/** A variable of the configuration; undefined where it is blank. */
export const configuredVariable = (name: string, deployment: Deployment): string | undefined =>
  readEnvironment(deployment).vars?.[name]?.trim() || undefined

/** The secrets are not in the configuration, and no command reads what they are for. */
const NO_SECRETS = { TOKEN_SECRET: '-'.repeat(32), NOTIFY_URL: '' }

/** The settings of an environment without its secrets. */
export const configuredSettings = (deployment: Deployment): Settings =>
  readSettings({ ...readEnvironment(deployment).vars, ...NO_SECRETS })

/** The database that the configuration names, and its id once it has one. */
export const configuredDatabase = ({ env }: Deployment): { name: string; id?: string } => {
  const environment = readEnvironment(env ? { env } : {})
  const { database_name: name, database_id: id = '' } = environment.d1_databases?.[0] ?? {}
  if (!name) throw new CliError(`${CONFIG} names no database${env ? ` for ${env}` : ''}.`)
  return NO_DATABASE.test(id) ? { name } : { name, id }
}

/** Writes a database's id under its name in wrangler.toml. */
export const writeDatabaseId = (name: string, id: string): void => {
  const text = readFileSync(CONFIG, 'utf8')
  const place = new RegExp(`(database_name = "${name}"\\ndatabase_id = ")[^"]*(")`)
  if (!place.test(text)) throw new CliError(`${CONFIG} has no database_id under ${name}.`)
  writeFileSync(CONFIG, text.replace(place, `$1${id}$2`))
}

/** Whether the deployed Worker has a secret; one that was never deployed does not. */
export const hasSecret = (name: string, deployment: Deployment): boolean => {
  const { ok, out, err } = captureWrangler(['secret', 'list', '--format', 'json'], deployment)
  if (ok) return out.includes(`"${name}"`)
  if (/10007|not found|does not exist/i.test(out + err)) return false
  throw new CliError(`The secrets could not be listed:\n${err || out}`)
}

export const requireSignIn = (): void => {
  if (!captureWrangler(['whoami', '--json']).ok) {
    throw new CliError(
      'Sign in to Cloudflare first: npx wrangler login, or set CLOUDFLARE_API_TOKEN.',
    )
  }
}

/** The local secret that npm start has written. */
export const localSecret = (): string => {
  const text = existsSync('.dev.vars') ? readFileSync('.dev.vars', 'utf8') : ''
  const [, secret] = /^\s*TOKEN_SECRET\s*=\s*"?([^"\s]+)"?/m.exec(text) ?? []
  if (!secret) throw new CliError('There is no local TOKEN_SECRET yet: npm start creates it.')
  return secret
}
