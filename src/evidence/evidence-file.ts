import { fromHex, toBase64 } from '../core/bytes.ts'
import type { StoredSeal } from './evidence.queries.ts'
import { entryOf } from './seal.ts'
import type { SealedEvent } from './sealed-events.queries.ts'

/** The lines of an evidence file: NDJSON, each event before its seal. */

export const line = (value: object): string => `${JSON.stringify(value)}\n`

/** An event, with the text of its comment unless that is withheld or erased, and what proves it. */
export const eventLine = (
  event: SealedEvent,
  withComment: boolean,
  proofs: object = {},
): string => {
  const { comment, comment_salt } = event
  const shown = withComment && comment ? { comment, comment_salt } : {}
  return line({ entry: entryOf(event), ...shown, ...proofs })
}

/** A seal, with what belongs to it in this kind of file. */
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
  return line({ seal: id, at: created_at, checkpoint, ...more, tokens: stamps })
}

/** The last line: without it, the file is cut. */
export const endLine = (events: number, seals: number): string => line({ end: { events, seals } })

/** The origin of the newest key. */
export const originOf = (keys: readonly string[]): string => keys.at(-1)?.split('+')[0] ?? ''
