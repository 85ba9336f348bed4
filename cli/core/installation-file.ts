/** The file installations/NAME.toml has the settings that differ from those of wrangler.toml. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { parse as parseToml, stringify, TomlError } from 'smol-toml'
import * as z from 'zod/mini'
import { InvalidSettings, readSettings, type Settings } from '../../src/core/http/settings.ts'
import { CliError } from './run-cli.ts'
import type { Target } from './target.ts'

const CONFIG = 'wrangler.toml'
/** The file with the secrets of the local service. It may set any variable of wrangler.toml. */
export const SECRETS_FILE = '.dev.vars'
const FOLDER = 'installations'

interface Config {
  name: string
  compatibility_date: string
  dev: { port: number }
  d1_databases: object[]
  ratelimits: { name: string; namespace_id: string; simple: { limit: number; period: 10 | 60 } }[]
  vars: Record<string, string>
}

/** Reads wrangler.toml. Wrangler has a function for it, but importing wrangler takes seconds. */
export const readConfig = (): Config => parseToml(readFileSync(CONFIG, 'utf8')) as unknown as Config

const WORKER_NAME_MAX = 63
const PREFIX = 'checada-'
const NAME_MAX = WORKER_NAME_MAX - PREFIX.length
const NAME = /^[a-z]([a-z0-9-]*[a-z0-9])?$/

const isName = (text: string, max: number): boolean => NAME.test(text) && text.length <= max

const rule = (max: number): string =>
  `must be lower-case letters, digits and hyphens, a letter first, at most ${max} characters`

const UUID = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$/
const ROUTE = /^[a-z0-9-]+(\.[a-z0-9-]+)+(\/\*)?$/

const text = () => z.string('must be text in quotes')

const fileSchema = (vars: string[]) =>
  z.strictObject({
    name: text().check(
      z.refine((name) => isName(name, WORKER_NAME_MAX), { error: rule(WORKER_NAME_MAX) }),
    ),
    /** The default is the Worker's name. */
    database_name: z.optional(text()),
    database_id: text().check(
      z.regex(UUID, 'must be the id of a database, or blank until there is one'),
    ),
    routes: z._default(
      z.array(text().check(z.regex(ROUTE, 'must be a host, or host/*')), 'must be a list'),
      [],
    ),
    vars: z._default(
      z.strictObject(
        Object.fromEntries(vars.map((name) => [name, z.optional(text())])),
        'must be a table',
      ),
      {},
    ),
  })

export type Installation = z.output<ReturnType<typeof fileSchema>>

/** The host of the installation's first route. */
export const hostOf = ({ routes }: Installation): string | undefined => routes[0]?.replace('/*', '')

export const fileOf = (name: string): string => join(FOLDER, `${name}.toml`)

/** The folder with the pictures and documents of an installation. */
export const filesFolderOf = (name: string): string => join(FOLDER, name, 'files')

/** The folder of an installation's static assets, which `deploy` fills. */
export const assetsFolderOf = (name: string): string => join('.wrangler', 'assets', name)

export const setupCommand = (name: string): string =>
  `npm run deploy:setup -- --installation ${name}`

export const installationNames = (): string[] => {
  const files = existsSync(FOLDER) ? readdirSync(FOLDER) : []
  return files.flatMap((file) => /^(.+)\.toml$/.exec(file)?.[1] ?? []).sort()
}

export const knownInstallations = (): string => {
  const names = installationNames()
  return names.length === 0
    ? 'There is none yet: npm run installation -- add NAME.'
    : `There are: ${names.join(', ')}.`
}

const brokenRules = ({ issues }: z.core.$ZodError, vars: string[]): string =>
  issues
    .flatMap((issue) => {
      if (issue.code !== 'unrecognized_keys')
        return `${issue.path.join('.').replace(/\.(\d+)/, '[$1]')} ${issue.message}`
      const known = issue.path.length === 0 ? Object.keys(fileSchema([]).shape) : vars
      return issue.keys.map(
        (key) => `${[...issue.path, key].join('.')} is unknown. Known: ${known.join(', ')}`,
      )
    })
    .join('; ')

/** Placeholders for the secrets. The settings require them, and no installation file has them. */
const NO_SECRETS = { TOKEN_SECRET: '-'.repeat(32), NOTIFY_SECRET: `whsec_${'A'.repeat(32)}` }

const settingsOf = (vars: Record<string, string | undefined>): Settings =>
  readSettings({ ...vars, ...NO_SECRETS })

export const readSecretsFile = (): Record<string, string | undefined> =>
  existsSync(SECRETS_FILE) ? parseEnv(readFileSync(SECRETS_FILE, 'utf8')) : {}

/** The variables of the local service, in the order of precedence that `wrangler dev` has. */
export const localVars = (given: Target['var'] = {}): Record<string, string | undefined> => ({
  ...readConfig().vars,
  ...readSecretsFile(),
  ...given,
})

/**
 * Fails if another installation has the same name, database or host, or if the local service has
 * the same name.
 */
const requireOwn = (
  file: string,
  { name, database_id, routes }: Installation,
  local: string,
): void => {
  if (name === local) throw new CliError(`${file}: name is that of ${CONFIG}, the local service.`)
  for (const other of installationNames().map(fileOf)) {
    if (other === file) continue
    const content = readFileSync(other, 'utf8')
    const taken = Object.entries({ name, database_id }).find(
      ([key, value]) =>
        value !== '' && new RegExp(`^${key}\\s*=\\s*["']${value}["']`, 'm').test(content),
    )
    if (taken) throw new CliError(`${file}: ${taken[0]} is that of ${other}.`)
    const route = routes.find((one) =>
      new RegExp(`^[^#]*["']${one.replace('/*', '').replaceAll('.', '\\.')}(/\\*)?["']`, 'm').test(
        content,
      ),
    )
    if (route) throw new CliError(`${file}: the route ${route} is that of ${other}.`)
  }
}

export const parseInstallation = (name: string, content: string): Installation => {
  if (!isName(name, NAME_MAX)) {
    throw new CliError(`${name} is not the name of an installation: it ${rule(NAME_MAX)}.`)
  }
  const file = fileOf(name)
  const config = readConfig()
  const vars = Object.keys(config.vars)
  try {
    const result = fileSchema(vars).safeParse(parseToml(content))
    if (!result.success) throw new CliError(`${file}: ${brokenRules(result.error, vars)}.`)
    const { LEGACY_ORIGIN = '' } = settingsOf({ ...config.vars, ...result.data.vars })
    const hosts = result.data.routes.map((route) => `https://${route.replace('/*', '')}`)
    if (hosts.includes(LEGACY_ORIGIN)) {
      throw new CliError(`${file}: vars.LEGACY_ORIGIN is a route of the installation itself.`)
    }
    requireOwn(file, result.data, config.name)
    return result.data
  } catch (error) {
    if (!(error instanceof TomlError || error instanceof InvalidSettings)) throw error
    throw new CliError(`${file}: ${error.message.trim()}`, { cause: error })
  }
}

export const readInstallation = (name: string): Installation => {
  if (!installationNames().includes(name)) {
    throw new CliError(`There is no installation ${name}. ${knownInstallations()}`)
  }
  return parseInstallation(name, readFileSync(fileOf(name), 'utf8'))
}

export const newInstallationText = (
  name: string,
  database_id: string,
  routes: string[],
  vars: Record<string, string>,
): string =>
  stringify({
    name: `${PREFIX}${name}`,
    database_id,
    ...(routes.length > 0 && { routes }),
    ...(Object.keys(vars).length > 0 && { vars }),
  })

/** Cloudflare counts limits with the same id together, so each Worker needs its own ids. */
const namespaceOf = (worker: string, limit: string): string =>
  String(createHash('sha256').update(`${worker}/${limit}`).digest().readUInt32BE() >>> 1)

/** What is deployed stands in several files, so that an isolate evaluates only those that it needs. */
const BUILT = {
  main: 'dist/worker/index.js',
  build: { command: 'node scripts/build-worker.ts' },
  no_bundle: true,
  rules: [{ type: 'ESModule', globs: ['**/*.js'] }],
  minify: undefined,
  keep_names: undefined,
}

/** Returns the configuration to deploy: wrangler.toml with the values of the installation. */
const mergedConfig = (installation: string) => {
  const { name, database_name = name, database_id, routes, vars } = readInstallation(installation)
  const config = readConfig()
  return {
    ...config,
    ...BUILT,
    name,
    assets: { directory: assetsFolderOf(installation) },
    d1_databases: config.d1_databases.map((database) => ({
      ...database,
      database_name,
      database_id: database_id || undefined,
    })),
    ratelimits: config.ratelimits.map((limit) => ({
      ...limit,
      namespace_id: namespaceOf(name, limit.name),
    })),
    // A route without /* covers the whole host, so it becomes a custom domain.
    routes: routes.map((pattern) =>
      pattern.endsWith('/*') ? pattern : { pattern, custom_domain: true },
    ),
    vars: { ...config.vars, TOKEN_AUDIENCE: name, ...vars },
  }
}

/**
 * Writes an installation's configuration for wrangler, and returns its path. The file is beside
 * wrangler.toml, so that relative paths lead to the same files. Git ignores it.
 */
export const writeConfig = (installation: string): string => {
  const path = `.wrangler.${installation}.json`
  writeFileSync(path, JSON.stringify(mergedConfig(installation), null, 2))
  return path
}

/** The file with the settings of an installation, or of the local service if none is given. */
export const settingsFile = (installation?: string): string =>
  installation === undefined ? CONFIG : fileOf(installation)

/**
 * The settings of an installation or of the local service, with placeholders for secrets.
 * @throws InvalidSettings if a variable of the local service is invalid
 */
export const configuredSettings = ({ installation, var: given }: Target): Settings =>
  settingsOf(installation === undefined ? localVars(given) : mergedConfig(installation).vars)

/** The name of an installation's database, and its id if the file has one. */
export const configuredDatabase = (installation: string): { name: string; id?: string } => {
  const { name, database_name = name, database_id: id } = readInstallation(installation)
  return { name: database_name, ...(id && { id }) }
}

export const writeDatabaseId = (installation: string, id: string): void => {
  const file = fileOf(installation)
  const content = readFileSync(file, 'utf8')
  writeFileSync(file, content.replace(/^(database_id\s*=\s*)(["']).*?\2/m, `$1"${id}"`))
}
