import { ERRORS } from '../src/core/errors.ts'

/**
 * A page shows the texts of the service, and decides by codes and fields. This finds the code of the
 * console that reads a text instead. It goes by names: a text of the service is in a variable or
 * field named as one of TEXT, which no other value may be.
 */

const TEXT = '(?:[\\w$]*(?:[mM]essage|[dD]etail|[pP]roblem|[rR]efusal|[sS]entence)|texts?|problems)'

/** A variable or field with a text, such as `row.detail`, `problems[name]` or `texts?.[0]`. */
const A_TEXT = `\\b${TEXT}(?:\\??\\.?\\[[^\\]\\n]*\\])?(?: \\?\\? ''\\))?`

const READS = 'match|matchAll|split|startsWith|endsWith|replace|replaceAll|includes|search|indexOf'

/** `detail.split(…)` */
const READ_TEXT = new RegExp(`${A_TEXT}\\s*\\??\\.(?:${READS})\\(`, 'g')

/** `PATTERN.exec(row.detail)` */
const READ_BY_PATTERN = new RegExp(`\\.(?:exec|test)\\(\\s*(?:[\\w$]+\\??\\.)*${A_TEXT}[ ,)]`, 'g')

/** A literal with two words or more, in any quotes. */
const SENTENCE = `(?:${["'", '"', '`']
  .map((q) => `${q}[^${q}\\n]*\\p{L}[^${q}\\s]* [^${q}\\n]*\\p{L}[^${q}\\n]*${q}`)
  .join('|')})`

const COMPARED = [
  new RegExp(`[!=]==?\\s*${SENTENCE}`, 'gu'),
  new RegExp(`${SENTENCE}\\s*[!=]==?`, 'gu'),
  new RegExp(`\\bcase ${SENTENCE}:`, 'gu'),
  new RegExp(`\\.(?:startsWith|endsWith|includes|indexOf|search)\\(\\s*${SENTENCE}`, 'gu'),
]

/** `const WRONG = 'La contraseña no es correcta.'` */
const NAMED_SENTENCE = new RegExp(
  `\\bconst ([A-Z][A-Z_\\d]+)(?:: string)? =\\s*${SENTENCE}\\s*$`,
  'gmu',
)

/** `error.code === 'PAID_AFTER_END'`. The codes of warnings are checked by their types. */
const COMPARED_CODE = /[eE]rror\??\.code\s*[!=]==\s*'(\w+)'/g

const CODES = new Set<string>([...Object.keys(ERRORS), 'INVALID_INPUT'])

/** Blanks out comments, so that the lines keep their numbers. */
const withoutComments = (source: string): string =>
  source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ' '))

/** Blanks out what templates insert, since its quotes are no sentences. */
const withoutInserted = (source: string): string =>
  source.replace(/\$\{[^{}\n]*\}/g, (inserted) => '_'.repeat(inserted.length))

const namesOfSentences = (sources: Iterable<string>): Set<string> =>
  new Set(
    [...sources].flatMap((source) =>
      [...source.matchAll(NAMED_SENTENCE)].map(([, name = '']) => name),
    ),
  )

/** Returns a sentence for each place in the console that reads a text of the service. */
export const textFaults = (all: ReadonlyMap<string, string>): string[] => {
  const sources = [...all]
    .filter(([file]) => file.startsWith('console/'))
    .map(([file, source]) => [file, withoutComments(source)] as const)
  const names = [...namesOfSentences(sources.map(([, source]) => withoutInserted(source)))]
  const comparedNames =
    names.length > 0
      ? [new RegExp(`[!=]==\\s*(?:${names.join('|')})\\b|\\b(?:${names.join('|')})\\s*[!=]==`, 'g')]
      : []
  const rulesOf = (source: string): [RegExp[], string, string][] => [
    [
      [READ_TEXT, READ_BY_PATTERN],
      'a page shows a text and does not read it: use a code or a field of the answer',
      source,
    ],
    [
      [...COMPARED, ...comparedNames],
      'a page compares no sentence: use a code or a field of the answer',
      withoutInserted(source),
    ],
  ]
  return sources.flatMap(([file, source]) => {
    const at = (index: number) => `${file}:${source.slice(0, index).split('\n').length}`
    const faults = rulesOf(source).flatMap(([patterns, text, read]) =>
      patterns.flatMap((pattern) =>
        [...read.matchAll(pattern)].map(
          ({ index, 0: found }) => `${at(index)}: \`${found.trim()}\`: ${text}.`,
        ),
      ),
    )
    const unknown = [...source.matchAll(COMPARED_CODE)].filter(([, code = '']) => !CODES.has(code))
    return [
      ...faults,
      ...unknown.map(({ index, 1: code }) => `${at(index)}: the service has no code ${code}.`),
    ]
  })
}
