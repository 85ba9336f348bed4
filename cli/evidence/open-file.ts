import {
  closeSync,
  createReadStream,
  openSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs'
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

const unreadable = (path: string) =>
  new UnreadableFile(`El archivo ${path} está dañado o no se puede abrir.`)

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    const unzip = isZipped(path) ? createGunzip() : undefined
    const file = createReadStream(path)
    const bytes = unzip ? file.pipe(unzip) : file
    file.on('error', (error) => bytes.destroy(error))
    yield* bytes
  } catch {
    throw unreadable(path)
  }
}

/** Reads a file or its status. The file is unreadable if that fails. */
const tryToRead = <T>(path: string, read: () => T): T => {
  try {
    return read()
  } catch {
    throw unreadable(path)
  }
}

export const requireFile = (path: string): Stats => {
  const file = tryToRead(path, () => statSync(path, { throwIfNoEntry: false }))
  if (!file?.isFile()) throw new CliError(`No hay un archivo ${path}.`)
  return file
}

export const readText = (path: string): string => tryToRead(path, () => readFileSync(path, 'utf8'))

/** Returns the lines of a file, which may be compressed. */
export const openLines = (path: string): AsyncGenerator<string> => {
  requireFile(path)
  return linesOf(textOf(bytesOf(path)))
}
