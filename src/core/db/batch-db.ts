import type { D1, Results, Statements } from './query.ts'
import { toDomainError } from './raise.ts'
import { batch } from './run.ts'

/**
 * Runs statements without a scope in one transaction. An `AuthorizedDb` also checks its caller.
 */
export interface BatchDb {
  batchOfAllBranches<const S extends Statements>(statements: S): Promise<Results<S>>
}

/**
 * Makes a handle for scheduled runs, notifications and operators' commands. They have no caller to
 * check.
 */
export const withoutCaller = (db: D1): BatchDb => ({
  batchOfAllBranches: (statements) =>
    batch(db, statements).catch((error) => {
      throw toDomainError(error)
    }),
})
