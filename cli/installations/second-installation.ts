import { Readable } from 'node:stream'
import type { D1 } from '../../src/core/db/query.ts'
import type { Settings } from '../../src/core/http/settings.ts'
import { firstKeptDay } from '../../src/core/installation-days.ts'
import { FIRST_SERVICE_ID } from '../../src/core/log-values.ts'
import { zoneOf } from '../../src/core/time-zone.ts'
import { configuredSettings } from '../core/installation-file.ts'
import { requireNoFile, writeNewFile } from '../core/new-file.ts'
import { notBlank } from '../core/option-parsers.ts'
import { databaseCommand, dayOrFail } from '../core/program.ts'
import { readRows } from '../core/rows.ts'

/** `npm run installation -- people FILE`: writes data for a second installation of the company. */

/** The queries that do not depend on a day, by list of the import file. */
const SETTINGS_LISTS = {
  clients: 'SELECT code, name, status, url_base FROM clients ORDER BY code',
  modules: 'SELECT slug, name, description, icon, enabled, enabled_app FROM modules ORDER BY slug',
  config: 'SELECT key, tipo, nombre, valor FROM config_entries ORDER BY key',
  users: `SELECT email, nullif(password_hash, '') AS password_hash, first_name, last_name,
    mother_last_name, role, active, external, type_user, status_user, employee_id, machine,
    scope_branches, sources FROM users WHERE email NOT LIKE '%@invalid' ORDER BY id`,
}

/**
 * `branches` has the zones of each branch, and for each first day only the newest of its zones.
 * `employees` has the people with their longest shift on the day ?1.
 */
const PEOPLE_LISTS = {
  branches: `SELECT branch_office, time_zone, nullif(valid_from, '') AS valid_from
    FROM (SELECT *, max(id) FROM branch_zones GROUP BY branch_office, valid_from) ORDER BY id`,
  employees: `SELECT employee_id, full_name, rfc, phone, cellphone, started_at, job_position,
    department, branch_office, profile_image, payroll_group, ended_at,
    (SELECT max_shift_hours FROM employee_shifts AS shift
      WHERE shift.employee_id = employees.employee_id AND valid_from <= ?1
      ORDER BY valid_from DESC, shift.id DESC LIMIT 1) AS max_shift_hours
    FROM employees ORDER BY employee_id`,
}

/**
 * Selects the logs from a moment on, with their status. Logs of the legacy API keep their number.
 * Logs of clocks keep their source and id. All other logs get the source `anterior`, and their
 * number as the id, so that the other installation treats them as logs of a clock.
 */
const SELECT_LOGS = `SELECT iif(is_legacy, id, NULL) AS log_id,
    CASE WHEN is_legacy THEN NULL WHEN is_of_clock THEN source ELSE 'anterior' END AS source,
    CASE WHEN is_legacy THEN NULL WHEN is_of_clock THEN source_id ELSE CAST(id AS TEXT) END
      AS source_id,
    employee_id, kind, recorded_at, status
  FROM (SELECT *, id < ${FIRST_SERVICE_ID} AS is_legacy,
      source <> '' AND source NOT GLOB 'app:*' AND source NOT GLOB 'manual:*'
        AND source NOT GLOB 'request:*' AS is_of_clock FROM attendance_logs)
  WHERE recorded_at >= ?1 ORDER BY id`

type Row = Record<string, unknown>

/** Omits the fields that are null, except `employee_id`, which an import requires of users. */
const present = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).filter(([name, value]) => value !== null || name === 'employee_id'),
  )

const toFlags = ({ enabled, enabled_app, ...row }: Row): Row => ({
  ...row,
  enabled: enabled === 1,
  enabled_app: enabled_app === 1,
})

/** An import file cannot limit users to branches or sources, so limited users become inactive. */
const toUser = ({ scope_branches, sources, machine, ...row }: Row): Row => ({
  ...row,
  ...(machine === 1 && { machine: true }),
  active: scope_branches || sources ? 0 : row.active,
})

const isLimited = ({ active, scope_branches, sources }: Row): boolean =>
  active === 1 && Boolean(scope_branches || sources)

/** The import rejects a user without a password, unless it is a machine. */
const hasAccess = ({ password_hash, machine }: Row): boolean =>
  machine === 1 || password_hash !== undefined

const readLists = async (db: D1, lists: Record<string, string>, ...values: unknown[]) => {
  const file: Record<string, Row[]> = {}
  for (const [name, query] of Object.entries(lists)) {
    // SQLite refuses a value that no parameter takes.
    const taken = query.includes('?1') ? values : []
    file[name] = (await readRows<Row>(db, query, ...taken)).map(present)
  }
  return file
}

const printUsers = (title: string, users: readonly Row[]): void => {
  if (users.length > 0) console.log(`${title}: ${users.map(({ email }) => email).join(', ')}`)
}

const printLeftOut = (users: readonly Row[]): void => {
  printUsers('Limited to branches or sources, so not active in it', users.filter(isLimited))
  const machines = users.filter(({ machine }) => machine === 1)
  printUsers('Machines, which need a token there', machines)
  const withoutPassword = users.filter((user) => !hasAccess(user))
  printUsers('Without a password, so left out', withoutPassword)
}

/** Reads all lists except logs, with the longest shifts of the people on a day. */
const readAll = async (db: D1, day: string) => {
  const { modules = [], users = [], ...lists } = await readLists(db, SETTINGS_LISTS)
  const people = await readLists(db, PEOPLE_LISTS, day)
  const file = {
    ...lists,
    ...people,
    modules: modules.map(toFlags),
    users: users.filter(hasAccess).map(toUser),
  }
  return { file, users }
}

/** Reads the people on the first day of the second installation, and the logs that it keeps. */
const readLogs = async (db: D1, firstDay: string, { TIME_ZONE }: Pick<Settings, 'TIME_ZONE'>) => {
  const people = await readLists(db, PEOPLE_LISTS, firstDay)
  const day = firstKeptDay({ firstDay }) ?? firstDay
  const since = zoneOf(TIME_ZONE, new Date()).startOf(day).toISOString()
  return { ...people, ...(await readLists(db, { logs: SELECT_LOGS }, since)) }
}

export const people = databaseCommand(
  'people',
  'write people, users, clients, modules and configuration as an import file',
)
  .argument('<file>', 'the file to write; it has personal data and hashes of passwords')
  .option(
    '--first-day <day>',
    'instead people, and the logs with decisions that an installation from then on keeps',
    notBlank,
  )
  .onDatabase(async (db, path: string, options) => {
    requireNoFile(path)
    const firstDay: string | undefined = options.firstDay && dayOrFail(options.firstDay)
    const settings = configuredSettings(options)
    const today = zoneOf(settings.TIME_ZONE, new Date()).localDay(new Date())
    const { file, users } = firstDay
      ? { file: await readLogs(db, firstDay, settings), users: [] }
      : await readAll(db, today)
    await writeNewFile(path, Readable.from([JSON.stringify(file, null, 1)]))
    console.log(`Wrote ${path}. Next, there: npm run import -- ${path}`)
    printLeftOut(users)
  })
