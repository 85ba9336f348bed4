import type { Context } from 'hono'
import type { ExportedLog } from '../domain/logs.ts'
import type { TimeZone } from '../shared/time-zone.ts'

/** The export's columns, in order. */
export const EXPORT_COLUMNS = [
  'log_id',
  'employee_id',
  'full_name',
  'department',
  'branch_office',
  'kind',
  'recorded_at',
  'recorded_at_local',
  'received_at',
  'source',
  'status',
  'decided_at',
  'decided_by',
  'comment',
] as const

type Row = Record<(typeof EXPORT_COLUMNS)[number], string | number | null>

const toRow = (log: ExportedLog, zone: TimeZone): Row => ({
  ...log,
  recorded_at_local: zone.localTime(new Date(log.recorded_at)),
})

/** Characters that a spreadsheet may skip, then one that begins a formula, full-width ones too. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u

/** Where a spreadsheet that separates fields by something else than commas begins a cell. */
const OTHER_CELL = /(?<=[;\t\r\n])(?=[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/gu

/** Prefixes what a spreadsheet would run as a formula (OWASP, CSV Injection). */
const escapeFormulas = (text: string): string =>
  (FORMULA.test(text) ? `'${text}` : text).replace(OTHER_CELL, "'")

/** Formats a CSV field (RFC 4180). */
const cell = (value: string | number | null): string => {
  if (typeof value === 'number') return String(value)
  const text = escapeFormulas(value ?? '')
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const BYTE_ORDER_MARK = '\ufeff'

interface Format {
  contentType: string
  head: string
  line(row: Row): string
}

export const FORMATS = {
  csv: {
    contentType: 'text/csv; charset=utf-8; header=present',
    head: `${BYTE_ORDER_MARK}${EXPORT_COLUMNS.join()}\r\n`,
    line: (row) => `${EXPORT_COLUMNS.map((column) => cell(row[column])).join()}\r\n`,
  },
  ndjson: {
    contentType: 'application/x-ndjson',
    head: '',
    line: (row) =>
      `${JSON.stringify(Object.fromEntries(EXPORT_COLUMNS.map((c) => [c, row[c]])))}\n`,
  },
} satisfies Record<string, Format>

/** Whether the client accepts a gzipped body (RFC 9110, section 12.5.3). */
export const acceptsGzip = (c: Context): boolean =>
  /(^|,)\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*(,|$))[^,]*)?\s*(,|$)/i.test(
    c.req.header('Accept-Encoding') ?? '',
  )

/** The client stopped reading an export: a normal end for the service. */
export class StalledExport extends Error {
  override name = 'StalledExport'
}

/** How long a client may leave a page unread. */
const STALL_MS = 60_000

/**
 * Streams a text a chunk at a time: the next one is made when the client has read the last. An error
 * fails the transfer, so that a partial file never looks complete; so does a client that reads nothing
 * for a minute.
 */
export const streamChunks = (
  chunks: AsyncGenerator<string>,
  onError: (error: unknown) => void,
  head = '',
): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder()
  let stalled: ReturnType<typeof setTimeout> | undefined
  return new ReadableStream({
    start: (controller) => {
      if (head) controller.enqueue(encoder.encode(head))
    },
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

async function* linesOf(pages: AsyncGenerator<ExportedLog[]>, format: Format, zone: TimeZone) {
  for await (const page of pages) {
    yield page.map((log) => format.line(toRow(log, zone))).join('')
  }
}

/** Streams a file of logs, a page at a time. */
export const streamFile = (
  pages: AsyncGenerator<ExportedLog[]>,
  format: Format,
  zone: TimeZone,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> => streamChunks(linesOf(pages, format, zone), onError, format.head)
