import { createReadStream, existsSync } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { linesOf, textOf } from '../../sdk/evidence/lines.ts'
import { CliError } from '../run-cli.ts'

/** The lines of a file, compressed with gzip if its name ends in .gz. */
export const openLines = (path: string): AsyncGenerator<string> => {
  if (!existsSync(path)) throw new CliError(`No hay un archivo ${path}.`)
  const file = createReadStream(path)
  if (!path.endsWith('.gz')) return linesOf(textOf(file))
  const bytes = createGunzip()
  file.on('error', (error) => bytes.destroy(error))
  return linesOf(textOf(file.pipe(bytes)))
}
