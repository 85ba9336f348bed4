/** Elements of DER (X.690), as far as time stamps need them. */

export interface Element {
  tag: number
  /** The whole element. */
  bytes: Uint8Array
  content: Uint8Array
}

/** Reads the elements that bytes consist of; throws where they are no DER. */
export const readElements = (bytes: Uint8Array): Element[] => {
  const elements: Element[] = []
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at + 1] ?? Number.NaN
    const lengthBytes = first & 0x80 ? first & 0x7f : 0
    let length = first
    if (lengthBytes > 0) {
      length = 0
      for (const byte of bytes.subarray(at + 2, at + 2 + lengthBytes)) length = length * 256 + byte
    }
    const start = at + 2 + lengthBytes
    if (!(lengthBytes <= 4 && start + length <= bytes.length)) throw new Error('Broken DER.')
    elements.push({
      tag: bytes[at] ?? 0,
      bytes: bytes.subarray(at, start + length),
      content: bytes.subarray(start, start + length),
    })
    at = start + length
  }
  return elements
}
