import { expect, it } from 'vitest'
import { COLUMN_HELP } from '../../console/help/help-texts.ts'
import { EXCEPTION_HELP } from '../../console/hours/day-sentence.ts'
import * as HOURS_TEXTS from '../../console/ui/hours-texts.ts'
import {
  LINES_FILE,
  PERSONS_FILE,
  WEEKS_FILE,
} from '../../src/payroll/closings/closing-rows.http.ts'
import {
  HOURS_FILE,
  TOTALS_FILE,
  WEEK_TOTALS_FILE,
} from '../../src/payroll/hours/hours-rows.http.ts'
import { EXCEPTIONS, NOTICES } from '../../src/payroll/hours/marks.ts'
import { SPANISH_COLUMNS } from '../../src/payroll/hours/spanish-columns.ts'

it('explains every exception, notice and column of the files, and no other', () => {
  expect(Object.keys(EXCEPTION_HELP).sort()).toEqual([...EXCEPTIONS].sort())
  expect(Object.keys(HOURS_TEXTS.EXCEPTIONS).sort()).toEqual([...EXCEPTIONS].sort())
  expect(Object.keys(HOURS_TEXTS.NOTICES).sort()).toEqual([...NOTICES].sort())
  const files = [LINES_FILE, PERSONS_FILE, WEEKS_FILE, HOURS_FILE, TOTALS_FILE, WEEK_TOTALS_FILE]
  const columns = new Set(
    files.flatMap(({ csv }) =>
      csv.head
        .replace(/^\uFEFF/, '')
        .trim()
        .split(','),
    ),
  )
  // The hours of a duration are explained with its seconds.
  const explained = [...columns].filter((name) => !name.endsWith('_hours'))
  expect(Object.keys(COLUMN_HELP).sort()).toEqual(explained.sort())
  expect(Object.keys(SPANISH_COLUMNS).sort()).toEqual([...columns].sort())
})
