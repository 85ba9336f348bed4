import { batch, type D1, type Results, type Statements } from './query.ts'

/** What runs statements in one transaction: an `AuthorizedDb`, or a database without a caller. */
export interface BatchDb {
  batch<const S extends Statements>(...statements: S): Promise<Results<S>>
}

/** For what has no caller to check: the scheduled run and operators' commands. */
export const withoutCaller = (db: D1): BatchDb => ({
  batch: (...statements) => batch(db, ...statements),
})
