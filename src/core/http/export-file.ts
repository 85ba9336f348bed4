import type { Context } from 'hono'
import { BYTE_ORDER_MARK, formatField, formatForSpreadsheet, type Value } from '../values/csv.ts'
import { logBrokenStream, StalledExport } from './request-log.ts'

export type FileRow = Readonly<Record<string, Value>>

interface Format {
  contentType: string
  head: string
  line(row: FileRow): string
}

interface Columns {
  columns: readonly string[]
  /** The number of decimals of a column's numbers in CSV. */
  decimals?: Readonly<Record<string, number>>
  /** Columns that only NDJSON has. */
  more?: readonly string[]
}

/** The columns with texts that somebody chose, which may look like a number or a date. */
const CHOSEN_TEXTS = ['employee_id', 'department', 'branch_office', 'payroll_group']

interface CsvOptions {
  /** The headings for people, by column. A file with them also has words for truth values. */
  headings?: Readonly<Record<string, string>> | undefined
  /** Whether a spreadsheet keeps ids and the like. By default it does if people read the file. */
  ids?: 'plain' | 'spreadsheet' | undefined
}

export const csvFormat = (
  { columns, decimals = {} }: Columns,
  { headings, ids = headings ? 'spreadsheet' : 'plain' }: CsvOptions = {},
): Format => {
  const cellOf = (name: string, value: Value): string => {
    const places = decimals[name]
    if (places !== undefined && typeof value === 'number') return value.toFixed(places)
    if (headings && typeof value === 'boolean') return value ? 'sí' : 'no'
    const isKept = ids === 'spreadsheet' && CHOSEN_TEXTS.includes(name)
    return isKept ? formatForSpreadsheet(String(value ?? '')) : formatField(value)
  }
  return {
    contentType: 'text/csv; charset=utf-8; header=present',
    head: `${BYTE_ORDER_MARK}${columns.map((name) => formatField(headings?.[name] ?? name)).join()}\r\n`,
    line: (row) => `${columns.map((name) => cellOf(name, row[name] ?? null)).join()}\r\n`,
  }
}

/**
 * The two formats of a file: CSV with a header, and NDJSON with one JSON object per line. `names` are
 * the names of all columns.
 */
export const fileFormats = (file: Columns) => {
  const { columns, decimals = {}, more = [] } = file
  const names = [...columns, ...more]
  return {
    columns,
    decimals,
    names,
    csv: csvFormat(file),
    ndjson: {
      contentType: 'application/x-ndjson',
      head: '',
      line: (row) =>
        `${JSON.stringify(Object.fromEntries(names.map((name) => [name, row[name]])))}\n`,
    },
  } satisfies Columns & { names: string[]; csv: Format; ndjson: Format }
}

/**
 * The header `Accept-Encoding` as the client sent it. Cloudflare replaces the header by `gzip, br`.
 */
const acceptedEncodings = (c: Context): string => {
  const { cf } = c.req.raw as { cf?: IncomingRequestCfProperties }
  return cf?.clientAcceptEncoding ?? c.req.header('Accept-Encoding') ?? ''
}

/** Whether the client accepts a gzipped body (RFC 9110, section 12.5.3). */
const acceptsGzip = (c: Context): boolean =>
  /(^|,)\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*(,|$))[^,]*)?\s*(,|$)/i.test(acceptedEncodings(c))

/** The time in which a client must read a chunk. */
const STALL_MS = 60_000

/**
 * Streams chunks of text. Each chunk is made after the client has read the previous chunk. If a
 * chunk fails, the transfer fails too, so that a partial file never looks complete. The transfer
 * also fails if the client reads nothing for a minute.
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

/**
 * Yields the head, then all chunks except empty ones, because a stream is not pulled again if
 * nothing was enqueued.
 */
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
  /** The beginning of the file, before the first chunk. */
  head?: string
  /** Not called for a HEAD request, so all that refuses a request comes before. */
  chunks(): AsyncGenerator<string> | Promise<AsyncGenerator<string>>
}

/**
 * Responds with a file. The first chunk is made before the response begins, so that an error in it
 * becomes an error response.
 */
export const sendFile = async (c: Context, { name, contentType, head = '', chunks }: TextFile) => {
  const headers = {
    'Content-Type': contentType,
    'Content-Disposition': `attachment; filename="${name}"`,
    // The runtime compresses the body if this header is set. Cloudflare's edge does not compress
    // files.
    ...(acceptsGzip(c) && { 'Content-Encoding': 'gzip' }),
  }
  const all = c.req.method === 'HEAD' ? undefined : await chunks()
  const body = all && startingWith(head, await all.next(), all)
  c.header('Vary', 'Accept-Encoding', { append: true })
  if (!body) return c.body(null, 200, headers)
  return c.body(
    streamChunks(body, (error) => logBrokenStream(c, error)),
    200,
    headers,
  )
}

async function* linesOf(pages: AsyncGenerator<readonly FileRow[]>, format: Format) {
  for await (const page of pages) yield page.map((row) => format.line(row)).join('')
}

/** A HEAD request reads the first page too, which may refuse it. */
export const sendRows = async (
  c: Context,
  file: { name: string; format: Format; pages: AsyncGenerator<readonly FileRow[]> },
) => {
  const { name, format, pages } = file
  const { contentType, head } = format
  if (c.req.method === 'HEAD') {
    await pages.next()
    await pages.return(undefined)
  }
  return sendFile(c, { name, contentType, head, chunks: () => linesOf(pages, format) })
}

/** Converts the rows of each page when the page is needed. */
export async function* mapRows<Row>(
  pages: AsyncIterable<readonly Row[]>,
  convert: (row: Row) => FileRow,
): AsyncGenerator<FileRow[]> {
  for await (const page of pages) yield page.map(convert)
}
