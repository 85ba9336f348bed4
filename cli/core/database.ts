import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { D1 } from '../../src/core/db/query.ts'
import { configuredDatabase, setupCommand } from './installation-file.ts'
import { d1Of } from './local-sqlite.ts'
import { checkDeployed, checkLocal, localFile } from './opening-check.ts'
import { CliError } from './run-cli.ts'
import type { Target } from './target.ts'
import { requireSignIn } from './wrangler.ts'

/** Writes a wrangler configuration that contains only the deployed database. */
const remoteConfig = (installation: string): string => {
  const { name, id } = configuredDatabase(installation)
  if (!id) {
    throw new CliError(
      `${installation} has no database yet: run ${setupCommand(installation)} first.`,
    )
  }
  const d1 = { binding: 'DB', database_name: name, database_id: id, remote: true }
  const path = join('.wrangler', `remote-${installation}.json`)
  mkdirSync('.wrangler', { recursive: true })
  writeFileSync(path, JSON.stringify({ name, d1_databases: [d1] }))
  return path
}

/** Opens a deployed database without checking it, works on it, and closes it again. */
export const withDeployed = async (
  installation: string,
  work: (db: D1) => Promise<void>,
): Promise<void> => {
  const configPath = remoteConfig(installation)
  // To stderr, since some commands print a document.
  if (process.stderr.isTTY) console.error(`Opening the database of ${installation} …`)
  requireSignIn()
  // Hides wrangler's notice of missing secrets, which no command needs.
  process.env.WRANGLER_LOG ??= 'error'
  // Only a deployed database needs wrangler, and importing it takes seconds.
  const { getPlatformProxy } = await import('wrangler')
  const { env, dispose } = await getPlatformProxy<Env>({ configPath })
  try {
    await work(env.DB)
  } finally {
    await dispose()
  }
}

/**
 * Checks and opens the command's database, works on it, and closes it again. A local database is
 * opened as a file, which a running service may use at the same time.
 */
export const withDatabase = async (
  target: Target,
  work: (db: D1) => Promise<void>,
): Promise<void> => {
  const { installation } = target
  if (installation !== undefined) {
    return withDeployed(installation, async (db) => {
      await checkDeployed(db, installation)
      await work(db)
    })
  }
  checkLocal(target)
  const file = new DatabaseSync(localFile(target.persistTo))
  try {
    await work(d1Of(file))
  } finally {
    file.close()
  }
}
