import { FACT_COLUMNS, type SourceRow } from './sync-rows.ts'

/** The values of a row in the other database. */
type Row = NonNullable<SourceRow['values']>

export interface ServiceLog {
  log_id: number
  employee_id: string
  kind: string
  recorded_at: string
  local_at: string
  status: string
}

const utc = (moment = ''): string => {
  const at = Date.parse(moment)
  return Number.isNaN(at) ? moment : new Date(at).toISOString()
}

const differencesOf = (log: ServiceLog, row: Row): string[] => {
  const values = { ...row, recorded_at: utc(row.recorded_at) }
  const differences = FACT_COLUMNS.filter((fact) => values[fact] !== log[fact]).map(
    (fact) => `${fact} is ${values[fact]} there, ${log[fact]} here`,
  )
  if (row.status !== log.status) {
    differences.push(`${row.status} there, ${log.status} here`)
  }
  return differences
}

/**
 * Returns a text of the employee, kind and second. The service stores only one log for each text.
 */
const secondOf = ({ employee_id, kind, recorded_at }: Row): string =>
  [employee_id, kind, utc(recorded_at).slice(0, 19)].join('\t')

/**
 * Compares the service's logs of some days with the rows of the other database, in both directions.
 * Both inputs also have logs of the days before and after, because the moment or the zone of a log
 * may differ. If the service has the log of a row, the row is deleted from `rows`.
 * @param isLegacy whether a log has a number of the other database
 */
export const compareRows = async (
  rows: Map<string, Row>,
  logs: AsyncIterable<ServiceLog>,
  { from, to, isLegacy }: { from: string; to: string; isLegacy: (log: ServiceLog) => boolean },
) => {
  const changed: string[] = []
  const missingThere: string[] = []
  let count = 0
  const isOfDays = (day: string) => from <= day && day <= to
  const seconds = new Set<string>()
  /** The milliseconds from UTC to each employee's local time, at the employee's last log. */
  const offsets = new Map<string | undefined, number>()
  let lastOffset = 0
  const localDay = ({ employee_id, recorded_at }: Row): string => {
    const at = Date.parse(recorded_at ?? '') + (offsets.get(employee_id) ?? lastOffset)
    return Number.isNaN(at) ? from : new Date(at).toISOString().slice(0, 10)
  }

  for await (const log of logs) {
    const [local, moment] = [log.local_at, log.recorded_at].map((text) => text.slice(0, 19))
    lastOffset = Date.parse(`${local}Z`) - Date.parse(`${moment}Z`)
    offsets.set(log.employee_id, lastOffset)
    seconds.add(secondOf(log as unknown as Row))
    if (!isLegacy(log)) continue
    const row = rows.get(String(log.log_id))
    rows.delete(String(log.log_id))
    if (!isOfDays(log.local_at.slice(0, 10)) && !(row && isOfDays(localDay(row)))) continue
    count++
    if (row) {
      const differences = differencesOf(log, row)
      if (differences.length > 0) changed.push(`${log.log_id}: ${differences.join('; ')}`)
      // A rejected log has the same effect as a deleted row, so they do not differ.
    } else if (log.status !== 'rejected') {
      missingThere.push(`${log.log_id}: deleted there, ${log.status} here`)
    }
  }

  const missingHere = [...rows]
    .filter(([, row]) => isOfDays(localDay(row)) && !seconds.has(secondOf(row)))
    .map(([id, { status }]) => `${id}: ${status ? `${status} there, ` : ''}missing here`)
  return { count: count + missingHere.length, changed, missingThere, missingHere }
}
