/** D1 accepts 2 MB at a time, but a running service would wait long for a write of that size. */
const CHUNK_BYTES = 200_000

/**
 * Splits rows into chunks of about `CHUNK_BYTES`. `json` is a JSON array of the rows of a chunk.
 */
export function* inChunks<Row>(rows: Iterable<Row>): Generator<{ json: string; rows: Row[] }> {
  let texts: string[] = []
  let chunk: Row[] = []
  let size = 0
  for (const row of rows) {
    const text = JSON.stringify(row)
    const bytes = Buffer.byteLength(text)
    if (size + bytes > CHUNK_BYTES && texts.length > 0) {
      yield { json: `[${texts.join()}]`, rows: chunk }
      texts = []
      chunk = []
      size = 0
    }
    texts.push(text)
    chunk.push(row)
    size += bytes
  }
  if (texts.length > 0) yield { json: `[${texts.join()}]`, rows: chunk }
}
