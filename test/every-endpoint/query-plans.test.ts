import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { resetUsedDatabase } from '../support/database.ts'
import { REQUESTS, seedEndpoints, send } from '../support/endpoints.ts'
import { recordQueries } from '../support/record-queries.ts'

/** Aliases of subqueries and lists of values in statements. Scanning them is expected. */
const ALIASES = [
  ...['item', 'page', 'problem', 'selected', 'cancelled', 'unfinished', 'given', 'punch', 'row'],
  ...['added', 'correction', 'requested', 'own', 'paid'],
  ...['written', 'expected', 'change', 'side', 'given'].map(
    (list) => `${list} VIRTUAL TABLE INDEX 1:`,
  ),
]

/** SQLite plans a scan for these rows. It runs only if a deferred foreign key is violated. */
const USERS_KEY = 'rows that refer to a new user (there are none)'

/** The allowed scans of whole tables, as SQLite names them, with the reason for each. */
const KNOWN_SCANS: Record<string, string> = {
  'attendance_logs USING COVERING INDEX attendance_logs_branch_department':
    'a summary without filters counts every log, and reads only the index',
  log_events: 'a foreign key plans it, and it runs only if the log of a comment is missing',
  people_changes: USERS_KEY,
  day_reviews: USERS_KEY,
  employee_shifts: USERS_KEY,
  branch_zones: USERS_KEY,
  clock_numbers: USERS_KEY,
  waiting_punches: USERS_KEY,
  log_comments: USERS_KEY,
  attendance_logs: USERS_KEY,
  company: 'the table has one row',
  'employee_shifts USING INDEX employee_shifts_employee_id': 'the list has every rule',
  shift: 'the list has every rule',
  'employees USING INDEX sqlite_autoindex_employees_1': 'the list has every rule with its name',
  u: 'the administrators, among some thousand users',
  'users USING COVERING INDEX users_email_key_unique': 'the used addresses of a domain',
  log_seals: 'the evidence of all logs contains every seal',
  'log_seals USING INDEX log_seals_size_unique': 'the newest seal is the last entry of the index',
  users: 'the evidence of all logs contains the address of every user',
  employees: 'a closing selects people; a new id may resemble one',
  'payroll_groups USING COVERING INDEX sqlite_autoindex_payroll_groups_1': 'a few in a company',
  'payroll_groups USING INDEX sqlite_autoindex_payroll_groups_1': 'a few in a company',
  closings: 'some hundred in ten years',
  agreements: 'some in ten years',
  'log_events USING INDEX log_events_objections': 'the index has only objections',
  closing: 'some hundred in ten years',
  'closings USING INDEX closings_unfinished': 'the index has only unfinished closings',
  'intake_sources USING INDEX sqlite_autoindex_intake_sources_1': 'the list has every clock',
  'es USING COVERING INDEX sqlite_autoindex_employee_sources_1': 'the clocks of all people',
  push_state: 'one row',
  clocks: 'some hundred in a company',
  'clock_numbers USING INDEX clock_numbers_number': 'the list has every number of a clock',
  'clocks USING INDEX sqlite_autoindex_clocks_1': 'the list has every clock',
  'unknown_clocks USING INDEX sqlite_autoindex_unknown_clocks_1': 'at most 200 a day, for 30 days',
  'waiting_punches USING INDEX sqlite_autoindex_waiting_punches_1': 'at most 10,000 of a clock',
  'intake_problems USING INDEX intake_problems_item': 'each clock has at most a thousand',
}

const countParameters = (text: string): number => {
  const numbers = [...text.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number))
  return numbers.length > 0 ? Math.max(...numbers) : text.split('?').length - 1
}

/** The tables that a statement reads whole, except lists of values and its own subqueries. */
const scansOf = async (text: string): Promise<string[]> => {
  const nulls = Array(countParameters(text)).fill(null)
  const statement = env.DB.prepare(`EXPLAIN QUERY PLAN ${text}`).bind(...nulls)
  const { results } = await statement.all<{ detail: string }>()
  const questions = [...text.matchAll(/\b(\w+) AS \(/g)].map(([, name]) => name)
  return results
    .map(({ detail }) => /^SCAN (?!json_each|CONSTANT ROW|\()(.+)$/.exec(detail)?.[1] ?? '')
    .filter((scan) => scan !== '' && !ALIASES.includes(scan) && !questions.includes(scan))
}

it('finds rows by an index in every statement, except in the known scans', async () => {
  const scans = new Map<string, string>()
  const explained = new Set<string>()
  for (const { endpoint, request, name } of REQUESTS) {
    await resetUsedDatabase()
    const { token } = await seedEndpoints({ outdatedHash: true })
    const { DB, recording } = recordQueries(env.DB)
    await send(endpoint, request, { token, env: { DB } })
    for (const text of recording.results.keys()) {
      if (explained.has(text)) continue
      explained.add(text)
      for (const scan of await scansOf(text)) scans.set(scan, name)
    }
  }
  expect(explained.size).toBeGreaterThan(50)
  const unknown = [...scans].filter(([scan]) => !KNOWN_SCANS[scan])
  expect(unknown, 'an index is missing, or the scan belongs to KNOWN_SCANS').toEqual([])
  expect(Object.keys(KNOWN_SCANS).filter((scan) => !scans.has(scan))).toEqual([])
})
