import { Readable } from 'node:stream'
import type { D1 } from '../../src/core/db/query.ts'
import { FIRST_OWN_ID } from '../../src/core/log-values.ts'
import { firstLogDay } from '../../src/core/own-days.ts'
import { zoneOf } from '../../src/core/time-zone.ts'
import { configuredSettings } from '../core/installation-file.ts'
import { withReader } from '../core/local-sqlite.ts'
import { requireNoFile, writeNewFile } from '../core/new-file.ts'
import { databaseCommand, dayOrFail } from '../core/program.ts'
import { readRows } from '../core/rows.ts'

/** `npm run installation -- people FILE`: what a second installation of the company needs. */

/** The lists of an import file. Of several longest shifts, the file takes the newest. */
const LISTS = {
  clients: 'SELECT code, name, status, url_base FROM clients ORDER BY code',
  modules: 'SELECT slug, name, description, icon, enabled, enabled_app FROM modules ORDER BY slug',
  config: 'SELECT key, tipo, nombre, valor FROM config_entries ORDER BY key',
  branches: `SELECT branch_office, time_zone, nullif(valid_from, '') AS valid_from
    FROM branch_zones ORDER BY id`,
  employees: `SELECT employee_id, full_name, rfc, phone, cellphone, started_at, job_position,
    department, branch_office, profile_image, payroll_group, ended_at,
    (SELECT max_shift_hours FROM employee_shifts AS shift
      WHERE shift.employee_id = employees.employee_id ORDER BY shift.id DESC LIMIT 1) AS max_shift_hours
    FROM employees ORDER BY employee_id`,
  users: `SELECT email, nullif(password_hash, '') AS password_hash, first_name, last_name,
    mother_last_name, role, active, external, type_user, status_user, employee_id, machine,
    scope_branches, sources FROM users WHERE email NOT LIKE '%@invalid' ORDER BY id`,
}

/**
 * The logs since a moment with their decisions, by their number of the legacy API or the id that a
 * clock gave them. Others get a source of their own, with their number here as their id.
 */
const SELECT_LOGS = `SELECT iif(is_legacy, id, NULL) AS log_id,
    CASE WHEN is_of_clock THEN source WHEN NOT is_legacy THEN 'anterior' END AS source,
    CASE WHEN is_of_clock THEN source_id WHEN NOT is_legacy THEN CAST(id AS TEXT) END AS source_id,
    employee_id, kind, recorded_at, status
  FROM (SELECT *, source = '' AND id < ${FIRST_OWN_ID} AS is_legacy,
      source <> '' AND source NOT GLOB 'app:*' AND source NOT GLOB 'manual:*'
        AND source NOT GLOB 'request:*' AS is_of_clock FROM attendance_logs)
  WHERE recorded_at >= ?1 ORDER BY id`

type Row = Record<string, unknown>

/** Without the fields that are null. The import keeps or leaves them empty. */
const present = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).filter(([name, value]) => value !== null || name === 'employee_id'),
  )

const toFlags = ({ enabled, enabled_app, ...row }: Row): Row => ({
  ...row,
  enabled: enabled === 1,
  enabled_app: enabled_app === 1,
})

/** An import file has no limits, so users who have them are not active in it. */
const toUser = ({ scope_branches, sources, machine, ...row }: Row): Row => ({
  ...present(row),
  ...(machine === 1 && { machine: true }),
  active: scope_branches === null && sources === null ? row.active : 0,
})

const isLimited = ({ active, scope_branches, sources }: Row): boolean =>
  active === 1 && (scope_branches !== null || sources !== null)

/** A user without a password would be an error of the import. */
const hasAccess = ({ password_hash, machine }: Row): boolean =>
  machine === 1 || password_hash !== null

/** @param since the moment from which on logs are in the file. Without it, none are */
const readLists = async (db: D1, since: string | undefined) => {
  const lists: Record<string, Row[]> = {}
  for (const [name, query] of Object.entries(LISTS)) lists[name] = await readRows<Row>(db, query)
  const { modules = [], users = [] } = lists
  const file = {
    ...lists,
    modules: modules.map(toFlags),
    branches: lists.branches?.map(present),
    employees: lists.employees?.map(present),
    users: users.filter(hasAccess).map(toUser),
    ...(since && { logs: (await readRows<Row>(db, SELECT_LOGS, since)).map(present) }),
  }
  return { file, users }
}

const printUsers = (title: string, users: readonly Row[]): void => {
  if (users.length > 0) console.log(`${title}: ${users.map(({ email }) => email).join(', ')}`)
}

export const people = databaseCommand(
  'people',
  'write people, users, zones, modules, clients and configuration as an import file',
)
  .argument('<file>', 'the file to write; it has personal data and hashes of passwords')
  .option(
    '--first-day <day>',
    'also the logs, with decisions, that an installation from then on keeps',
  )
  .action(async (path: string, options) => {
    requireNoFile(path)
    const { TIME_ZONE } = configuredSettings(options.installation)
    const firstDay = options.firstDay && firstLogDay({ firstDay: dayOrFail(options.firstDay) })
    const since = firstDay && zoneOf(TIME_ZONE, new Date()).startOf(firstDay).toISOString()
    await withReader(options, async (db) => {
      const { file, users } = await readLists(db, since)
      await writeNewFile(path, Readable.from([JSON.stringify(file, null, 1)]))
      console.log(`Wrote ${path}. Next, there: npm run import -- ${path}`)
      printUsers('Limited to branches or sources, so not active in it', users.filter(isLimited))
      const machines = users.filter(({ machine }) => machine === 1)
      printUsers('Machines, which need a token there', machines)
      printUsers(
        'Without a password, so left out',
        users.filter((user) => !hasAccess(user)),
      )
    })
  })
