import { fromHex, toBase64 } from '../../core/values/bytes.ts'
import { leafTextOf } from '../seal/seal.ts'
import type { StoredEvent } from '../seal/sealed-events.queries.ts'
import type { StoredSeal } from './evidence.queries.ts'

/** The lines of an evidence file (NDJSON). Each event comes before its seal. */

export const jsonLine = (value: object): string => `${JSON.stringify(value)}\n`

/**
 * The line of an event. `proofs` has the extra fields of a file of people. Without comments, it has
 * still the words of a signature and of the answer to it.
 */
export const eventLine = (
  event: StoredEvent,
  withComments: boolean,
  proofs: object = {},
): string => {
  const { comment, comment_salt } = event
  const hasWords = withComments || event.event === 'signed' || event.event === 'answered'
  const shown = hasWords && comment ? { comment, comment_salt } : {}
  return jsonLine({ entry: leafTextOf(event), ...shown, ...proofs })
}

interface StoredText {
  sha256: string
  title: string
  valid_from: string
  text: string
}

/** The lines of the texts that people agreed to. */
export const textLines = (texts: readonly StoredText[]): string =>
  texts
    .map(({ sha256, title, valid_from, text }) =>
      jsonLine({ agreement: sha256, title, valid_from, text }),
    )
    .join('')

/** The line of a seal. `more` has the extra fields of a whole file or of a file of people. */
export const sealLine = (
  {
    id,
    created_at,
    checkpoint,
    tokens,
  }: Pick<StoredSeal, 'id' | 'created_at' | 'checkpoint' | 'tokens'>,
  more: object,
): string => {
  const stamps = (JSON.parse(tokens) as string[]).map((token) => toBase64(fromHex(token)))
  return jsonLine({ seal: id, at: created_at, checkpoint, ...more, tokens: stamps })
}

/** The last line of a file. A file without this line is incomplete. */
export const endLine = (events: number, seals: number): string =>
  jsonLine({ end: { events, seals } })

/** The origin of the newest key, or '' if there are no keys. */
export const originOf = (keys: readonly string[]): string => keys.at(-1)?.split('+')[0] ?? ''
