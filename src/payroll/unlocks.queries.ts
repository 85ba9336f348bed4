import { getTableColumns, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { first, insertSelect, jsonFields, type Params, prepare, qb } from '../core/db/query.ts'
import { raise } from '../core/db/rules.ts'
import { closing_people, employees, unlock_people, unlocks, users } from '../core/db/schema.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { fullName, newestClosingId, ownEmployeeId } from '../core/db/shared-expressions.ts'
import { isSelected, type Selection } from './selection.queries.ts'

export interface Unlock extends Selection {
  /** Local days, both included. */
  from: string
  to: string
  comment: string
  at: string
}

const insertUnlock = prepare((p: Params<Unlock & { user_id: number }>) =>
  qb
    .insert(unlocks)
    .values({
      payroll_group: p.payroll_group,
      employee_id: p.employee_id,
      from_day: p.from,
      to_day: p.to,
      comment: p.comment,
      user_id: p.user_id,
      closings_before: newestClosingId,
      created_at: p.at,
    })
    .returning({ id: unlocks.id }),
)

const { unlock_id: _, ...unlockedColumns } = getTableColumns(unlock_people)

const insertUnlockPeople = prepare((p: Params<{ people: string }>) =>
  insertSelect(
    unlock_people,
    { unlock_id: sql`(SELECT max(id) FROM ${unlocks})`, ...jsonFields(unlockedColumns) },
    sql`FROM json_each(${p.people})`,
  ),
)

interface UnlockedPerson {
  employee_id: string
  from_at: string
  until_at: string
}

const selectPeopleEverClosed = prepare((p: Params<Selection>) =>
  qb
    .select({ employee_id: employees.employee_id })
    .from(employees)
    .where(
      sql`${isSelected(p)} AND EXISTS (SELECT 1 FROM ${closing_people} AS closed
        WHERE closed.employee_id = ${employees.employee_id})`,
    ),
)

/** The selected people who are in any closing, even an unfinished one, including leavers. */
export const listPeopleEverClosed = async (db: AuthorizedDb, selection: Selection) =>
  (await db.batchOfAllBranches({ people: selectPeopleEverClosed({ ...selection }) })).people

/** Raises if the caller's own employee is selected and `forbid_self_approval` is 1. */
const requireOthers = prepare(
  (p: Params<Selection & { user_id: number; forbid_self_approval: number }>) =>
    qb
      .select({ rule: raise([sql`${p.forbid_self_approval} AND count(*) > 0`, 'OWN_DAYS']) })
      .from(employees)
      .where(sql`${isSelected(p)} AND ${employees.employee_id} IS ${ownEmployeeId(p)}`),
)

/**
 * Stores an unlock with its people, all or nothing. Returns its id.
 * @throws DomainError OWN_DAYS if `forbidSelfApproval` is true and the caller is selected
 */
export const saveUnlock = async (
  db: AuthorizedDb,
  { forbidSelfApproval, ...unlock }: Unlock & { forbidSelfApproval: boolean },
  people: readonly UnlockedPerson[],
): Promise<number> => {
  const values = { ...unlock, user_id: db.claims.userId }
  const { payroll_group, employee_id, user_id } = values
  const forbid_self_approval = forbidSelfApproval ? 1 : 0
  const { created } = await db.batchOfAllBranches({
    check: requireOthers({ payroll_group, employee_id, user_id, forbid_self_approval }),
    created: first(insertUnlock(values)),
    unlockPeople: insertUnlockPeople({ people: JSON.stringify(people) }),
  })
  if (!created) throw new Error('The unlock was not returned.')
  return created.id
}

const selectUnlocks = prepare((p: Params<{ scope: Scope; limit: number }>) =>
  qb
    .select({
      id: sql<number>`unlock.id`.as('unlock_id'),
      payroll_group: sql<string | null>`unlock.payroll_group`.as('payroll_group'),
      employee_id: sql<string | null>`unlock.employee_id`.as('employee_id'),
      from: sql<string>`unlock.from_day`.as('from_day'),
      to: sql<string>`unlock.to_day`.as('to_day'),
      comment: sql<string>`unlock.comment`.as('comment'),
      user: { id: sql<number>`${users.id}`.as('user_id'), full_name: fullName.as('full_name') },
      created_at: sql<string>`unlock.created_at`.as('created_at'),
    })
    .from(sql`${unlocks} AS unlock`)
    .innerJoin(users, sql`${users.id} = unlock.user_id`)
    .where(
      sql`${p.scope} IS NULL OR EXISTS (SELECT 1 FROM unlock_people AS unlocked
        JOIN ${employees} AS e USING (employee_id)
        WHERE unlocked.unlock_id = unlock.id AND ${isInScope(sql`e.branch_office`, p.scope)})`,
    )
    .orderBy(sql`unlock.id DESC`)
    .limit(p.limit),
)

/** The newest unlocks that the caller may see, newest first. */
export const listUnlocks = async (db: AuthorizedDb, limit: number) =>
  (await db.batch((scope) => ({ unlocks: selectUnlocks({ scope, limit }) }))).unlocks
