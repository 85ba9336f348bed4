import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { addDays } from '../../src/core/values/time-zone.ts'
import { resetDatabase } from '../support/database.ts'
import { anAdmin, anEmployee, paysFrom } from '../support/factories.ts'
import { payrollOf } from '../support/payroll.ts'
import { recordQueries } from '../support/record-queries.ts'

const FIRST = '2021-01-04'
const PEOPLE = 20

/** Adds approved day shifts from Monday to Saturday, before there is any closing. */
const insertWeeks = (weeks: number) =>
  env.DB.prepare(
    `WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < ?1 * 7 - 1)
     INSERT INTO attendance_logs (employee_id, kind, recorded_at, status)
     SELECT employee_id, kind, strftime('%Y-%m-%dT%H:%M:%fZ', ?2, i || ' days', hour), 'approved'
     FROM n, employees, (SELECT 'entrada' AS kind, '14 hours' AS hour UNION ALL SELECT 'salida', '23 hours')
     WHERE i % 7 < 6`,
  )
    .bind(weeks, FIRST)
    .run()

/** The number of rows that a closing of one week reads, after `weeks` weekly closings. */
const rowsReadAfter = async (weeks: number): Promise<number> => {
  await resetDatabase()
  const { token } = await anAdmin()
  await paysFrom(FIRST)
  for (let i = 0; i < PEOPLE; i++) await anEmployee()
  await insertWeeks(weeks + 1)
  const end = (week: number) => addDays(FIRST, week * 7)
  for (let week = 1; week <= weeks; week++) {
    await payrollOf(token).closed({ before: end(week) })
  }
  const { DB, recording } = recordQueries(env.DB)
  const closing = await payrollOf(token, { DB }).closed({ before: end(weeks + 1) })
  expect(closing).toMatchObject({ people: PEOPLE, period_seconds: PEOPLE * 6 * 9 * 3600 })
  return recording.rowsRead
}

it('reads no more rows after five years of weekly closings than after five weeks', async () => {
  const [weeks, years] = [await rowsReadAfter(5), await rowsReadAfter(260)]
  // The table of closings is scanned a few times. It has one row per closing, not per person.
  expect(years - weeks).toBeLessThan(255 * 8)
})
