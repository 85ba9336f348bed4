import type { D1 } from '../../src/core/db/query.ts'

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
