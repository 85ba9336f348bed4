import { type fileFormats, peopleFormat } from '../core/http/export-file.ts'
import { SPANISH_COLUMNS } from '../core/spanish-columns.ts'

/** @param headers `es` for a CSV file that people open in a spreadsheet */
export const formatOf = (
  file: ReturnType<typeof fileFormats>,
  format: 'csv' | 'ndjson',
  headers: 'es' | undefined,
) => (headers === 'es' ? peopleFormat(file, SPANISH_COLUMNS) : file[format])
