import { batch, type D1, type Results, type Statements } from './query.ts'

/** What runs statements of every branch in one transaction: an `AuthorizedDb`, or no caller at all. */
export interface BatchDb {
  batchOfAllBranches<const S extends Statements>(...statements: S): Promise<Results<S>>
}

/** For what has no caller to check: the scheduled run and operators' commands. */
export const withoutCaller = (db: D1): BatchDb => ({
  batchOfAllBranches: (...statements) => batch(db, ...statements),
})
