import { constants, isUtf8 } from 'node:buffer'
import { visit } from 'jsonc-parser'
import { CliError } from '../core/run-cli.ts'

/** Returns the number of the first line that is not UTF-8. */
const badLine = (bytes: Buffer): number =>
  bytes
    .toString('latin1')
    .split('\n')
    .findIndex((line) => !isUtf8(Buffer.from(line, 'latin1'))) + 1

/** An import file has lists of flat objects. Without a limit, the parser's stack would overflow. */
const DEPTH_MAX = 50

/**
 * Fails at the first syntax error. Also fails if an object has the same key twice, since JSON.parse
 * would silently keep the last value. The errors name a line, but do not quote the file.
 */
const requireValid = (text: string): void => {
  const placeOf = (offset: number) => `(line ${text.slice(0, offset).split('\n').length}).`
  const objects: Set<string>[] = []
  let depth = 0
  const enter = (offset: number) => {
    if (++depth > DEPTH_MAX) throw new CliError(`The file nests too deeply ${placeOf(offset)}`)
  }
  visit(
    text,
    {
      onError: (_, offset) => {
        throw new CliError(`The file is not valid JSON ${placeOf(offset)}`)
      },
      onObjectBegin: (offset) => {
        enter(offset)
        objects.push(new Set())
      },
      onArrayBegin: enter,
      onArrayEnd: () => void depth--,
      onObjectProperty: (name, offset) => {
        const names = objects.at(-1)
        if (names?.has(name)) {
          throw new CliError(`An object has the same key twice ${placeOf(offset)}`)
        }
        names?.add(name)
      },
      onObjectEnd: () => {
        depth--
        objects.pop()
      },
    },
    { disallowComments: true },
  )
}

/** A file with the largest size can still be one text. */
export const FILE_BYTES_MAX = constants.MAX_STRING_LENGTH
export const FILE_TOO_LARGE = 'The file is larger than 512 MB: import it in parts, its logs last.'

/** The first bytes of gzip and of ZIP, as in a workbook. */
const COMPRESSED = ['\x1f\x8b', 'PK\x03\x04']

/** The byte order marks of UTF-16. */
const UTF_16 = ['\xff\xfe', '\xfe\xff']

/** Parses JSON in UTF-8. Errors never quote a value of the file. */
export const parseJson = (bytes: Buffer): unknown => {
  if (bytes.length > FILE_BYTES_MAX) throw new CliError(FILE_TOO_LARGE)
  const start = bytes.toString('latin1', 0, 4)
  const isOneOf = (marks: readonly string[]) => marks.some((mark) => start.startsWith(mark))
  if (isOneOf(COMPRESSED)) throw new CliError('The file is compressed. Unpack it.')
  if (isOneOf(UTF_16)) throw new CliError('The file is in UTF-16. Save it as UTF-8.')
  if (!isUtf8(bytes)) {
    throw new CliError(`The file is not in UTF-8 (line ${badLine(bytes)}). Save it as UTF-8.`)
  }
  // The decoder drops the byte order mark that some editors write.
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') throw new CliError('The file is blank.')
  requireValid(text)
  return JSON.parse(text)
}
