import { batch, type D1, type Results, type Statements } from './query.ts'

/** Runs statements of every branch in one transaction: an `AuthorizedDb`, or without a caller. */
export interface BatchDb {
  batchOfAllBranches<const S extends Statements>(...statements: S): Promise<Results<S>>
}

/** For the scheduled run and operators' commands, which have no caller. */
export const withoutCaller = (db: D1): BatchDb => ({
  batchOfAllBranches: (...statements) => batch(db, ...statements),
})
