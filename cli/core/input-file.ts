import { createReadStream, statSync } from 'node:fs'
import { unzipped } from '../../sdk/evidence/unzip.ts'

/** Whether there is a file at a path. A folder, a pipe or a device is none. */
export const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

/** Returns the bytes of a file, which may be compressed with gzip. */
export const bytesOf = (path: string, grows?: string): AsyncGenerator<Uint8Array> =>
  unzipped(createReadStream(path), statSync(path).size, grows)
