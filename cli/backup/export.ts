import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Target, withBusyRetry } from '../core/database.ts'
import { readConfig } from '../core/installation-file.ts'
import { CliError } from '../core/run-cli.ts'
import { captureWrangler } from '../core/wrangler.ts'

const exportWith = (target: Target, path: string, flags: string[]): Promise<void> =>
  withBusyRetry(async () => {
    const place = target.installation === undefined ? '--local' : '--remote'
    const args = ['d1', 'export', 'DB', place, '--skip-confirmation', '--output', path, ...flags]
    const { ok, out, err } = captureWrangler(args, target.installation)
    if (!ok) throw new CliError(`wrangler could not export the database:\n${err}${out}`)
  })

/** `wrangler d1 export` has no --persist-to: it reads the state beside the configuration. */
const exportFolder = (target: Target, path: string, folder: string, scratch: string) => {
  const { d1_databases } = readConfig()
  const config = join(scratch, 'wrangler.json')
  writeFileSync(config, JSON.stringify({ name: 'checada', d1_databases }))
  mkdirSync(join(scratch, '.wrangler'))
  symlinkSync(resolve(folder), join(scratch, '.wrangler', 'state'))
  return exportWith(target, path, ['--config', config])
}

/** Writes a database as SQL, as it is at one moment; D1 is unavailable while it runs. */
export const exportDatabase = (target: Target, path: string, scratch: string): Promise<void> =>
  target.persistTo
    ? exportFolder(target, path, target.persistTo, scratch)
    : exportWith(target, path, [])
