import type { D1 } from '../../src/core/db/query.ts'
import type { RuleList } from '../../src/payroll/rules/rules.queries.ts'
import { inChunks } from '../core/chunks.ts'
import { operatorMessage } from '../core/error-messages.ts'
import { findFaults, groupsOf } from './employees.ts'
import {
  changedLogs,
  type ImportFile,
  logKey,
  type ParsedFile,
  type PlacedRow,
  rowsOf,
  type StoredLog,
  takenEmployees,
  unknownEmployees,
} from './file.ts'
import { compareHourRules, type PlacedRule, shiftsOfFile, zonesOfFile } from './hour-rules.ts'
import {
  findEmployees,
  findEmployeeUsers,
  findLockedRows,
  findStoredLogs,
  queryInChunks,
} from './queries.ts'

const storedKeys = ({ id, source, source_id }: StoredLog): string[] => [
  logKey({ log_id: id }),
  ...(source_id === null ? [] : [logKey({ source, source_id })]),
]

/** Finds the logs of the file that are stored already. Returns them by each of their keys. */
export const findLogs = async (db: D1, { logs }: ImportFile): Promise<Map<string, StoredLog>> => {
  const keys = rowsOf(logs).map((row) => row.log_id ?? [row.source, row.source_id])
  const stored = await queryInChunks(keys, (json) => findStoredLogs(db, json))
  return new Map(stored.flatMap((log) => storedKeys(log).map((key) => [key, log])))
}

/** Returns an error for each row that `findWrong` finds. `key` is the row's index in its chunk. */
const findErrors = async <Row, Found extends { key: number }>(
  rows: readonly PlacedRow<Row>[],
  findWrong: (json: string, chunk: Row[]) => Promise<Found[]>,
  messageOf: (found: Found) => string,
): Promise<string[]> => {
  const errors: string[] = []
  let done = 0
  for (const { json, rows: chunk } of inChunks(rowsOf(rows))) {
    for (const found of await findWrong(json, chunk)) {
      errors.push(`${rows[done + found.key]?.place}.${messageOf(found)}`)
    }
    done += chunk.length
  }
  return errors
}

/** Returns an error for each rule that would change paid days. */
const findPaidRules = async (
  db: D1,
  list: RuleList,
  rules: readonly PlacedRule[],
): Promise<string[]> =>
  (await compareHourRules(db, list, rules)).flatMap(
    ({ rule: { place, valid_from }, result, paid_before }) =>
      result !== 'kept' && paid_before !== null && paid_before > valid_from
        ? [`${place}: may not change days before ${paid_before}, which are paid`]
        : [],
  )

/** Returns the errors that only a comparison with the database can find. */
export const findConflicts = async (
  db: D1,
  parsed: ParsedFile,
  storedLogs: ReadonlyMap<string, StoredLog>,
): Promise<string[]> => {
  const { file } = parsed
  const { employees, users, logs } = file
  const linked = rowsOf(users).flatMap(({ employee_id }) => employee_id ?? [])
  const referenced = new Set([...linked, ...rowsOf(logs).map(({ employee_id }) => employee_id)])
  const known = await queryInChunks([...referenced], (json) => findEmployees(db, json))
  const taken = await queryInChunks(linked, (json) => findEmployeeUsers(db, json))
  const decided = logs.filter(({ row }) => row.status !== 'pending' && !storedLogs.has(logKey(row)))
  return [
    ...unknownEmployees(parsed, new Set(known.map(({ employee_id }) => employee_id))),
    ...takenEmployees(file, new Map(taken)),
    ...changedLogs(file, storedLogs),
    // A trigger also rejects these logs, for closings that are stored after this check.
    ...(await findErrors(
      decided,
      (json) => findLockedRows(db, json),
      () => 'status: decides a log of a closed period',
    )),
    ...(await findErrors(
      employees,
      (_, rows) => findFaults(db, rows, groupsOf(file)),
      ({ fault }) => `${fault.field}: ${operatorMessage(fault)}`,
    )),
    ...(await findPaidRules(db, 'zones', zonesOfFile(file))),
    ...(await findPaidRules(db, 'shifts', shiftsOfFile(file))),
  ]
}
