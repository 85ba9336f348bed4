import { visit } from 'jsonc-parser'
import { CliError } from '../run-cli.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    utf8.decode(bytes)
    return true
  } catch {
    return false
  }
}

/** The number of the first line that is not UTF-8. */
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

/** Fails where an object has a key twice: JSON.parse would silently keep the last one. */
const rejectRepeatedKeys = (text: string): void => {
  const objects: Set<string>[] = []
  visit(text, {
    onObjectBegin: () => {
      objects.push(new Set())
    },
    onObjectProperty: (name, offset) => {
      const names = objects.at(-1)
      if (names?.has(name)) {
        throw new CliError(`An object has the same key twice (line ${lineOf(text, offset)}).`)
      }
      names?.add(name)
    },
    onObjectEnd: () => {
      objects.pop()
    },
  })
}

/** Parses JSON in UTF-8. Errors name the line, never a value of the file. */
export const parseJson = (bytes: Uint8Array): unknown => {
  if (!isUtf8(bytes)) {
    throw new CliError(`The file is not in UTF-8 (line ${badLine(bytes)}). Save it as UTF-8.`)
  }
  const text = utf8.decode(bytes)
  try {
    const content: unknown = JSON.parse(text)
    rejectRepeatedKeys(text)
    return content
  } catch (error) {
    if (error instanceof CliError) throw error
    // The parser's message quotes the file: only the position is safe to print.
    const position = /position (\d+)/.exec(String(error))?.[1]
    const place = position ? ` (line ${lineOf(text, Number(position))})` : ''
    throw new CliError(`The file is not valid JSON${place}.`)
  }
}
