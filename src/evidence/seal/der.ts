/** Reads DER (X.690). It supports only what time stamps need. */

export interface DerElement {
  tag: number
  /** The tag, the length and the content. */
  bytes: Uint8Array
  content: Uint8Array
}

/** Splits bytes into DER elements. Throws if the bytes are not valid DER. */
export const readElements = (bytes: Uint8Array): DerElement[] => {
  const elements: DerElement[] = []
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at + 1] ?? Number.NaN
    const isLong = (first & 0x80) !== 0
    const lengthBytes = isLong ? first & 0x7f : 0
    let length = first
    if (isLong) {
      length = 0
      for (const byte of bytes.subarray(at + 2, at + 2 + lengthBytes)) length = length * 256 + byte
    }
    const start = at + 2 + lengthBytes
    // 0x80 is the indefinite length of BER, which DER does not have.
    const hasLength = !isLong || (lengthBytes > 0 && lengthBytes <= 4)
    if (!(hasLength && start + length <= bytes.length)) throw new Error('Broken DER.')
    elements.push({
      tag: bytes[at] ?? 0,
      bytes: bytes.subarray(at, start + length),
      content: bytes.subarray(start, start + length),
    })
    at = start + length
  }
  return elements
}
