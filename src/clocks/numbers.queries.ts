import { eq, type SQL, sql } from 'drizzle-orm'
import type { BatchDb } from '../core/db/batch-db.ts'
import { insertSelect, type Params, prepare, qb } from '../core/db/query.ts'
import { clock_numbers, employees, waiting_punches } from '../core/db/schema.ts'
import { employeeIdKey } from '../people/employees.queries.ts'

/** Whose numbers clocks send. A number belongs to somebody because a user said so, or by their id. */

interface Numbers {
  serial: string
  /** A JSON list. */
  numbers: string
}

const given = (p: Params<Numbers>) =>
  sql`(SELECT value AS number FROM json_each(${p.numbers}) LIMIT -1) AS given`

/** The rows of the clock, and of all clocks, the newest first. */
const selectNumbers = prepare((p: Params<Numbers>) =>
  qb
    .select({
      number: sql<string>`${clock_numbers.number}`.as('number'),
      serial: sql<string>`${clock_numbers.serial}`.as('serial'),
      employee_id: sql<string>`${clock_numbers.employee_id}`.as('employee_id'),
      valid_from: sql<string>`${clock_numbers.valid_from}`.as('valid_from'),
      is_named: sql`${clock_numbers.user_id} IS NOT NULL`.mapWith(Boolean).as('is_named'),
      branch_office: sql<string>`${employees.branch_office}`.as('branch_office'),
    })
    .from(sql`${given(p)} CROSS JOIN ${clock_numbers} ON ${clock_numbers.number} = given.number`)
    .innerJoin(employees, eq(employees.employee_id, clock_numbers.employee_id))
    .where(sql`${clock_numbers.serial} IN (${p.serial}, '')`)
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

export interface Owner {
  employee_id: string
  branch_office: string
  /** Whether a user has said that the number is the employee's. */
  is_named: boolean
  /** Whether the number is to be written down, because it is like the employee's id. */
  is_found: boolean
}

/**
 * Returns a function that finds whose number a clock sends on a local day. In this order, it is the
 * employee of the clock's row, of the row for all clocks, or the only one whose id is like the
 * number. Undefined if there is nobody, or more than one.
 */
export const findOwners = async (db: BatchDb, serial: string, numbers: readonly string[]) => {
  const values = { serial, numbers: JSON.stringify([...new Set(numbers)]) }
  const { rows, likeIds } = await db.batchOfAllBranches({
    rows: selectNumbers(values),
    likeIds: selectLikeIds(values),
  })
  const rowsOf = Map.groupBy(rows, ({ number }) => number)
  const likeIdsOf = Map.groupBy(likeIds, ({ number }) => number)
  return (number: string, day: string): Owner | undefined => {
    const valid = rowsOf.get(number)?.filter(({ valid_from }) => valid_from <= day) ?? []
    const row = valid.find((one) => one.serial === serial) ?? valid[0]
    if (row) return { ...row, is_found: false }
    const [like, ...others] = likeIdsOf.get(number) ?? []
    return like && others.length === 0 ? { ...like, is_named: false, is_found: true } : undefined
  }
}

interface NewNumbers {
  /** '' for all clocks. */
  serial: string
  /** A JSON list of `[number, employee_id]`. */
  owners: string
  /** The local day of today. */
  today: string
  user_id: number | null
  at: string
}

const newestRow = (p: Params<NewNumbers>, column: SQL) => sql`(SELECT ${column}
  FROM ${clock_numbers} AS newest WHERE newest.number = given.value ->> 0
    AND newest.serial IN (${p.serial}, '') ORDER BY newest.id DESC LIMIT 1)`

/** The day of the oldest punch that waits for an owner. */
const firstWaitingDay = (p: Params<NewNumbers>) => sql`(SELECT min(substr(local_at, 1, 10))
  FROM ${waiting_punches} WHERE number = given.value ->> 0 AND ${p.serial} IN (serial, '')
    AND dismissed_at IS NULL AND reason IN ('number', 'branch'))`

/**
 * Adds the owners of numbers, unless the newest row says the same. The first owner had the number
 * always. Another owner has it from the oldest waiting punch on, or else from today on.
 */
export const insertNumbers = prepare((p: Params<NewNumbers>) =>
  insertSelect(
    clock_numbers,
    {
      id: null,
      serial: p.serial,
      number: sql`given.value ->> 0`,
      employee_id: sql`given.value ->> 1`,
      valid_from: sql`iif(coalesce(${newestRow(p, sql`employee_id`)}, given.value ->> 1)
        = given.value ->> 1, '', coalesce(${firstWaitingDay(p)}, ${p.today}))`,
      user_id: p.user_id,
      created_at: p.at,
    },
    sql`FROM json_each(${p.owners}) AS given
      WHERE (${newestRow(p, sql`employee_id`)}, ${newestRow(p, sql`user_id IS NULL`)})
        IS NOT (given.value ->> 1, ${p.user_id} IS NULL)`,
  ),
)
