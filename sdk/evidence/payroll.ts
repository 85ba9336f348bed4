import { FIRST_SERVICE_ID } from '../../src/core/log-values.ts'
import { saltedHash } from '../../src/core/salted-hash.ts'
import { isClosingLine } from './closing-lines.ts'
import { type Dates, SKEW_MS } from './dates.ts'
import { type PersonHead, parseExactJson } from './format.ts'
import { isRequest, type LogState, type LogStates, type SealedComment } from './log-states.ts'
import type { NamedFile } from './named-file.ts'
import type { Findings, Report } from './report.ts'
import { UnreadableFile } from './unreadable.ts'
import { joinFirst, labelOf, plural } from './words.ts'

/** The columns that every export has. Other columns are compared only if the row has them. */
const FACTS = ['employee_id', 'kind', 'recorded_at']

type Row = Record<string, unknown> & { log_id: number }

interface Evidence {
  logs: LogStates
  /** The id of the first event that is not sealed. */
  unsealedFrom: number
  /** What a person's file is about. Undefined in a whole file. */
  about: PersonHead['about'] | undefined
  dates: Pick<Dates, 'isNewer'>
}

interface Results {
  faults: Findings
  uncompared: Findings
}

type Rows = Pick<
  Report,
  'compared' | 'unproven' | 'exportedLogs' | 'rowsOfOthers' | 'unsealedColumns'
>

async function* rowsOf({ name, lines }: NamedFile): AsyncGenerator<Row> {
  let lineNumber = 0
  for await (const line of lines) {
    lineNumber++
    const row = parseExactJson(line) as Partial<Row> | null | undefined
    if (typeof row !== 'object' || row === null || typeof row.log_id !== 'number') {
      throw new UnreadableFile(
        isClosingLine(row)
          ? `${name} no es la exportación de checadas: parece traer los renglones de un cierre, que se comparan aparte (en la terminal, con --closing).`
          : `${name} no es la exportación de checadas del servicio en NDJSON: línea ${lineNumber}.`,
      )
    }
    yield row as Row
  }
}

/**
 * Whether `local_at` is the moment of `recorded_at`, in whole seconds. Any offset passes, because
 * the offset is not sealed.
 */
const isLocalTimeOf = (local: unknown, moment: unknown): boolean =>
  typeof local === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(local) &&
  Date.parse(local) === Math.floor(Date.parse(String(moment)) / 1000) * 1000

/**
 * Returns the value that a comment's column must have, by the column's name. The object is empty if
 * the evidence has no text to compare.
 */
const sealedText = (row: Row, name: string, sealed: SealedComment | undefined) => {
  if (sealed?.comment === null) return { [name]: null }
  if (sealed?.comment_salt === undefined) return {}
  const given = row[name]
  const isSealed =
    typeof given === 'string' && saltedHash(sealed.comment_salt, given) === sealed.comment
  return { [name]: isSealed ? given : 'otro' }
}

const NO_COMMENT = { comment: null, comment_salt: undefined }

/** The columns of a row that its log's events prove, and their values. */
const sealedValues = (row: Row, { last, received_at, comment_salt, request }: LogState) => {
  const { employee_id, kind, recorded_at, source, event, comment, branch } = last
  const isDecided = event === 'decided'
  const facts = { employee_id, kind, recorded_at, source, branch_office: branch }
  return {
    ...facts,
    received_at,
    decided_at: isDecided ? last.at : null,
    ...sealedText(row, 'comment', isDecided ? { comment, comment_salt } : NO_COMMENT),
    ...(isRequest(last) && sealedText(row, 'request_comment', request)),
    // It must be null for a log that nobody asked for.
    ...(!isRequest(last) && { request_comment: null }),
  }
}

/** Whether a row of the file's person is of another period or of another log than the file. */
const isOutside = ({ log_id, recorded_at }: Row, about: PersonHead['about']): boolean =>
  (about.log_id !== null && about.log_id !== log_id) ||
  String(recorded_at) < about.from ||
  String(recorded_at) >= about.before

/**
 * Whether a log may have arrived after the evidence was written. Then it is no fault that the
 * evidence lacks the log. The service's ids ascend by arrival, so a log with a smaller id than the
 * newest log cannot be later. For ids of the legacy API, only the time of arrival counts.
 */
const canBeNewer = (
  { log_id, received_at }: Row,
  { logs, dates }: Pick<Evidence, 'logs' | 'dates'>,
): boolean =>
  log_id < FIRST_SERVICE_ID
    ? dates.isNewer(received_at)
    : log_id > logs.newestId && dates.isNewer(received_at, SKEW_MS)

/** The columns that a decision changes. */
const DECIDED = ['status', 'decided_at', 'comment']

/**
 * Compares a row with the events of its log. Returns the names of the columns that the events
 * prove.
 * @param isDecidedLater whether the row has a decision that is newer than the events
 */
const compareRow = (
  row: Row,
  log: LogState,
  { faults, isDecidedLater }: { faults: Findings; isDecidedLater: boolean },
): string[] => {
  const { last } = log
  const start = `Checada ${row.log_id}: en la nómina`
  if (row.status !== last.to && !isDecidedLater) {
    faults.add(`${start} está ${labelOf(row.status)}, pero se dejó ${labelOf(last.to)}.`)
  }
  const values = sealedValues(row, log)
  for (const [name, value] of Object.entries(values)) {
    if (isDecidedLater && DECIDED.includes(name)) continue
    if (row[name] === value || (!FACTS.includes(name) && !(name in row))) continue
    faults.add(`${start} ${labelOf(name)} es ${row[name]}, y en la evidencia ${value}.`)
  }
  if ('local_at' in row && !isLocalTimeOf(row.local_at, row.recorded_at)) {
    faults.add(`${start} local_at es ${row.local_at}, que no es la hora ${row.recorded_at}.`)
  }
  return ['log_id', 'status', ...Object.keys(values)]
}

/**
 * Compares the rows of the service's exports of logs (NDJSON) with the events of each log. Reports
 * the logs of the evidence that no export has. For a whole file, these are only logs between the
 * first and the last log of an export. A log counts once, even if several exports have it.
 */
export const comparePayrolls = async (
  files: readonly NamedFile[],
  { logs, unsealedFrom, about, dates }: Evidence,
  { faults, uncompared }: Results,
): Promise<Rows> => {
  let [compared, unproven, rowsOfOthers, rowsOutside] = [0, 0, 0, 0]
  const [exported, expected] = [new Set<number>(), new Set<number>()]
  const [repeated, newer] = [new Set<number>(), new Set<number>()]
  const unsealedColumns: Rows['unsealedColumns'] = []
  for (const file of files) {
    const own = new Set<number>()
    const [unsealed, absent] = [new Set<string>(), new Set<string>()]
    let [first, last] = ['', '']
    for await (const row of rowsOf(file)) {
      const id = row.log_id
      const log = logs.get(id)
      if (!log) {
        if (about && row.employee_id !== about.employee_id) rowsOfOthers++
        else if (about && isOutside(row, about)) rowsOutside++
        else if (canBeNewer(row, { logs, dates })) newer.add(id)
        else faults.add(`Checada ${id}: está en la nómina, pero no en la evidencia.`)
        continue
      }
      const isDecidedLater =
        row.decided_at !== log.last.at && dates.isNewer(row.decided_at, SKEW_MS)
      if (own.has(id)) faults.add(`Checada ${id}: está repetida en ${file.name}.`)
      else if (exported.has(id)) repeated.add(id)
      else if (isDecidedLater) newer.add(id)
      else if (log.last.id < unsealedFrom) compared++
      else unproven++
      own.add(id)
      const { recorded_at } = log.last
      if (first === '' || recorded_at < first) first = recorded_at
      if (recorded_at > last) last = recorded_at
      const proven = compareRow(row, log, { faults, isDecidedLater })
      for (const name of Object.keys(row)) if (!proven.includes(name)) unsealed.add(name)
      for (const name of proven) if (!(name in row)) absent.add(name)
    }
    for (const [id, { last: event }] of logs) {
      const isWithin = event.recorded_at >= first && event.recorded_at <= last
      if (about !== undefined || isWithin) expected.add(id)
    }
    for (const id of own) exported.add(id)
    const columns = [...unsealed].map((name) => (name === 'local_at' ? 'zona de local_at' : name))
    unsealedColumns.push({ name: file.name, columns, absent: [...absent] })
  }
  const missing = [...expected].filter((id) => !exported.has(id)).map(String)
  if (missing.length > 0) {
    uncompared.add(
      `En la exportación de checadas no ${missing.length === 1 ? 'está' : 'están'} ${plural(missing.length, 'checada')} de la evidencia (${joinFirst(missing)}): o se quitaron, o se descargó con un filtro.`,
    )
  }
  if (repeated.size > 0) {
    uncompared.add(
      `En más de una exportación viene lo mismo (${plural(repeated.size, 'checada')}: ${joinFirst([...repeated].map(String))}): aquí se cuenta una vez.`,
    )
  }
  if (newer.size > 0) {
    uncompared.add(
      `${plural(newer.size, 'checada llegó o se decidió', 'checadas llegaron o se decidieron')} después de esta evidencia, según la exportación (${joinFirst([...newer].map(String))}): esto no se comparó. Con una evidencia más reciente se sabe.`,
    )
  }
  if (rowsOutside > 0) {
    uncompared.add(
      `${plural(rowsOutside, 'fila de nómina es', 'filas de nómina son')} de la persona, pero de fuera del periodo o de la checada de este archivo.`,
    )
  }
  const exportedLogs = files.length > 0 ? exported.size : undefined
  return { compared, unproven, exportedLogs, rowsOfOthers, unsealedColumns }
}
