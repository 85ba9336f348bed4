import { csvFormat, type FileRow, fileFormats } from '../../core/http/export-file.ts'
import { SPANISH_COLUMNS } from './spanish-columns.ts'

export interface FormatQuery {
  format: 'csv' | 'ndjson'
  /** `es` for a CSV file that people open in a spreadsheet */
  headers?: 'es' | undefined
  ids?: 'plain' | 'spreadsheet' | undefined
}

export const formatOf = (
  file: ReturnType<typeof fileFormats>,
  { format, headers, ids }: FormatQuery,
) => {
  if (format === 'ndjson') return file.ndjson
  return csvFormat(file, { headings: headers && SPANISH_COLUMNS, ids })
}

const IS_SECONDS = /_seconds$/

const hoursName = (name: string): string => name.replace(IS_SECONDS, '_hours')

/** Hours, rounded to two decimals. Null where no pair counts. */
const toHours = (seconds: number | null): number | null =>
  seconds === null ? null : Math.round(seconds / 36) / 100

/**
 * A file with durations: each column of seconds has a column of decimal hours too, last unless the
 * file names it. `withHours` adds the hours to a row.
 */
export const durationsFile = ({
  columns,
  more,
}: {
  columns: readonly string[]
  more?: readonly string[]
}) => {
  const durations = columns.filter((name) => IS_SECONDS.test(name))
  const hours = durations.map(hoursName)
  const file = fileFormats({
    columns: [...columns, ...hours.filter((name) => !columns.includes(name))],
    decimals: Object.fromEntries(hours.map((name) => [name, 2])),
    ...(more && { more }),
  })
  const withHours = (row: object): FileRow => {
    const values: FileRow = { ...row }
    const hoursOf = durations.map((name) => [
      hoursName(name),
      toHours(values[name] as number | null),
    ])
    return { ...values, ...Object.fromEntries(hoursOf) }
  }
  return { ...file, withHours }
}
