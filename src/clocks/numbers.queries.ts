import { eq, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import type { BatchDb } from '../core/db/batch-db.ts'
import { insertSelect, type Params, prepare, qb } from '../core/db/query.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { clock_numbers } from '../core/tables/clocks.ts'
import { employees } from '../core/tables/people.ts'
import { employeeIdKey } from '../people/employees.queries.ts'
import { requireClock } from './clock-in-scope.queries.ts'

/** Whose numbers clocks send. A number belongs to somebody because a user said so, or by their id. */

interface Numbers {
  serial: string
  /** A JSON list. */
  numbers: string
}

const given = (p: Params<Numbers>) =>
  sql`(SELECT value AS number FROM json_each(${p.numbers}) LIMIT -1) AS given`

const rowFields = {
  number: sql<string>`${clock_numbers.number}`.as('number'),
  serial: sql<string>`${clock_numbers.serial}`.as('serial'),
  employee_id: sql<string>`${clock_numbers.employee_id}`.as('employee_id'),
  valid_from: sql<string>`${clock_numbers.valid_from}`.as('valid_from'),
  is_named: sql`${clock_numbers.user_id} IS NOT NULL`.mapWith(Boolean).as('is_named'),
  branch_office: sql<string>`${employees.branch_office}`.as('branch_office'),
}

/** The rows of the clock, and of all clocks, the newest first. */
const selectNumbers = prepare((p: Params<Numbers>) =>
  qb
    .select(rowFields)
    .from(sql`${given(p)} CROSS JOIN ${clock_numbers} ON ${clock_numbers.number} = given.number`)
    .innerJoin(employees, eq(employees.employee_id, clock_numbers.employee_id))
    .where(sql`${clock_numbers.serial} IN (${p.serial}, '')`)
    .orderBy(sql`${clock_numbers.id} DESC`),
)

/** The rows of a number at all clocks, the newest first. */
export const selectRowsOfNumber = prepare((p: Params<{ number: string }>) =>
  qb
    .select(rowFields)
    .from(sql`${clock_numbers}`)
    .innerJoin(employees, eq(employees.employee_id, clock_numbers.employee_id))
    .where(sql`${clock_numbers.number} = ${p.number}`)
    .orderBy(sql`${clock_numbers.id} DESC`),
)

/** The number without blanks and leading zeros, as `employeeIdKey` makes it. */
const numberKey = employeeIdKey(sql`given.number`)

/** The employees, also those who have left, whose id is like a number that has no row. */
const selectLikeIds = prepare((p: Params<Numbers>) =>
  qb
    .select({
      number: sql<string>`given.number`.as('number'),
      employee_id: sql<string>`e.employee_id`.as('employee_id'),
      branch_office: sql<string>`e.branch_office`.as('branch_office'),
    })
    .from(
      sql`(SELECT given.number, ${numberKey} AS number_key FROM ${given(p)}
          WHERE NOT EXISTS (SELECT 1 FROM ${clock_numbers}
            WHERE ${clock_numbers.number} = given.number
              AND ${clock_numbers.serial} IN (${p.serial}, '')) LIMIT -1) AS given
        JOIN (SELECT employee_id, branch_office, ${employeeIdKey(sql`employee_id`)} AS id_key
          FROM ${employees} LIMIT -1) AS e ON e.id_key = given.number_key`,
    ),
)

const selectClockNumbers = prepare((p: Params<{ serial: string; scope: Scope }>) =>
  qb
    .select({
      number: sql<string>`row.number`.as('number'),
      all_clocks: sql`row.serial = ''`.mapWith(Boolean).as('all_clocks'),
      is_named: sql`row.user_id IS NOT NULL`.mapWith(Boolean).as('is_named'),
      valid_from: sql<string | null>`nullif(row.valid_from, '')`.as('valid_from_day'),
      employee_id: sql<string>`e.employee_id`.as('employee_id'),
      full_name: sql<string>`e.full_name`.as('full_name'),
    })
    .from(
      sql`(SELECT *, row_number() OVER (PARTITION BY number
            ORDER BY user_id IS NULL, serial = '', id DESC) AS position
          FROM ${clock_numbers} WHERE serial IN (${p.serial}, '')) AS row
        JOIN ${employees} AS e ON e.employee_id = row.employee_id`,
    )
    .where(sql`position = 1 AND ${isInScope(sql`e.branch_office`, p.scope)}`)
    .orderBy(sql`row.number`),
)

/**
 * The numbers of a clock with the people of the caller's scope who have them now.
 * @throws DomainError CLOCK_NOT_FOUND
 */
export const listNumbers = async (db: AuthorizedDb, serial: string) => {
  const { numbers } = await db.batch((scope) => ({
    check: requireClock({ serial, scope }),
    numbers: selectClockNumbers({ serial, scope }),
  }))
  return numbers
}

export interface Owner {
  employee_id: string
  branch_office: string
  /** Whether a user has said that the number is the employee's. */
  is_named: boolean
  /** Whether the number is to be written down, because it is like the employee's id. */
  is_found: boolean
}

/** A row of `clock_numbers`. */
export interface NumberRow extends Omit<Owner, 'is_found'> {
  /** '' for all clocks. */
  serial: string
  valid_from: string
}

/** Named rows come before found ones, and rows of the clock before those of all clocks. */
const rankOf = ({ is_named, serial }: NumberRow): number =>
  (is_named ? 2 : 0) + (serial === '' ? 0 : 1)

/**
 * Finds the row of a clock and a number that applies on a local day.
 * @param rows the rows of the number, the newest first
 */
export const rowOn = (
  rows: readonly NumberRow[],
  serial: string,
  day: string,
): NumberRow | undefined => {
  const valid = rows.filter(
    (row) => row.valid_from <= day && (row.serial === serial || row.serial === ''),
  )
  const best = Math.max(...valid.map(rankOf))
  return valid.find((row) => rankOf(row) === best)
}

interface OwnerRows {
  rows: readonly (NumberRow & { number: string })[]
  likeIds: readonly { number: string; employee_id: string; branch_office: string }[]
}

/** The statements that read whose the numbers of a clock are. */
export const ownerStatements = (serial: string, numbers: readonly string[]) => {
  const values = { serial, numbers: JSON.stringify([...new Set(numbers)]) }
  return { rows: selectNumbers(values), likeIds: selectLikeIds(values) }
}

/**
 * Returns a function that finds whose number it is on a local day: the employee whom a user has named
 * for the clock, or for all clocks, or else the only one whose id is like the number. It returns
 * undefined if there is nobody, or more than one.
 */
export const toOwnerOf = (serial: string, { rows, likeIds }: OwnerRows) => {
  const rowsOf = Map.groupBy(rows, ({ number }) => number)
  const likeIdsOf = Map.groupBy(likeIds, ({ number }) => number)
  return (number: string, day: string): Owner | undefined => {
    const row = rowOn(rowsOf.get(number) ?? [], serial, day)
    if (row) return { ...row, is_found: false }
    const [like, ...others] = likeIdsOf.get(number) ?? []
    return like && others.length === 0 ? { ...like, is_named: false, is_found: true } : undefined
  }
}

export const findOwners = async (db: BatchDb, serial: string, numbers: readonly string[]) =>
  toOwnerOf(serial, await db.batchOfAllBranches(ownerStatements(serial, numbers)))

interface NewNumbers {
  /** '' for all clocks. */
  serial: string
  /** A JSON list of `[number, employee_id]`. */
  owners: string
  /** The first local day. '' for always. */
  valid_from: string
  user_id: number | null
  at: string
}

/** Adds the owners of numbers, unless the newest row of the same kind says the same. */
export const insertNumbers = prepare((p: Params<NewNumbers>) =>
  insertSelect(
    clock_numbers,
    {
      id: null,
      serial: p.serial,
      number: sql`given.value ->> 0`,
      employee_id: sql`given.value ->> 1`,
      valid_from: p.valid_from,
      user_id: p.user_id,
      created_at: p.at,
      unconfirmed: sql`${p.user_id} IS NOT NULL`,
    },
    sql`FROM json_each(${p.owners}) AS given
      WHERE (SELECT employee_id FROM ${clock_numbers} AS newest
        WHERE newest.number = given.value ->> 0 AND newest.serial = ${p.serial}
          AND (newest.user_id IS NULL) = (${p.user_id} IS NULL) ORDER BY newest.id DESC LIMIT 1)
        IS NOT given.value ->> 1`,
  ),
)
