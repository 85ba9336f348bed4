import { InvalidArgumentError } from 'commander'

/** Parses a number that is written as a pattern says. */
export const numberLike = (pattern: RegExp, message: string) => (text: string) => {
  if (!pattern.test(text)) throw new InvalidArgumentError(message)
  return Number(text)
}

/** Collects the values of an option that may be repeated. */
export const collect = (value: string, values: string[] = []): string[] => [...values, value]

/** Collects the pairs of an option that may be repeated; a pattern captures key and value. */
export const collectPairs =
  (pattern: RegExp, message: string) =>
  (text: string, pairs: Record<string, string> = {}) => {
    const [, key, value] = pattern.exec(text) ?? []
    if (key === undefined || value === undefined) throw new InvalidArgumentError(message)
    return { ...pairs, [key]: value }
  }
