import { withBusyRetry } from '../core/database.ts'
import { CliError } from '../core/run-cli.ts'
import { captureWrangler } from '../core/wrangler.ts'

/** Writes a snapshot of a deployed database as SQL. D1 is unavailable during the export. */
export const exportDatabase = (installation: string, path: string): Promise<void> => {
  const args = ['d1', 'export', 'DB', '--remote', '--skip-confirmation', '--output', path]
  return withBusyRetry(async () => {
    const { ok, out, err } = captureWrangler(args, installation)
    if (!ok) throw new CliError(`wrangler could not export the database:\n${err}${out}`)
  })
}
