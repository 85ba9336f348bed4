import { type Bytes, bytesOf, concat, equal, toHex } from '../../core/values/bytes.ts'
import { sha256 } from '../../core/values/sha256.ts'
import { type DerElement, readElements } from './der.ts'

/** Time stamps of RFC 3161 over the SHA-256 of a text. */

/**
 * The bytes of a TimeStampReq around its hash: version 1, SHA-256, certificate requested. The whole
 * request has 59 bytes.
 */
const BEFORE_HASH = Uint8Array.from([
  0x30, 0x39, 2, 1, 1, 0x30, 0x31, 0x30, 0x0d, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 5, 0, 4,
  0x20,
])
const AFTER_HASH = Uint8Array.from([1, 1, 0xff])

export const timeStampRequest = (text: string): Bytes =>
  concat(BEFORE_HASH, sha256(bytesOf(text)), AFTER_HASH)

const SIGNED_DATA_OID = '2a864886f70d010702'
const TST_INFO_OID = '2a864886f70d0109100104'
const SHA_256_OID = '608648016503040201'

const GENERALIZED_TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d{1,9}))?Z$/

const toDate = ({ content }: DerElement): Date | undefined => {
  const match = GENERALIZED_TIME.exec(String.fromCharCode(...content))
  if (!match) return undefined
  const [, year, month, day, hour, minute, second, fraction = ''] = match
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0')
  const text = `${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}Z`
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date
}

const hexOf = (element: DerElement | undefined): string =>
  toHex(element?.content ?? new Uint8Array())
const inside = (element: DerElement | undefined): DerElement[] =>
  readElements(element?.content ?? new Uint8Array())

const readToken = (token: Uint8Array) => {
  const [type, explicit] = inside(readElements(token)[0])
  const [signedData] = inside(explicit)
  const [, , content] = inside(signedData)
  const [contentType, wrapped] = inside(content)
  const [octets] = inside(wrapped)
  const [, , imprint, ...rest] = inside(inside(octets)[0])
  const [algorithm, hash] = inside(imprint)
  return {
    isToken: hexOf(type) === SIGNED_DATA_OID && hexOf(contentType) === TST_INFO_OID,
    algorithm: hexOf(inside(algorithm)[0]),
    hash: hash?.content ?? new Uint8Array(),
    time: rest.find(({ tag }) => tag === 0x18),
  }
}

/**
 * The time in a token. Undefined if the bytes are not a token, or the token is for a different
 * text. The signature is not checked, because the check would need the authority's certificates.
 */
export const stampedTime = (token: Uint8Array, text: string): Date | undefined => {
  try {
    const { isToken, algorithm, hash, time } = readToken(token)
    const isFor = algorithm === SHA_256_OID && equal(hash, sha256(bytesOf(text)))
    return isToken && isFor && time ? toDate(time) : undefined
  } catch {
    return undefined
  }
}

/**
 * The token of a TimeStampResp. Undefined unless the response has the status granted or
 * grantedWithMods.
 */
export const tokenOf = (response: Uint8Array): Uint8Array | undefined => {
  try {
    const [info, token] = inside(readElements(response)[0])
    const [status] = inside(info)
    const isGranted = status?.tag === 2 && ['00', '01'].includes(hexOf(status))
    return isGranted ? token?.bytes : undefined
  } catch {
    return undefined
  }
}
