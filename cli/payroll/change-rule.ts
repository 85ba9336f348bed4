import type { Dated } from '../../src/core/dated.ts'
import type { AuthorizedDb } from '../../src/core/db/authorization.ts'
import type { D1 } from '../../src/core/db/query.ts'
import { addDays } from '../../src/core/time-zone.ts'
import { readPersonDays } from '../../src/payroll/person-days.ts'
import { actAsOperator, payrollContextOf } from '../core/act-as.ts'
import type { Target } from '../core/database.ts'
import { CliError } from '../core/run-cli.ts'
import { findPaidRules, insertRules, type RuleSubject } from './dated-rules.ts'

const SHOWN_DAYS = 31
const SHOWN_LINES = 20

/** A period that includes both days. */
interface Days {
  from: string
  to: string
}

/** Returns the pairs and exceptions of each day as text, by person and day. */
const readPairs = async (
  db: AuthorizedDb,
  ids: readonly string[],
  { from, to, maxShiftHours }: Days & { maxShiftHours: Dated<number> },
): Promise<Map<string, string>> => {
  const people = ids.map((employee_id) => ({ employee_id, firstDay: from }))
  const options = { before: addDays(to, 1), countPending: false, maxShiftHours }
  const pairs = new Map<string, string>()
  for await (const page of readPersonDays(db, people, options)) {
    for (const { person, days } of page) {
      for (const { day, detail, exceptions } of days) {
        if (day < from || day > to) continue
        pairs.set(`${person.employee_id} ${day}`, [detail, ...exceptions].join(' '))
      }
    }
  }
  return pairs
}

const showChanges = (before: Map<string, string>, after: Map<string, string>): void => {
  const days = [...new Set([...before.keys(), ...after.keys()])].sort()
  const changed = days.filter((day) => before.get(day) !== after.get(day))
  for (const day of changed.slice(0, SHOWN_LINES)) {
    console.log(`${day}: ${before.get(day) ?? 'nothing'} → ${after.get(day) ?? 'nothing'}`)
  }
  const more = changed.length - SHOWN_LINES
  if (more > 0) console.log(`… and ${more} more`)
  if (changed.length === 0) console.log(`No day of the last ${SHOWN_DAYS} changes.`)
}

/**
 * Adds a rule, and prints the pairs of recent days that it changes. `listConcerned` returns the ids
 * of the employees to whom the rule applies.
 * @throws CliError if the rule would change a day that a closing has paid, or if it is stored
 * already
 */
export const changeRule = async (
  db: D1,
  { list, row, from }: { list: RuleSubject; row: object; from: string | undefined },
  target: Target,
  listConcerned: (db: AuthorizedDb, days: Days) => Promise<readonly string[]>,
): Promise<void> => {
  const json = JSON.stringify([{ ...row, valid_from: from }])
  const [paid] = await findPaidRules(db, list, json)
  if (paid) {
    const { paid_before } = paid
    throw new CliError(
      `Days before ${paid_before} are paid: give --from ${paid_before}, or a later day.`,
    )
  }
  const { maxShiftHours, today } = payrollContextOf(target)
  const oldest = addDays(today, 1 - SHOWN_DAYS)
  const days = { from: from && from > oldest ? from : oldest, to: today }
  const ids = await listConcerned(await actAsOperator(db, target), days)
  // An open database keeps the zones that it has read, so each reading opens it again.
  const readNow = async () =>
    readPairs(await actAsOperator(db, target), ids, { ...days, maxShiftHours })
  const before = await readNow()
  const count = await insertRules(db, list, json)
  if (count === 0) throw new CliError('Nothing was changed: it is so already.')
  showChanges(before, await readNow())
}
