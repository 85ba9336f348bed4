import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { CliError } from './run-cli.ts'

export const requireNoFile = (path: string): void => {
  if (existsSync(path)) throw new CliError(`There is a file at ${path} already.`)
}

/**
 * Writes a new file. If that fails, no file is left. Only the owner can read the file, which
 * contains personal data.
 */
export const writeNewFile = async (
  path: string,
  chunks: AsyncIterable<string>,
  { zip = false } = {},
): Promise<void> => {
  const unfinished = `${path}.unfinished`
  try {
    const file = createWriteStream(unfinished, { mode: 0o600 })
    await pipeline([Readable.from(chunks), ...(zip ? [createGzip()] : []), file])
    renameSync(unfinished, path)
  } finally {
    rmSync(unfinished, { force: true })
  }
}
