import { sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { first, type Params, prepare, qb } from '../core/db/query.ts'
import { raiseIf } from '../core/db/raise.ts'
import { insertSourceChange } from '../core/db/source-changes.queries.ts'
import { company } from '../core/tables/company.ts'

export const selectCompany = prepare(() =>
  qb.select({ name: company.name, version: company.version }).from(company),
)

interface CompanyWrite {
  name: string
  /** The version that was read. */
  expected_version: number
  at: string
}

const requireUnchanged = prepare((p: Params<CompanyWrite>) =>
  raiseIf([sql`(SELECT version FROM ${company}) <> ${p.expected_version}`, 'COMPANY_MOVED']),
)

const insertChange = prepare((p: Params<CompanyWrite & { user_id: number }>) =>
  insertSourceChange(p, {
    subject: 'company',
    source: '',
    branch: null,
    changes: { name: [sql`(SELECT name FROM ${company})`, p.name] },
  }),
)

const updateName = prepare((p: Params<CompanyWrite>) =>
  qb.update(company).set({ name: p.name, version: sql`${company.version} + 1` }),
)

export const readCompany = async (db: AuthorizedDb) =>
  (await db.batchOfAllBranches({ company: first(selectCompany({})) })).company

/** @throws DomainError COMPANY_MOVED if the name has changed since it was read */
export const saveCompany = async (db: AuthorizedDb, write: CompanyWrite) => {
  const { company } = await db.batchOfAllBranches({
    check: requireUnchanged(write),
    change: insertChange({ ...write, user_id: db.claims.userId }),
    name: updateName(write),
    company: first(selectCompany({})),
  })
  return company
}
