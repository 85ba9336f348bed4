import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Makes a temporary folder, which wrangler also uses for its temporary files. When this process
 * ends or is interrupted, the folder and the given unfinished files are deleted.
 */
export const makeScratch = (...unfinished: string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'checada-'))
  process.env.TMPDIR = folder
  process.on('exit', () => {
    for (const path of [folder, ...unfinished]) rmSync(path, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]))
  }
  return folder
}
