import { bytesOf, toHex } from '../core/bytes.ts'
import { sha256 } from '../core/sha256.ts'

/** The hash of a closing's lines. The event of the closing contains the hash, and is sealed. */

/** The hashed fields of a line. `needs_look` follows from reviews, which change no figure. */
export const SEALED_LINE_FIELDS = [
  ...['day', 'department', 'branch_office', 'detail', 'difference_seconds', 'employee_id'],
  ...['exceptions', 'first_in', 'held_by', 'held_seconds', 'last_out', 'notices', 'of_period'],
  ...['paid_before_seconds', 'pairs', 'previous_closing_id', 'worked_seconds'],
].sort()

const hashOf = (texts: readonly string[]): string =>
  toHex(sha256(bytesOf(texts.map((text) => `${text}\n`).join(''))))

/**
 * SHA-256 of a person's lines, in the order of their days. Each line is JSON by RFC 8785 (sorted
 * names; only texts, whole numbers and null), followed by a line feed.
 */
export const hashOfPerson = (lines: readonly { day: string }[]): string =>
  hashOf(
    lines
      .toSorted((a, b) => (a.day < b.day ? -1 : 1))
      .map((line) => JSON.stringify(line, SEALED_LINE_FIELDS)),
  )

/** The hashes of the people who have lines, in the order of employee_id. */
export const hashesInOrder = (hashByEmployee: ReadonlyMap<string, string>): string[] =>
  [...hashByEmployee].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, hash]) => hash)

/** SHA-256 of the people's hashes, each followed by a line feed. */
export const hashOfClosing = (hashes: readonly string[]): string => hashOf(hashes)
