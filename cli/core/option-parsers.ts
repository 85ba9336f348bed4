import { InvalidArgumentError } from 'commander'

/** Parses a number whose text must match a pattern. */
export const numberLike = (pattern: RegExp, message: string) => (text: string) => {
  if (!pattern.test(text)) throw new InvalidArgumentError(message)
  return Number(text)
}

/** Parses a text that may not be blank, of an option that may not be repeated. */
export const once = (value: string, previous?: string): string => {
  if (value.trim() === '') throw new InvalidArgumentError('It is blank.')
  if (previous !== undefined) throw new InvalidArgumentError(`${previous} was given already.`)
  return value
}

/** Collects the values of an option that may be repeated. */
export const collect = (value: string, values: string[] = []): string[] => [...values, value]

/** Collects the values of an option that may be repeated. A pattern captures a key and a value. */
export const collectPairs =
  (pattern: RegExp, message: string) =>
  (text: string, pairs: Record<string, string> = {}) => {
    const [, key, value] = pattern.exec(text) ?? []
    if (key === undefined || value === undefined) throw new InvalidArgumentError(message)
    return { ...pairs, [key]: value }
  }
