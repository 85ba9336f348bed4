import { closeSync, createReadStream, existsSync, openSync, readSync } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { linesOf, textOf } from '../../sdk/evidence/lines.ts'
import { CliError } from '../run-cli.ts'

/** Whether a file is compressed with gzip: a download may be, whatever its name. */
const isZipped = (path: string): boolean => {
  const file = openSync(path, 'r')
  const start = Buffer.alloc(2)
  readSync(file, start)
  closeSync(file)
  return start.equals(Buffer.of(0x1f, 0x8b))
}

/** The lines of a file, compressed or not. */
export const openLines = (path: string): AsyncGenerator<string> => {
  if (!existsSync(path)) throw new CliError(`No hay un archivo ${path}.`)
  const file = createReadStream(path)
  if (!isZipped(path)) return linesOf(textOf(file))
  const bytes = createGunzip()
  file.on('error', (error) => bytes.destroy(error))
  return linesOf(textOf(file.pipe(bytes)))
}
