import type { D1 } from '../../src/core/db/query.ts'
import { CliError } from '../core/run-cli.ts'
import { importInto } from './run.ts'

/** A command has one row and no file, so the place in the file, such as `clients[0].`, is left out. */
const withoutPlace = (text: string): string => text.replace(/^\w+\[0\](?: \(.*?\))?\./, '')

/** Writes rows with the import, so that a command follows the same rules as an import file. */
export const importOrFail = async (db: D1, content: unknown): Promise<void> => {
  const result = await importInto(db, content)
  if ('errors' in result) throw new CliError(result.errors.map(withoutPlace).join('\n'))
  for (const warning of result.warnings) console.error(`Look at ${withoutPlace(warning)}.`)
}
