import { closeSync, createReadStream, openSync, readSync, type Stats, statSync } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { linesOf, textOf } from '../../sdk/evidence/lines.ts'
import { UnreadableFile } from '../../sdk/evidence/unreadable.ts'
import { CliError } from '../core/run-cli.ts'

/** Whether a file is compressed with gzip. A download's name does not show that. */
const isZipped = (path: string): boolean => {
  const file = openSync(path, 'r')
  const start = Buffer.alloc(2)
  readSync(file, start)
  closeSync(file)
  return start.equals(Buffer.of(0x1f, 0x8b))
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path)
  const bytes = isZipped(path) ? file.pipe(createGunzip()) : file
  file.on('error', (error) => bytes.destroy(error))
  try {
    yield* bytes
  } catch {
    throw new UnreadableFile(`El archivo ${path} está dañado o no se puede abrir.`)
  }
}

export const requireFile = (path: string): Stats => {
  const file = statSync(path, { throwIfNoEntry: false })
  if (!file?.isFile()) throw new CliError(`No hay un archivo ${path}.`)
  return file
}

/** Returns the lines of a file, which may be compressed. */
export const openLines = (path: string): AsyncGenerator<string> => {
  requireFile(path)
  return linesOf(textOf(bytesOf(path)))
}
