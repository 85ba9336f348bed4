/** Small enough that a running service does not wait long for a write. D1's limit is 2 MB. */
const CHUNK_BYTES = 200_000

/** Splits rows into JSON arrays of about `CHUNK_BYTES`, each with its rows. */
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
