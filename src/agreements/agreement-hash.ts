import { bytesOf, toHex } from '../core/values/bytes.ts'
import { sha256 } from '../core/values/sha256.ts'

export interface AgreementText {
  title: string
  text: string
  valid_from: string
}

/** SHA-256 of `title`, `valid_from` and `text`, joined by line feeds. */
export const hashOfText = ({ title, valid_from, text }: AgreementText): string =>
  toHex(sha256(bytesOf(`${title}\n${valid_from}\n${text}`)))
