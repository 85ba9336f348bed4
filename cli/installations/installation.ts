/** `npm run installation -- add NAME`, `list` and `people FILE` */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Command } from 'commander'
import {
  fileOf,
  type Installation,
  installationNames,
  knownInstallations,
  newInstallation,
  parseInstallation,
  readInstallation,
  setupOf,
} from '../core/installation-file.ts'
import { collect, collectPairs } from '../core/option-parsers.ts'
import { commandGroup } from '../core/program.ts'
import { CliError, runCli } from '../core/run-cli.ts'
import { countPendingMigrations } from '../core/wrangler.ts'
import { people } from './people.ts'
import { isReplicated } from './replication.ts'

const HEALTH_MS = 10_000
const PROBLEM_MAX = 300

const collectVariable = collectPairs(/^(\w+)=(.*)$/, 'Not NAME=VALUE.')

const add = new Command('add')
  .description('write the file of a new installation')
  .argument('<name>', 'lower-case letters, digits and hyphens')
  .option('--route <host>', 'its host, or host/* where the host is served already', collect, [])
  .option('--var <NAME=value>', 'a variable that differs from wrangler.toml', collectVariable, {})
  .option('--database-id <id>', 'a database that exists', '')
  .action((name: string, options) => {
    const content = newInstallation(name, options.databaseId, options.route, options.var)
    parseInstallation(name, content)
    const file = fileOf(name)
    if (existsSync(file)) throw new CliError(`There is an installation ${name} already: ${file}.`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    console.log(`Wrote ${file}: commit it. Next, its database, secrets and migrations:
  ${setupOf(name)}
which prints how to add an administrator and to deploy.`)
  })

/** Asks a deployed installation for its version and the size of its database. */
const askHealth = async ({ routes }: Installation): Promise<string> => {
  const host = routes[0]?.replace('/*', '')
  if (host === undefined) throw new CliError('version unknown: no route to ask')
  const response = await fetch(`https://${host}/health`, {
    signal: AbortSignal.timeout(HEALTH_MS),
  }).catch(() => undefined)
  if (!response?.ok) {
    throw new CliError(`${host} ${response ? `responds ${response.status}` : 'does not respond'}`)
  }
  const { data } = (await response.json()) as { data: { version?: string; database_bytes: number } }
  const megabytes = (data.database_bytes / 1_000_000).toFixed(1)
  return `version ${data.version ?? 'unknown'}, database ${megabytes} MB`
}

/** Returns the age of the newest backup in a folder, including files encrypted afterwards. */
const backupAge = (name: string, folder: string): string => {
  const file = new RegExp(
    `^checada-${name}-(\\d{4}-\\d\\d-\\d\\dT)(\\d\\d)(\\d\\d)(\\d\\d)Z\\.sql\\.gz`,
  )
  const newest = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((entry) => file.test(entry))
    .sort()
    .at(-1)
  if (newest === undefined) return `no backup in ${folder}`
  const time = newest.replace(file, '$1$2:$3:$4Z').slice(0, 20)
  return `newest backup ${Math.floor((Date.now() - Date.parse(time)) / 3_600_000)} h old`
}

/** Describes an installation in one line. A failed check puts its error message in the line. */
const describe = async (name: string, backups: string): Promise<string> => {
  const attempt = async (work: () => string | Promise<string>): Promise<string> => {
    try {
      return await work()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return message.replaceAll(/\s+/g, ' ').slice(0, PROBLEM_MAX)
    }
  }
  const parts = await attempt(async () => {
    const installation = readInstallation(name)
    const states = [await attempt(() => askHealth(installation))]
    if (!installation.database_id) return [...states, 'no database yet'].join(' · ')
    states.push(await attempt(() => `${countPendingMigrations(name)} migrations pending`))
    states.push(await attempt(() => `read replicas ${isReplicated(name) ? 'on' : 'off'}`))
    return states.join(' · ')
  })
  return `${name}: ${parts} · ${backupAge(name, backups)}`
}

const list = new Command('list')
  .description('list the installations: what is deployed, migrations, read replicas, newest backup')
  .option('--backups <folder>', 'where npm run backup writes', 'backups')
  .action(async ({ backups }) => {
    const names = installationNames()
    if (names.length === 0) console.log(knownInstallations())
    for (const name of names) console.log(await describe(name, backups))
  })

export const program = commandGroup('installation', 'the installations of this checkout', [
  add,
  list,
  people,
])
if (import.meta.main) await runCli(program)
