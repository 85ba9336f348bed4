import { bytesOf, toHex } from '../core/bytes.ts'
import { sha256 } from '../core/sha256.ts'

export interface AgreementText {
  title: string
  text: string
  /** The first day on which the text is valid. */
  valid_from: string
}

/** SHA-256 of the title, the first day and the text, joined by line feeds. */
export const hashOfText = ({ title, valid_from, text }: AgreementText): string =>
  toHex(sha256(bytesOf(`${title}\n${valid_from}\n${text}`)))
