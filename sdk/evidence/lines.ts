import { UnreadableFile } from './unreadable.ts'

/** More characters than any line of evidence or of a backup has. A row of D1 has 2 MB at most. */
const LINE_MAX = 16 * 1024 * 1024

/**
 * Splits text only at line feeds, because comments can contain other line breaks of Unicode.
 * @throws UnreadableFile with the text `tooLong`, before a line fills the memory
 */
export async function* linesOf(
  chunks: AsyncIterable<string>,
  tooLong = 'El archivo tiene una línea demasiado larga para ser de una evidencia.',
): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunks) {
    const [first = '', ...more] = chunk.split('\n')
    rest += first
    if (rest.length > LINE_MAX) throw new UnreadableFile(tooLong)
    for (const next of more) {
      yield rest
      rest = next
    }
  }
  if (rest !== '') yield rest
}

/**
 * Decodes UTF-8.
 * @throws UnreadableFile for invalid bytes. If they were replaced, different files would look
 * equal.
 */
export async function* textOf(
  chunks: AsyncIterable<Uint8Array>,
  notText = 'El archivo tiene bytes que no son texto (UTF-8).',
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw new UnreadableFile(notText)
    }
  }
  for await (const chunk of chunks) yield decode(chunk)
  yield decode()
}
