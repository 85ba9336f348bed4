import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { unstable_readConfig } from 'wrangler'

const CONFIG = 'wrangler.toml'
const NO_DATABASE = /^[0-]*$/

/** What an operator can mend: told without a stack. */
export class Fault extends Error {}

export interface Deployment {
  env?: string
}

interface Answer {
  ok: boolean
  out: string
  err: string
}

/** The top level of wrangler.toml must be asked for by name, or wrangler warns. */
const withEnv = (args: string[], { env = '' }: Deployment): string[] => [...args, `--env=${env}`]

/** Asks wrangler, quietly. */
export const ask = (args: string[], deployment: Deployment = {}, input = ''): Answer => {
  const { status, stdout, stderr } = spawnSync('wrangler', withEnv(args, deployment), {
    encoding: 'utf8',
    input,
  })
  return { ok: status === 0, out: stdout, err: stderr }
}

/** Lets wrangler do something in full view. */
export const act = (args: string[], deployment: Deployment = {}): void => {
  const { status } = spawnSync('wrangler', withEnv(args, deployment), { stdio: 'inherit' })
  if (status !== 0) throw new Fault(`wrangler ${args.join(' ')} failed; see above.`)
}

/** Bundles the Worker, or another entry, as it would be deployed; returns the script. */
export const bundle = (outdir: string, entry = 'src/index.ts'): string => {
  const { ok, err } = ask(['deploy', entry, '--dry-run', '--outdir', outdir])
  if (!ok) throw new Fault(`The bundle of ${entry} could not be built:\n${err}`)
  return readFileSync(join(outdir, `${parse(entry).name}.js`), 'utf8')
}

/** The database that the configuration names, and its id once it has one. */
export const configuredDatabase = ({ env }: Deployment): { name: string; id?: string } => {
  if (env && !readFileSync(CONFIG, 'utf8').includes(`[env.${env}.vars]`)) {
    throw new Fault(`${CONFIG} has no environment ${env}.`)
  }
  const { d1_databases: databases } = unstable_readConfig({ config: CONFIG, ...(env && { env }) })
  const { database_name: name, database_id: id = '' } = databases[0] ?? {}
  if (!name) throw new Fault(`${CONFIG} names no database${env ? ` for ${env}` : ''}.`)
  return NO_DATABASE.test(id) ? { name } : { name, id }
}

/** Writes a database's id beside its name, and nothing else. */
export const writeDatabaseId = (name: string, id: string): void => {
  const text = readFileSync(CONFIG, 'utf8')
  const place = new RegExp(`(database_name = "${name}"\\ndatabase_id = ")[^"]*(")`)
  if (!place.test(text)) throw new Fault(`${CONFIG} has no database_id under ${name}.`)
  writeFileSync(CONFIG, text.replace(place, `$1${id}$2`))
}

/** Whether the deployed Worker has its secret; one that was never deployed has none. */
export const hasSecret = (deployment: Deployment): boolean => {
  const { ok, out, err } = ask(['secret', 'list', '--format', 'json'], deployment)
  if (ok) return out.includes('"TOKEN_SECRET"')
  if (/10007|not found|does not exist/i.test(out + err)) return false
  throw new Fault(`Cloudflare did not tell the secrets:\n${err || out}`)
}

export const requireSignIn = (): void => {
  if (!ask(['whoami', '--json']).ok) {
    throw new Fault('Sign in to Cloudflare first: npx wrangler login, or set CLOUDFLARE_API_TOKEN.')
  }
}
