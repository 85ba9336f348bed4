import type { D1 } from '../../src/core/db/query.ts'
import { CliError } from '../core/run-cli.ts'
import { importInto } from './run.ts'

/** Writes through the import, so that every rule of the import file holds for a command too. */
export const importOrFail = async (db: D1, content: unknown): Promise<void> => {
  const result = await importInto(db, content)
  if ('errors' in result) {
    throw new CliError(
      result.errors.map((error) => error.replace(/^\w+\[0\](?: \(.*?\))?\./, '')).join('\n'),
    )
  }
}
