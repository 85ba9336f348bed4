import { type Command, InvalidArgumentError } from 'commander'
import { SettingsFields } from '../../src/core/http/settings.ts'

export const numberLike = (pattern: RegExp, message: string) => (text: string) => {
  if (!pattern.test(text)) throw new InvalidArgumentError(message)
  return Number(text)
}

export const notBlank = (value: string): string => {
  if (value.trim() === '') throw new InvalidArgumentError('It is blank.')
  return value
}

export const collectValues = (value: string, values: string[] = []): string[] => [...values, value]

const collectors = new Set<unknown>([collectValues])

/**
 * Makes a parser that collects pairs from an option that may be repeated. The pattern captures a
 * key and a value. If `known` is given, other keys are refused.
 */
export const collectPairs = (pattern: RegExp, message: string, known?: readonly string[]) => {
  const collectPair = (text: string, pairs: Record<string, string> = {}) => {
    const [, key, value] = pattern.exec(text) ?? []
    if (key === undefined || value === undefined) throw new InvalidArgumentError(message)
    if (known && !known.includes(key)) {
      throw new InvalidArgumentError(`${key} is unknown. Known: ${known.join(', ')}.`)
    }
    if (Object.hasOwn(pairs, key)) throw new InvalidArgumentError(`${key} was given already.`)
    return { ...pairs, [key]: value }
  }
  collectors.add(collectPair)
  return collectPair
}

/** Collects variables of the local service, as `wrangler dev --var` takes them. */
export const collectVariable = collectPairs(
  /^(\w+):(.*)$/s,
  'Not NAME:VALUE.',
  Object.keys(SettingsFields.shape),
)

/** Fails if an option with a single value is given twice, since only the last value would count. */
export const rejectRepeatedOptions = (command: Command): void => {
  for (const { long, required, parseArg } of command.options) {
    if (!required || collectors.has(parseArg)) continue
    const given = process.argv.filter((arg) => arg === long || arg.startsWith(`${long}=`))
    if (given.length > 1) command.error(`error: option ${long} was given ${given.length} times`)
  }
}
