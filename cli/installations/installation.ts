/** `npm run installation -- add NAME` and `list` */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Command } from 'commander'
import {
  fileOf,
  hostOf,
  type Installation,
  installationNames,
  knownInstallations,
  newInstallationText,
  parseInstallation,
  readInstallation,
  setupCommand,
} from '../core/installation-file.ts'
import { collectPairs, collectValues } from '../core/option-parsers.ts'
import { commandGroup } from '../core/program.ts'
import { CliError, messageOf, runCli } from '../core/run-cli.ts'
import { countPendingMigrations } from '../core/wrangler.ts'
import { isReplicated } from './replication.ts'

const HEALTH_MS = 10_000
const PROBLEM_MAX = 300
/** An unsealed event that is older than this is a problem. The cron makes seals each hour. */
const UNSEALED_SECONDS_MAX = 7_200

const collectVariable = collectPairs(/^(\w+)=(.*)$/, 'Not NAME=VALUE.')

const add = new Command('add')
  .description('write the file of a new installation')
  .argument('<name>', 'lower-case letters, digits and hyphens')
  .option(
    '--route <host>',
    'its host, or host/* where the host is served already',
    collectValues,
    [],
  )
  .option('--var <NAME=value>', 'a variable that differs from wrangler.toml', collectVariable, {})
  .option('--database-id <id>', 'a database that exists', '')
  .action((name: string, options) => {
    const content = newInstallationText(name, options.databaseId, options.route, options.var)
    parseInstallation(name, content)
    const file = fileOf(name)
    if (existsSync(file)) throw new CliError(`There is an installation ${name} already: ${file}.`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    console.log(`Wrote ${file}: commit it. Next, its database, secrets and migrations:
  ${setupCommand(name)}
which prints how to add an administrator and to deploy.`)
  })

/** The part of the data of `/health` that is shown. */
interface Health {
  version: string
  database_bytes: number
  warning: string | null
  oldest_unsealed_age_seconds: number | null
}

const askHealth = async (installation: Installation): Promise<Health> => {
  const host = hostOf(installation)
  if (host === undefined) throw new CliError('version unknown: no route to ask')
  const response = await fetch(`https://${host}/health`, {
    signal: AbortSignal.timeout(HEALTH_MS),
  }).catch(() => undefined)
  if (!response?.ok) {
    throw new CliError(`${host} ${response ? `responds ${response.status}` : 'does not respond'}`)
  }
  const { data } = (await response.json()) as { data?: Health }
  if (!data?.database_bytes) throw new CliError(`${host} is not this service`)
  return data
}

const textOfHealth = ({ version, database_bytes }: Health): string =>
  `version ${version}, database ${(database_bytes / 1_000_000).toFixed(1)} MB`

/** Describes the age of a folder's newest backup. A backup that was encrypted later also counts. */
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

/** Reads an installation's state. A value that cannot be read is null, and `problems` says why. */
const readState = async (name: string, backups: string) => {
  const problems: string[] = []
  const attempt = async <T>(work: () => T | Promise<T>): Promise<T | null> => {
    try {
      return await work()
    } catch (error) {
      problems.push(messageOf(error).replaceAll(/\s+/g, ' ').slice(0, PROBLEM_MAX))
      return null
    }
  }
  const file = await attempt(() => readInstallation(name))
  const health = file && (await attempt(() => askHealth(file)))
  if (health?.warning) problems.push(health.warning)
  if ((health?.oldest_unsealed_age_seconds ?? 0) > UNSEALED_SECONDS_MAX) problems.push('not sealed')
  const hasDatabase = Boolean(file?.database_id)
  const pending = hasDatabase ? await attempt(() => countPendingMigrations(name)) : null
  if (pending) problems.push(`${pending} migrations pending`)
  const replicated = hasDatabase ? await attempt(() => isReplicated(name)) : null
  if (file?.database_id === '') problems.push('no database yet')
  return {
    installation: name,
    address: (file && hostOf(file)) ?? null,
    health,
    migrations_pending: pending,
    read_replicas: replicated,
    backup: backupAge(name, backups),
    problems,
  }
}

const lineOf = (state: Awaited<ReturnType<typeof readState>>): string => {
  const { installation, health, migrations_pending, read_replicas, backup, problems } = state
  const states = [
    ...(health ? [textOfHealth(health)] : []),
    ...(migrations_pending === 0 ? ['0 migrations pending'] : []),
    ...problems,
    ...(read_replicas === null ? [] : [`read replicas ${read_replicas ? 'on' : 'off'}`]),
  ]
  return `${installation}: ${[...states, backup].join(' · ')}`
}

const list = new Command('list')
  .description(
    'list what is deployed, migrations, read replicas, newest backup; 1 unless all are well',
  )
  .option('--backups <folder>', 'where npm run backup writes', 'backups')
  .option('--json', 'print one JSON document')
  .action(async ({ backups, json }) => {
    const names = installationNames()
    if (names.length === 0 && !json) console.log(knownInstallations())
    const states = []
    for (const name of names) {
      const state = await readState(name, backups)
      states.push(state)
      if (!json) console.log(lineOf(state))
    }
    if (json) console.log(JSON.stringify(states, null, 2))
    const areWell = names.length > 0 && states.every(({ problems }) => problems.length === 0)
    process.exitCode = areWell ? 0 : 1
  })

export const program = commandGroup('installation', 'the installations of this checkout', [
  add,
  list,
])
if (import.meta.main) await runCli(program)
