import { readFileSync, type Stats, statSync } from 'node:fs'
import { linesOf, textOf } from '../../sdk/evidence/lines.ts'
import { UnreadableFile } from '../../sdk/evidence/unreadable.ts'
import { bytesOf } from '../core/input-file.ts'
import { CliError } from '../core/run-cli.ts'

const unreadable = (path: string) =>
  new UnreadableFile(`El archivo ${path} está dañado o no se puede abrir.`)

async function* readBytes(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* bytesOf(path)
  } catch (error) {
    throw error instanceof UnreadableFile ? error : unreadable(path)
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
  return linesOf(textOf(readBytes(path)))
}
