import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { forgetEmployee } from '../../cli/people/forget.ts'
import { stopClock } from '../support/clock/clock.ts'
import { allRows } from '../support/factories.ts'
import { fillService } from '../support/filled-service.ts'
import { tablesWith } from '../support/table-facts.ts'

const WITHOUT_PEOPLE = tablesWith('noPeople')

/**
 * Columns that keep their text when everybody is forgotten, because it names nobody or may not
 * change.
 */
const KEPT_COLUMNS = {
  'the number of a person, which events and payroll go on to use': ['*.employee_id'],
  'a place, a job and a group': [
    ...['*.branch_office', '*.department', '*.payroll_group', 'employees.job_position'],
    'people_changes.branches',
  ],
  'what a change is about': ['people_changes.subject', 'people_changes.subject_id'],
  'a kind, a status and a role': [
    ...['*.kind', '*.status', '*.from_status', '*.to_status', '*.event', 'users.role'],
    ...['users.type_user', 'users.status_user', 'intake_problems.result', 'intake_problems.reason'],
    'waiting_punches.reason',
    ...[
      'closing_lines.exceptions',
      'closing_lines.notices',
      'closing_lines.detail',
      'closing_lines.spans',
      'closing_lines.extra_log_ids',
    ],
  ],
  'a source and its number of a log': ['*.source', '*.source_id', 'closings.unsynced'],
  'who wrote an event, as a hash or as “import”': ['log_events.actor'],
  'rules of places, clocks and numbered people': ['log_events.details'],
  'a clock, its address, its numbers, what of it nobody could read, and why punches of a number were dismissed':
    [
      ...['*.serial', '*.number', '*.address', '*.local_at', 'clocks.stamp', 'clocks.sent_from'],
      ...['clocks.unconfirmed', 'clocks.own_address', 'intake_problems.detail'],
      ...['waiting_punches.dismissed_reason'],
    ],
  'a random id': ['closings.token', 'revoked_tokens.jti'],
  'an address that names nobody': ['users.email', 'users.email_key'],
  'a signed checkpoint and its key': ['log_seals.checkpoint', 'log_seals.verifier_key'],
  'words on payroll of several people: the command lists those that name the person': [
    ...['closings.comment', 'closings.cancel_comment'],
  ],
}

/** Whether the text is a date, a time, a hash or a salt. */
const isTimeOrHash = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d:\d\d(\.\d{3}Z)?)?$/.test(text) || /^[0-9a-f]{32,}$/.test(text)

/** Columns that the filled service leaves empty. */
const EMPTY_COLUMNS = [
  'users.sources',
  'closings.payroll_group',
  'closings.employee_id',
  'intake_sources.retired_at',
  'intake_sources.label',
  'intake_problems.dismissed_at',
  'intake_problems.dismissed_reason',
  'day_reviews.comment',
  'clocks.receiving_since',
]

it('the filled service has text in every text column except EMPTY_COLUMNS', async () => {
  stopClock('2026-11-22T18:00:00.000Z')
  await fillService()
  const empty: string[] = []
  for (const [table, rows] of Object.entries(await allRows())) {
    if (WITHOUT_PEOPLE.includes(table)) continue
    const { results } = await env.DB.prepare(
      `SELECT name FROM pragma_table_info('${table}') WHERE type = 'TEXT'`,
    ).all<{ name: string }>()
    for (const { name } of results) {
      if (!rows.some((row) => row[name])) empty.push(`${table}.${name}`)
    }
  }
  expect(empty, 'fill it in test/support/filled-service.ts').toEqual(EMPTY_COLUMNS)
})

it('leaves no text of a person in any column, except those that are known to keep it', async () => {
  stopClock('2026-11-22T18:00:00.000Z')
  await fillService()
  const { employees = [] } = await allRows()
  for (const { employee_id } of employees) {
    await forgetEmployee(env.DB, String(employee_id), { now: new Date(), adminRoles: ['admin'] })
  }

  const known = Object.values(KEPT_COLUMNS).flat()
  const withText = new Set<string>()
  for (const [table, rows] of Object.entries(await allRows())) {
    if (WITHOUT_PEOPLE.includes(table)) continue
    // An administrator who is not an employee is not forgotten. A group is no person.
    const ofPeople = rows
      .filter((row) => table !== 'users' || row.employee_id !== null)
      .filter((row) => row.subject !== 'payroll_group')
    for (const [column, value] of ofPeople.flatMap((row) => Object.entries(row))) {
      const isText = typeof value === 'string' && value.trim() !== '' && !isTimeOrHash(value)
      const isKnown = known.includes(`*.${column}`) || known.includes(`${table}.${column}`)
      if (isText && !isKnown) withText.add(`${table}.${column}`)
    }
  }
  expect([...withText], 'erase it in cli/people/forget.ts, or say here why it stays').toEqual([])
})
