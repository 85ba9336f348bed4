import type { D1 } from '../../src/core/db/query.ts'
import { CliError } from '../core/run-cli.ts'
import { importInto } from './run.ts'

/** Writes rows with the import, so that a command follows the same rules as an import file. */
export const importOrFail = async (db: D1, content: unknown): Promise<void> => {
  const result = await importInto(db, content)
  if ('errors' in result) {
    throw new CliError(
      result.errors.map((error) => error.replace(/^\w+\[0\](?: \(.*?\))?\./, '')).join('\n'),
    )
  }
  for (const warning of result.warnings) console.error(`Look at ${warning}.`)
}
