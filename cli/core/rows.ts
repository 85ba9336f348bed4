import type { D1 } from '../../src/core/db/query.ts'

/** Runs a statement with its values, and returns its rows. */
export const readRows = async <Row extends object>(
  db: D1,
  sql: string,
  ...values: unknown[]
): Promise<Row[]> =>
  (
    await db
      .prepare(sql)
      .bind(...values)
      .all<Row>()
  ).results

/** Runs a change that ends with RETURNING, and returns how many rows it has changed. */
export const changeRows = async (db: D1, sql: string, ...values: unknown[]): Promise<number> =>
  (await readRows(db, sql, ...values)).length
