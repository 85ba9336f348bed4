import { DatabaseSync } from 'node:sqlite'
import { applyMigration, CREATE_MIGRATIONS } from '../core/local-database.ts'
import { projectMigrations, requireNoLaterMigrations } from '../core/opening-check.ts'
import { CliError } from '../core/run-cli.ts'
import { compareSchemas } from './compare.ts'
import { MIGRATIONS_TABLE, type SchemaEntry, schemaOf } from './schema.ts'

/**
 * Builds the schema of the first migrations of the project.
 * @param applied the names of the migrations, in their order
 * @param what a database or file, for messages
 */
export const schemaAfter = (applied: readonly string[], what: string): SchemaEntry[] => {
  requireNoLaterMigrations(applied, what)
  const known = projectMigrations().slice(0, applied.length)
  if (known.join() !== applied.join()) {
    throw new CliError(`${what} has the migrations ${applied.join(', ')}, as no version has them.`)
  }
  const db = new DatabaseSync(':memory:')
  try {
    db.exec(CREATE_MIGRATIONS)
    for (const name of applied) applyMigration(db, name)
    return schemaOf(db)
  } finally {
    db.close()
  }
}

/** Lists how a schema differs from the one of its migrations. Wrangler too makes their table. */
export const compareWithMigrations = (
  expected: readonly SchemaEntry[],
  found: readonly SchemaEntry[],
): string[] => {
  const isOurs = ({ name }: SchemaEntry) => name !== MIGRATIONS_TABLE
  return compareSchemas(expected.filter(isOurs), found.filter(isOurs))
}
