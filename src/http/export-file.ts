import type { Context } from 'hono'
import { logBrokenStream, StalledExport } from './request-log.ts'

type Value = string | number | null | readonly (string | number)[]

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

/** What the client sent: Cloudflare replaces the header itself by its own `gzip, br`. */
const acceptedEncodings = (c: Context): string => {
  const { cf } = c.req.raw as { cf?: IncomingRequestCfProperties }
  return cf?.clientAcceptEncoding ?? c.req.header('Accept-Encoding') ?? ''
}

/** Whether the client accepts a gzipped body (RFC 9110, section 12.5.3). */
const acceptsGzip = (c: Context): boolean =>
  /(^|,)\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*(,|$))[^,]*)?\s*(,|$)/i.test(acceptedEncodings(c))

/** How long a client may leave a page unread. */
const STALL_MS = 60_000

/**
 * Streams a file a page at a time: the next one is queried when the client has read the last. An
 * error fails the transfer, so that a partial file never looks complete; so does a client that reads
 * nothing for a minute.
 */
const streamFile = (
  first: IteratorResult<readonly FileRow[]>,
  pages: AsyncGenerator<readonly FileRow[]>,
  format: Format,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder()
  let stalled: ReturnType<typeof setTimeout> | undefined
  let next: IteratorResult<readonly FileRow[]> | undefined = first
  return new ReadableStream({
    start: (controller) => {
      if (format.head) controller.enqueue(encoder.encode(format.head))
    },
    pull: async (controller) => {
      clearTimeout(stalled)
      const fail = (error: unknown) => {
        onError(error)
        controller.error(new Error('The export failed.'))
      }
      try {
        let { done, value: page } = next ?? (await pages.next())
        next = undefined
        // A stream that enqueues nothing is not pulled again.
        while (!done && page.length === 0) ({ done, value: page } = await pages.next())
        if (done) return controller.close()
        const lines = (page as readonly FileRow[]).map((row) => format.line(row))
        controller.enqueue(encoder.encode(lines.join('')))
        stalled = setTimeout(() => {
          fail(new StalledExport('The client has stopped reading.'))
          void pages.return(undefined)
        }, STALL_MS)
      } catch (error) {
        fail(error)
      }
    },
    cancel: async () => {
      clearTimeout(stalled)
      await pages.return(undefined)
    },
  })
}

/**
 * Responds with a file. The first page is read before the response begins, so that its error becomes
 * an error response; HEAD reads none.
 */
export const sendFile = async (
  c: Context,
  file: { name: string; format: Format; pages: AsyncGenerator<readonly FileRow[]> },
) => {
  const headers = {
    'Content-Type': file.format.contentType,
    'Content-Disposition': `attachment; filename="${file.name}"`,
    // The runtime compresses a body by its Content-Encoding; the edge does not compress files.
    ...(acceptsGzip(c) && { 'Content-Encoding': 'gzip' }),
  }
  c.header('Vary', 'Accept-Encoding', { append: true })
  if (c.req.method === 'HEAD') return c.body(null, 200, headers)
  const first = await file.pages.next()
  const body = streamFile(first, file.pages, file.format, (error) => logBrokenStream(c, error))
  return c.body(body, 200, headers)
}
