import { constants, isUtf8 } from 'node:buffer'
import { type ParseError, parse, visit } from 'jsonc-parser'
import { CliError } from '../core/run-cli.ts'

/** Returns the number of the first line that is not UTF-8. */
const badLine = (bytes: Uint8Array): number => {
  let start = 0
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(0x0a, start)
    const last = end === -1
    if (!isUtf8(bytes.subarray(start, last ? bytes.length : end)) || last) return line
    start = end + 1
  }
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** Fails if an object has the same key twice: JSON.parse would silently keep the last value. */
const rejectRepeatedKeys = (text: string): void => {
  const objects: Set<string>[] = []
  visit(text, {
    onObjectBegin: () => void objects.push(new Set()),
    onObjectProperty: (name, offset) => {
      const names = objects.at(-1)
      if (names?.has(name)) {
        throw new CliError(`An object has the same key twice (line ${lineOf(text, offset)}).`)
      }
      names?.add(name)
    },
    onObjectEnd: () => void objects.pop(),
  })
}

/** Returns the number of the line with the first syntax error. */
const malformedLine = (text: string): number => {
  const errors: ParseError[] = []
  parse(text, errors, { disallowComments: true })
  return lineOf(text, errors[0]?.offset ?? text.length)
}

/** Parses JSON in UTF-8. Errors state the line, but never quote a value of the file. */
export const parseJson = (bytes: Uint8Array): unknown => {
  if (bytes.length > constants.MAX_STRING_LENGTH) {
    throw new CliError('The file is larger than 512 MB: import it in parts, its logs last.')
  }
  if (!isUtf8(bytes)) {
    throw new CliError(`The file is not in UTF-8 (line ${badLine(bytes)}). Save it as UTF-8.`)
  }
  // The decoder drops the byte order mark that some editors write.
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') throw new CliError('The file is blank.')
  try {
    const content: unknown = JSON.parse(text)
    rejectRepeatedKeys(text)
    return content
  } catch (error) {
    if (error instanceof CliError) throw error
    // The parser's message quotes the file, so only the position is safe to print.
    throw new CliError(`The file is not valid JSON (line ${malformedLine(text)}).`)
  }
}
