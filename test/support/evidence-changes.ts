import fc from 'fast-check'
import { linesOf, textOf } from '../../sdk/evidence/lines.ts'
import { verdictOf } from '../../sdk/evidence/report.ts'
import { UnreadableFile } from '../../sdk/evidence/unreadable.ts'
import { verifyEvidence } from '../../sdk/evidence/verify.ts'
import { bytesOf, equal } from '../../src/core/values/bytes.ts'
import {
  fileText,
  LATER_LEAVES,
  LATER_SEAL_COUNTS,
  personFile,
  SOME_LEAVES,
  SOME_SEAL_SIZES,
  VERIFIER_KEY,
  wholeFile,
} from './evidence-files.ts'

/** Random changes of a valid evidence file, and the parts that may change without a fault. */

type Change = (text: string) => string | Uint8Array

const pick = <T>(all: readonly T[], place: number): T | undefined =>
  all[Math.floor(place * all.length)]

/**
 * A relative position, at least 0 and below 1. Generated doubles would nearly all be close to 0.
 */
const aPlace = fc.noBias(fc.nat(999_999)).map((n) => n / 1_000_000)

const inOne = (pattern: RegExp, place: number, replace: (match: string) => string): Change => {
  return (text) => {
    const match = pick([...text.matchAll(pattern)], place)
    if (!match) return text
    const end = match.index + match[0].length
    return text.slice(0, match.index) + replace(match[0]) + text.slice(end)
  }
}

const aByte: fc.Arbitrary<Change> = fc
  .tuple(aPlace, fc.constantFrom('flip', 'set', 'insert', 'remove'), fc.nat(7), fc.nat(255))
  .map(([place, what, bit, value]) => (text) => {
    const bytes = [...bytesOf(text)]
    const at = Math.floor(place * bytes.length)
    const byte = bytes[at] ?? 0
    if (what === 'flip') bytes[at] = byte ^ (1 << bit)
    else if (what === 'set') bytes[at] = value
    else if (what === 'insert') bytes.splice(at, 0, value)
    else bytes.splice(at, 1)
    return Uint8Array.from(bytes)
  })

const aLetter: fc.Arbitrary<Change> = aPlace.map((place) =>
  inOne(/\p{L}/gu, place, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  ),
)

const aNumber: fc.Arbitrary<Change> = fc
  .tuple(
    aPlace,
    fc.constantFrom(
      (n: string) => `${n}.0`,
      (n: string) => `${n}e0`,
      (n: string) => `${n}E+0`,
      (n: string) => `0${n}`,
      (n: string) => `-${n}`,
      (n: string) => `${n}.5`,
      (n: string) => `"${n}"`,
      (n: string) => `[${n}]`,
      (n: string) => `${Number(n) + 1}`,
      (n: string) => `${Number(n) - 1}`,
      () => '9007199254740993',
      () => 'null',
    ),
  )
  .map(([place, form]) => inOne(/(?<=":)\d+/g, place, form))

/** Replaces a letter or digit with one of the same kind, so that the syntax stays valid. */
const aCharacter: fc.Arbitrary<Change> = fc
  .tuple(
    aPlace,
    aPlace,
    fc.constantFrom<[RegExp, string]>(
      [/[0-9]/g, '0123456789'],
      [/[0-9a-f](?=[0-9a-f]{9})/g, '0123456789abcdef'],
      [/[A-Za-z0-9+/](?=[A-Za-z0-9+/]{9})/g, 'ABCxyz059+/'],
      [/[a-z]/g, 'abcdefghijklmnopqrstuvwxyz'],
    ),
  )
  .map(([place, other, [pattern, letters]]) =>
    inOne(pattern, place, () => pick([...letters], other) ?? ''),
  )

const aSpelling: fc.Arbitrary<Change> = fc
  .tuple(
    aPlace,
    fc.constantFrom<[RegExp, (match: string) => string]>(
      [/[{,:[]/g, (mark) => `${mark} `],
      [/\n/g, () => '\r\n'],
      [/\n/g, () => '\n\n'],
      [/\n/g, () => ' '],
      [/[A-Za-z]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`],
      [/"[a-z_]+":/g, (name) => `${name}null,${name}`],
      [/\\"[a-z_]+\\":/g, (name) => `${name}null,${name}`],
      [/\//g, () => '\\/'],
      [/=/g, () => ''],
    ),
  )
  .map(([place, [pattern, replace]]) => inOne(pattern, place, replace))

const aLine: fc.Arbitrary<Change> = fc
  .tuple(aPlace, aPlace, fc.constantFrom('remove', 'double', 'swap', 'move', 'add'))
  .map(([from, to, what]) => (text) => {
    const lines = text.trimEnd().split('\n')
    const [i, j] = [Math.floor(from * lines.length), Math.floor(to * lines.length)]
    const [one = '', other = ''] = [lines[i], lines[j]]
    if (what === 'remove') lines.splice(i, 1)
    else if (what === 'double') lines.splice(j, 0, one)
    else if (what === 'swap') [lines[i], lines[j]] = [other, one]
    else if (what === 'move') lines.splice(j, 0, ...lines.splice(i, 1))
    else lines.splice(j, 0, pick(['{}', 'null', '[]', '1', '""', '{"end":null}'], from) ?? '')
    return `${lines.join('\n')}\n`
  })

const aValue = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', 0, 1, 1.5, -1, [], {}, { x: null }, [null], 'x', [[]]),
  fc.constantFrom<unknown>('2026-11-02T15:00:00.000Z', '2026-11-02', '0'.repeat(64), 'approved'),
  fc.string({ maxLength: 5 }),
)

type Fields = Record<string, unknown>

/** Changes the value, name or position of an object's field, or removes or adds a field. */
const aFieldChange: fc.Arbitrary<(fields: Fields) => Fields> = fc
  .tuple(aPlace, fc.constantFrom('set', 'set', 'set', 'remove', 'rename', 'move', 'add'), aValue)
  .map(([place, what, value]) => (fields) => {
    const entries = Object.entries(fields)
    const at = Math.floor(place * entries.length)
    const [name = 'x', old] = entries[at] ?? []
    if (what === 'set') entries[at] = [name, value]
    else if (what === 'remove') entries.splice(at, 1)
    else if (what === 'rename') entries[at] = [name.toUpperCase(), old]
    else if (what === 'move') entries.push(...entries.splice(at, 1))
    else entries.splice(at, 0, ['other', value])
    return Object.fromEntries(entries)
  })

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Changes a field of a line, of an object in the line, or of the line's sealed event. */
const aField: fc.Arbitrary<Change> = fc
  .tuple(aPlace, aPlace, fc.boolean(), aFieldChange)
  .map(([place, inner, isDeep, change]) => (text) => {
    const lines = text.trimEnd().split('\n')
    const at = Math.floor(place * lines.length)
    const line = JSON.parse(lines[at] ?? '') as Fields
    const objects = Object.entries(line).filter(([, value]) => isFields(value))
    const [name, nested] = pick(objects, inner) ?? []
    if (isDeep && name !== undefined) line[name] = change(nested as Fields)
    else if (isDeep && typeof line.entry === 'string') {
      line.entry = JSON.stringify(change(JSON.parse(line.entry)))
    }
    lines[at] = JSON.stringify(isDeep ? line : change(line))
    return `${lines.join('\n')}\n`
  })

/** Copies the value of a field to the same field of another line. */
const aCopy: fc.Arbitrary<Change> = fc
  .tuple(aPlace, aPlace, aPlace)
  .map(([from, to, field]) => (text) => {
    const lines = text.trimEnd().split('\n')
    const at = Math.floor(to * lines.length)
    const source = JSON.parse(pick(lines, from) ?? '') as Fields
    const target = JSON.parse(lines[at] ?? '') as Fields
    const shared = Object.keys(source).filter((each) => each in target)
    const name = pick(shared, field)
    if (name === undefined) return text
    lines[at] = JSON.stringify({ ...target, [name]: source[name] })
    return `${lines.join('\n')}\n`
  })

const aChange = fc.oneof(
  aByte,
  aLetter,
  aCharacter,
  aCharacter,
  aCharacter,
  aNumber,
  aSpelling,
  aLine,
  aField,
  aCopy,
)

/**
 * The parts that may change without a fault, because they are not signed. Each part has a name, a
 * pattern that finds it, and the text that hides it when two files are compared.
 */
const MAY_CHANGE: [what: string, where: RegExp, same: string][] = [
  ['the moment of the export', /"exported_at":"[^"]*"/, '"exported_at":""'],
  ['the date of a seal, between those of its neighbors', /("seal":\d+,"at":)"[^"]*"/g, '$1""'],
  ['the list of named actors', /"actors":\{("[^"]*":\{[^}]*\},?)*\}/, '"actors":{}'],
  [
    'the number of events of a seal in a person’s file, if the seal before it is not in the file',
    /("seal":4,"at":"[^"]*","checkpoint":"[^"]*","count":)\d+/,
    '$1',
  ],
  ['the last line feed', /\n$/, ''],
]

const mask = (text: string): string =>
  MAY_CHANGE.reduce((masked, [, where, same]) => masked.replace(where, same), text)

/** The lines of a text that the other text does not have. */
const differing = (text: string, other: string): string =>
  text
    .split('\n')
    .filter((line) => !other.split('\n').includes(line))
    .join('\n')

const verdictOfBytes = async (bytes: Uint8Array, keys: readonly string[]): Promise<string> => {
  try {
    return verdictOf(await verifyEvidence(linesOf(textOf(new Blob([bytes]).stream())), { keys }))
  } catch (error) {
    if (error instanceof UnreadableFile) return 'unreadable'
    throw error
  }
}

/** The changed lines of a file that was accepted, except for the parts that may change. */
const findUnnoticed = (verdict: string, bytes: Uint8Array, text: string): string => {
  if (verdict === 'faulty' || verdict === 'unreadable') return ''
  const read = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  return mask(read) === mask(text) ? '' : differing(read, text)
}

/** Whole files and files of a person. The `later…` files have events of every kind. */
export const goodFiles = async () => ({
  whole: fileText(await wholeFile(SOME_LEAVES, SOME_SEAL_SIZES)),
  person: fileText(await personFile(SOME_LEAVES, SOME_SEAL_SIZES)),
  laterWhole: fileText(await wholeFile(LATER_LEAVES, LATER_SEAL_COUNTS)),
  laterPerson: fileText(await personFile(LATER_LEAVES, LATER_SEAL_COUNTS)),
})

/** Verifies changed files and counts the verdicts. Throws if a change goes unnoticed. */
export const verifyChangedFiles = async (numRuns: number, seed: number) => {
  const files = await goodFiles()
  const verdicts: Record<string, number> = {}
  const aKind = fc.constantFrom(...(Object.keys(files) as (keyof typeof files)[]))
  const areKeysGiven = fc.boolean()
  await fc.assert(
    fc.asyncProperty(aKind, areKeysGiven, aChange, async (kind, withKeys, change) => {
      const text = files[kind]
      const changed = change(text)
      const bytes = typeof changed === 'string' ? bytesOf(changed) : changed
      fc.pre(!equal(bytes, bytesOf(text)))
      const verdict = await verdictOfBytes(bytes, withKeys ? [VERIFIER_KEY] : [])
      verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
      const unnoticed = findUnnoticed(verdict, bytes, text)
      if (unnoticed) throw new Error(`${kind}, ${verdict}: ${unnoticed}`)
    }),
    { numRuns, seed, endOnFailure: true },
  )
  return verdicts
}

/** Flips a bit in every `step`-th byte of two files. Returns the flips that go unnoticed. */
export const findUnnoticedFlips = async (step: number): Promise<string[]> => {
  const { whole, person } = await goodFiles()
  const found: string[] = []
  for (const text of [whole, person]) {
    const bytes = bytesOf(text)
    for (let i = 0; i < bytes.length; i += step) {
      const flipped = bytes.with(i, (bytes[i] ?? 0) ^ 1)
      const unnoticed = findUnnoticed(await verdictOfBytes(flipped, []), flipped, text)
      if (unnoticed) found.push(unnoticed)
    }
  }
  return found
}
