import type { Context } from 'hono'
import { logBrokenStream, StalledExport } from './request-log.ts'

/** An object stands in NDJSON only. */
type Value = string | number | null | object | readonly (string | number)[]

export type FileRow = Readonly<Record<string, Value>>

/** Characters that a spreadsheet may skip, then one that begins a formula, full-width ones too. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u

/** Where a spreadsheet that separates fields by something else than commas begins a cell. */
const OTHER_CELL = /(?<=[;\t\r\n])(?=[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/gu

/** Prefixes what a spreadsheet would run as a formula (OWASP, CSV Injection). */
const escapeFormulas = (text: string): string =>
  (FORMULA.test(text) ? `'${text}` : text).replace(OTHER_CELL, "'")

/** Formats a CSV field (RFC 4180); a list is separated by blanks. */
const cell = (value: Value): string => {
  if (typeof value === 'number') return String(value)
  const text = escapeFormulas(Array.isArray(value) ? value.join(' ') : String(value ?? ''))
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const BYTE_ORDER_MARK = '\ufeff'

interface Format {
  contentType: string
  head: string
  line(row: FileRow): string
}

interface Columns {
  columns: readonly string[]
  /** The decimals of a column's numbers, in CSV. */
  decimals?: Readonly<Record<string, number>>
  /** Columns of NDJSON alone. */
  more?: readonly string[]
}

/** The two formats of a file: CSV with a header, and NDJSON (one JSON object a line). */
export const fileFormats = ({ columns, decimals = {}, more = [] }: Columns) =>
  ({
    csv: {
      contentType: 'text/csv; charset=utf-8; header=present',
      head: `${BYTE_ORDER_MARK}${columns.join()}\r\n`,
      line: (row) =>
        `${columns
          .map((name) => {
            const value = row[name] ?? null
            const places = decimals[name]
            return places !== undefined && typeof value === 'number'
              ? value.toFixed(places)
              : cell(value)
          })
          .join()}\r\n`,
    },
    ndjson: {
      contentType: 'application/x-ndjson',
      head: '',
      line: (row) =>
        `${JSON.stringify(Object.fromEntries([...columns, ...more].map((name) => [name, row[name]])))}\n`,
    },
  }) satisfies Record<string, Format>

/** The client's own header: Cloudflare replaces `Accept-Encoding` by `gzip, br`. */
const acceptedEncodings = (c: Context): string => {
  const { cf } = c.req.raw as { cf?: IncomingRequestCfProperties }
  return cf?.clientAcceptEncoding ?? c.req.header('Accept-Encoding') ?? ''
}

/** Whether the client accepts a gzipped body (RFC 9110, section 12.5.3). */
const acceptsGzip = (c: Context): boolean =>
  /(^|,)\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*(,|$))[^,]*)?\s*(,|$)/i.test(acceptedEncodings(c))

/** How long a client may leave a chunk unread. */
const STALL_MS = 60_000

/**
 * Streams a text a chunk at a time: the next one is made when the client has read the last. An
 * error fails the transfer, so that a partial file never looks complete; so does a client that
 * reads nothing for a minute.
 */
const streamChunks = (
  chunks: AsyncGenerator<string>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder()
  let stalled: ReturnType<typeof setTimeout> | undefined
  return new ReadableStream({
    pull: async (controller) => {
      clearTimeout(stalled)
      const fail = (error: unknown) => {
        onError(error)
        controller.error(new Error('The export failed.'))
      }
      try {
        const { done, value: chunk } = await chunks.next()
        if (done) return controller.close()
        controller.enqueue(encoder.encode(chunk))
        stalled = setTimeout(() => {
          fail(new StalledExport('The client has stopped reading.'))
          void chunks.return(undefined)
        }, STALL_MS)
      } catch (error) {
        fail(error)
      }
    },
    cancel: async () => {
      clearTimeout(stalled)
      await chunks.return(undefined)
    },
  })
}

/** The chunks that are not empty: a stream that enqueues nothing is not pulled again. */
async function* startingWith(
  head: string,
  first: IteratorResult<string>,
  chunks: AsyncGenerator<string>,
): AsyncGenerator<string> {
  if (head) yield head
  if (first.done) return
  if (first.value) yield first.value
  for await (const chunk of chunks) if (chunk) yield chunk
}

interface TextFile {
  name: string
  contentType: string
  /** What every file begins with. */
  head?: string
  /** Called for a request that wants the body. */
  chunks(): AsyncGenerator<string> | Promise<AsyncGenerator<string>>
}

/**
 * Responds with a file. The first chunk is made before the response begins, so that its error
 * becomes an error response; HEAD makes none.
 */
export const sendFile = async (c: Context, { name, contentType, head = '', chunks }: TextFile) => {
  const headers = {
    'Content-Type': contentType,
    'Content-Disposition': `attachment; filename="${name}"`,
    // The runtime compresses a body by its Content-Encoding; the edge does not compress files.
    ...(acceptsGzip(c) && { 'Content-Encoding': 'gzip' }),
  }
  c.header('Vary', 'Accept-Encoding', { append: true })
  if (c.req.method === 'HEAD') return c.body(null, 200, headers)
  const all = await chunks()
  const body = startingWith(head, await all.next(), all)
  const stream = streamChunks(body, (error) => logBrokenStream(c, error))
  return c.body(stream, 200, headers)
}

async function* linesOf(pages: AsyncGenerator<readonly FileRow[]>, format: Format) {
  for await (const page of pages) yield page.map((row) => format.line(row)).join('')
}

/** Responds with a file of rows. */
export const sendRows = (
  c: Context,
  file: { name: string; format: Format; pages: AsyncGenerator<readonly FileRow[]> },
) => {
  const { name, format, pages } = file
  const { contentType, head } = format
  return sendFile(c, { name, contentType, head, chunks: () => linesOf(pages, format) })
}

/** Rows of pages, converted a page at a time. */
export async function* mapRows<Row>(
  pages: AsyncIterable<readonly Row[]>,
  convert: (row: Row) => FileRow,
): AsyncGenerator<FileRow[]> {
  for await (const page of pages) yield page.map(convert)
}
