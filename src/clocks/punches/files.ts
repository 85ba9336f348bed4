import { beginsWithDate, cellsOf, LINE_MAX, linesOf, punchOf, type ReadLine } from './lines.ts'

/** Reads the files that clocks write on a USB stick. */

/** The headings of the columns that a file may have, without signs and in lower case. */
const NUMBER_HEADINGS = ['enno', 'enrollnumber', 'pin', 'userid', 'acno', 'empno', 'id', 'numero']
const TIME_HEADINGS = ['datetime', 'time', 'fechahora', 'fecha', 'date']
const STATUS_HEADINGS = ['iomd', 'inout', 'inoutstatus', 'status', 'state', 'estado']

const plainHeading = (cell: string): string =>
  cell
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '')

/**
 * Where a file has number and status. Names are between the two and may be blank or have blanks. So
 * the number is counted from the left, and the status from the time.
 */
interface FileForm {
  number: number
  statusFromTime: number
}

/** The form that a heading names: `No, Mchn, EnNo, Name, Mode, IOMd, DateTime` of GLG_001.TXT. */
const formOfHeading = (line: string): FileForm | undefined => {
  const headings = cellsOf(line).map(plainHeading)
  const number = headings.findIndex((heading) => NUMBER_HEADINGS.includes(heading))
  const named = headings.filter((heading) => heading !== '')
  const time = named.findIndex((heading) => TIME_HEADINGS.includes(heading))
  const status = named.findIndex((heading) => STATUS_HEADINGS.includes(heading))
  if (number === -1 || time === -1) return undefined
  return { number, statusFromTime: status === -1 ? Infinity : status - time }
}

/** Without a heading: `attlog.dat`, whose third column is the device, or the same with a name. */
const WITHOUT_HEADING: FileForm = { number: 0, statusFromTime: 2 }

const timeColumn = (cells: readonly string[]): number => cells.findIndex(beginsWithDate)

/** Whether the time is beside the number, or beside a name that is no number. */
const isWithoutHeading = (line: string): boolean => {
  const cells = cellsOf(line)
  const time = timeColumn(cells)
  return time === 1 || (time === 2 && !/^\d*$/.test(cells[1] ?? ''))
}

const readOfFile =
  ({ number, statusFromTime }: FileForm): ReadLine =>
  (line) => {
    if (line.length > LINE_MAX) return undefined
    const cells = cellsOf(line)
    const time = timeColumn(cells)
    return time > number
      ? punchOf(cells[number] ?? '', cells[time] ?? '', cells[time + statusFromTime])
      : undefined
  }

const hasTimeOfDay = (written: ReturnType<ReadLine>): boolean =>
  typeof written === 'object' && /\d:\d/.test(written.local_at)

/**
 * The lines of a part of a file, and how to read them. Undefined if it is no file of a clock's
 * attendance: no line has a number and a time of day. Tables of other things have dates alone. A file
 * with a heading has it in each part.
 */
export const readFile = (text: string): { lines: string[]; read: ReadLine } | undefined => {
  const all = linesOf(text)
  const [first = '', ...rest] = all
  const form = timeColumn(cellsOf(first)) === -1 ? formOfHeading(first) : undefined
  const withoutHeading: ReadLine = (line) =>
    isWithoutHeading(line) ? readOfFile(WITHOUT_HEADING)(line) : undefined
  const [lines, read] = form ? [rest, readOfFile(form)] : [all, withoutHeading]
  return lines.some((line) => hasTimeOfDay(read(line))) ? { lines, read } : undefined
}
