import { UnreadableFile } from './unreadable.ts'

/** Splits text only at line feeds, because comments can contain other line breaks of Unicode. */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/**
 * Decodes UTF-8.
 * @throws UnreadableFile for invalid bytes. If they were replaced, different files would look
 * equal.
 */
export async function* textOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw new UnreadableFile('El archivo tiene bytes que no son texto (UTF-8).')
    }
  }
  for await (const chunk of chunks) yield decode(chunk)
  yield decode()
}
