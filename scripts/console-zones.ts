/**
 * A page knows no zone: the zone data of browsers is older or other than the service's. This finds
 * the code of the console that computes one.
 */

/** Shows a moment by the clock of the device. */
const PHONE_TIME = 'console/ui/phone-time.ts'

/** Writes days and times, with the offsets that the service says. */
const TIME = 'console/ui/time.ts'

const RULES: { pattern: RegExp; text: string; allowedIn?: string }[] = [
  {
    pattern: /\btimeZone(?:Name)?:(?!\s*(?:'UTC'|string\b))[^,\n]*/g,
    text: 'a page knows no zone',
  },
  { pattern: /\{ timeZone[,\s][^}]*\}/g, text: 'a page knows no zone' },
  { pattern: /\bgetTimezoneOffset\b|\bresolvedOptions\b/g, text: 'a page knows no zone' },
  {
    pattern:
      /\bnew Intl\.DateTimeFormat\b|\bIntl\.DateTimeFormat\(|\.toLocale(?:Date|Time)String\(/g,
    text: `days and times are written in ${TIME}`,
    allowedIn: TIME,
  },
  {
    pattern: /\butc_offsets\b/g,
    text: `days and times are written in ${TIME}`,
    allowedIn: TIME,
  },
  {
    pattern: /\.(?:get|set)(?:FullYear|Month|Date|Day|Hours|Minutes|Seconds)\(/g,
    text: `the device's own clock is shown in ${PHONE_TIME}`,
    allowedIn: PHONE_TIME,
  },
  { pattern: /['"`](?:en|sv)-[A-Z]{2}['"`]/g, text: 'its days differ from browser to browser' },
  {
    pattern: /[T\d}][+-]\d\d:\d\d['"`]/g,
    text: 'the service makes an instant of a local time',
  },
]

const withoutComments = (source: string): string =>
  source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ' '))

/** Returns a sentence for each place in the console that computes with a zone. */
export const zoneFaults = (all: ReadonlyMap<string, string>): string[] =>
  [...all]
    .filter(([file]) => file.startsWith('console/'))
    .flatMap(([file, source]) => {
      const code = withoutComments(source)
      return RULES.filter(({ allowedIn }) => allowedIn !== file).flatMap(({ pattern, text }) =>
        [...code.matchAll(pattern)].map(
          ({ index, 0: found }) =>
            `${file}:${code.slice(0, index).split('\n').length}: \`${found.trim()}\`: ${text}.`,
        ),
      )
    })
