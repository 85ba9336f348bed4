import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Target, withBusyRetry } from '../core/database.ts'
import { readConfig } from '../core/installation-file.ts'
import { CliError } from '../core/run-cli.ts'
import { captureWrangler } from '../core/wrangler.ts'

/**
 * Writes a configuration for another folder of local state. `wrangler d1 export` has no
 * `--persist-to`; it only reads the state beside its configuration.
 */
const configBeside = (state: string, scratch: string): string => {
  const { d1_databases } = readConfig()
  const config = join(scratch, 'wrangler.json')
  writeFileSync(config, JSON.stringify({ name: 'checada', d1_databases }))
  mkdirSync(join(scratch, '.wrangler'))
  symlinkSync(resolve(state), join(scratch, '.wrangler', 'state'))
  return config
}

/** Writes a snapshot of a database as SQL. D1 is unavailable during the export. */
export const exportDatabase = (target: Target, path: string, scratch: string): Promise<void> => {
  const { installation, persistTo } = target
  const place = installation === undefined ? '--local' : '--remote'
  const flags = persistTo ? ['--config', configBeside(persistTo, scratch)] : []
  const args = ['d1', 'export', 'DB', place, '--skip-confirmation', '--output', path, ...flags]
  return withBusyRetry(async () => {
    const { ok, out, err } = captureWrangler(args, installation)
    if (!ok) throw new CliError(`wrangler could not export the database:\n${err}${out}`)
  })
}
