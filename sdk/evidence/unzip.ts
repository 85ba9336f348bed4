import { UnreadableFile } from './unreadable.ts'

/** Lines of evidence or of a backup shrink to a tenth, or to a fiftieth if many are alike. */
const GROWTH_MAX = 100
/** A small file may grow more. */
const BYTES_FREE = 64 * 1024 * 1024

const streamOf = (chunks: AsyncIterator<Uint8Array>, first: Uint8Array) => {
  let next: Promise<IteratorResult<Uint8Array>> | undefined = Promise.resolve({ value: first })
  return new ReadableStream<BufferSource>({
    pull: async (controller) => {
      const { done, value } = await (next ?? chunks.next())
      next = undefined
      if (done) controller.close()
      else controller.enqueue(value as Uint8Array<ArrayBuffer>)
    },
  })
}

/**
 * Decompresses a file if its first bytes show that it is gzip. A download's name does not show that.
 * @param size the number of bytes of the file
 * @throws UnreadableFile with the text `grows`, if it becomes much larger than evidence can
 */
export async function* unzipped(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
  grows = `El archivo comprimido crece a más de ${GROWTH_MAX} veces su tamaño.`,
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  const { value: first } = await iterator.next()
  if (!first) return
  if (first[0] !== 0x1f || first[1] !== 0x8b) {
    yield first
    for (let read = await iterator.next(); !read.done; read = await iterator.next())
      yield read.value
    return
  }
  const stream = streamOf(iterator, first).pipeThrough(new DecompressionStream('gzip'))
  const reader = stream.getReader()
  let left = BYTES_FREE + GROWTH_MAX * size
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      left -= read.value.length
      if (left < 0) throw new UnreadableFile(grows)
      yield read.value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
