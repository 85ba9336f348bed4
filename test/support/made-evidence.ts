import { gzipSync } from 'node:zlib'
import {
  type FileLine,
  fileText,
  LATER_LEAVES,
  LATER_SEAL_COUNTS,
  personFile,
  SOME_LEAVES,
  SOME_SEAL_SIZES,
  wholeFile,
} from './evidence-files.ts'
import { createRandom } from './random.ts'

/** Files of evidence to which something was done, and the verdict that this has by its nature. */

/** The verdicts, as the page and the command begin them. */
export const TITLES = {
  sound: /^Íntegro$/,
  partial: /^Íntegro hasta el sello/,
  unsealed: /^Sin sellos/,
  faulty: /^Con fallas$/,
  unreadable: /^No se puede leer$/,
}
export type Expected = keyof typeof TITLES

export interface MadeFile {
  kind: string
  bytes: Uint8Array
  expected: Expected
}

const SOURCES = [
  await wholeFile(SOME_LEAVES, SOME_SEAL_SIZES),
  await wholeFile(LATER_LEAVES, LATER_SEAL_COUNTS),
  await personFile(SOME_LEAVES, SOME_SEAL_SIZES),
  await personFile(LATER_LEAVES, LATER_SEAL_COUNTS),
]
const PARTIAL = await wholeFile(SOME_LEAVES, [3, 2])
const UNSEALED = await wholeFile(SOME_LEAVES, [])

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Makes the same files from the same seed: `count` of each kind. */
export const makeEvidence = (seed: number): MadeFile[] => {
  const random = createRandom(seed)
  const source = () => random.pick(SOURCES)
  const text = () => fileText(source())
  const linesLike = (lines: readonly FileLine[], name: string): number[] =>
    lines.flatMap((line, i) => (name in line ? [i] : []))
  const without = (name: string, put: (line: FileLine) => FileLine[]) => () => {
    const lines = source()
    const at = random.pick(linesLike(lines, name))
    return utf8(fileText(lines.toSpliced(at, 1, ...put(lines[at] ?? {}))))
  }

  /** Cuts a file anywhere. What is left of a cut line is no JSON. */
  const cut = (): Omit<MadeFile, 'kind'> => {
    const whole = text()
    const end = 1 + random.int(whole.length - 2)
    const left = whole.slice(0, end)
    const isBetweenLines = left.endsWith('\n') || whole[end] === '\n'
    return { bytes: utf8(left), expected: isBetweenLines ? 'faulty' : 'unreadable' }
  }

  /** Swaps two neighbouring events. Each still has the right text and proof. */
  const swap = (): Uint8Array => {
    const lines = source()
    const events = linesLike(lines, 'entry')
    const at = random.pick(events.filter((i) => events.includes(i + 1)))
    const [one = {}, other = {}] = [lines[at], lines[at + 1]]
    return utf8(fileText(lines.toSpliced(at, 2, other, one)))
  }

  const FORGERIES: [RegExp, string][] = [
    [/\\"kind\\":\\"entrada\\"/, '\\"kind\\":\\"salida\\"'],
    [/\\"at\\":\\"2026-11-02T14/, '\\"at\\":\\"2026-11-02T13'],
    [/\\"branch\\":\\"Norte\\"/, '\\"branch\\":\\"Sur\\"'],
    [/\\"before\\":\\"2026-11-02\\"/, '\\"before\\":\\"2026-11-03\\"'],
    [/"comment":"Llegó/, '"comment":"Llegara'],
  ]
  const forge = (): Uint8Array => {
    const [from, to] = random.pick(FORGERIES)
    const all = SOURCES.map(fileText).filter((one) => from.test(one))
    return utf8(random.pick(all).replace(from, () => to))
  }

  const damagedGzip = (): Uint8Array => {
    const bytes = gzipSync(text())
    const at = 12 + random.int(bytes.length - 20)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(8))
    return bytes
  }

  const FOREIGN = [
    '',
    '\n',
    '{}',
    '[]',
    'null\n',
    'log_id,employee_id\n1,E-1\n',
    '{"employees":[]}\n',
    '{"evidence":1}\n',
    '[{"evidence":2}]\n',
    '-- The whole backup: 0 statements.\n',
    '['.repeat(50_000),
    '\u0000\u0001\u0002',
  ]

  const always = (expected: Expected, make: () => Uint8Array) => () => ({ bytes: make(), expected })
  const kinds: [kind: string, count: number, make: () => Omit<MadeFile, 'kind'>][] = [
    ['good', 20, always('sound', () => utf8(text()))],
    ['compressed', 15, always('sound', () => gzipSync(text()))],
    ['without the last line end', 10, always('sound', () => utf8(text().trimEnd()))],
    ['not all sealed', 5, always('partial', () => utf8(fileText(PARTIAL)))],
    ['not sealed', 5, always('unsealed', () => utf8(fileText(UNSEALED)))],
    ['cut anywhere', 50, cut],
    [
      'cut after a line',
      15,
      always('faulty', () => {
        const lines = source()
        return utf8(fileText(lines.slice(0, 1 + random.int(lines.length - 1))))
      }),
    ],
    ['forged', 35, always('faulty', forge)],
    ['with two events in the other order', 20, always('faulty', swap)],
    [
      'with an event twice',
      15,
      always(
        'faulty',
        without('entry', (line) => [line, line]),
      ),
    ],
    [
      'without an event',
      25,
      always(
        'faulty',
        without('entry', () => []),
      ),
    ],
    [
      'with a seal twice',
      10,
      always(
        'unreadable',
        without('seal', (line) => [line, line]),
      ),
    ],
    [
      'with its end twice',
      5,
      always(
        'unreadable',
        without('end', (line) => [line, line]),
      ),
    ],
    [
      'with its head twice',
      5,
      always(
        'unreadable',
        without('evidence', (line) => [line, line]),
      ),
    ],
    ['with CRLF', 15, always('unreadable', () => utf8(text().replaceAll('\n', '\r\n')))],
    ['with CR', 5, always('unreadable', () => utf8(text().replaceAll('\n', '\r')))],
    ['with blank lines', 5, always('unreadable', () => utf8(`${text()}\n`))],
    ['with a byte order mark', 10, always('unreadable', () => utf8(`\ufeff${text()}`))],
    ['in UTF-16', 5, always('unreadable', () => Buffer.from(`\ufeff${text()}`, 'utf16le'))],
    ['with damaged gzip', 10, always('unreadable', damagedGzip)],
    [
      'with cut gzip',
      10,
      always('unreadable', () => {
        const bytes = gzipSync(text())
        return bytes.subarray(0, 2 + random.int(bytes.length - 3))
      }),
    ],
    [
      'with gzip and something after it',
      5,
      always('unreadable', () => Buffer.concat([gzipSync(text()), utf8(random.pick(['x', '\0']))])),
    ],
    ['compressed twice over', 5, always('unreadable', () => gzipSync(gzipSync(text())))],
    ['of something else', 20, always('unreadable', () => utf8(random.pick(FOREIGN)))],
  ]
  return kinds.flatMap(([kind, count, make]) =>
    Array.from({ length: count }, () => ({ kind, ...make() })),
  )
}
