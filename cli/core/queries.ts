import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../../src/core/db/authorization.ts'
import { type D1, execute, type Params, prepare, qb } from '../../src/core/db/query.ts'
import {
  clients,
  closings,
  config_entries,
  employees,
  intake_problems,
  intake_sources,
  openings,
  users,
} from '../../src/core/db/schema.ts'
import { zoneRules } from '../../src/core/db/zones.ts'

/** The queries of the operators' commands. */

const updateActive = prepare((p: Params<{ email_key: string; active: number }>) =>
  qb
    .update(users)
    .set({
      active: p.active,
      // Ends the user's tokens for good: they stay invalid when the user is activated again.
      token_version: sql`${users.token_version} + (${p.active} = 0)`,
    })
    .where(eq(users.email_key, p.email_key))
    .returning({ id: users.id }),
)

const nextVersion = sql`${users.token_version} + 1`

const incrementVersion = prepare((p: Params<{ id: number }>) =>
  qb.update(users).set({ token_version: nextVersion }).where(eq(users.id, p.id)),
)

const updateHash = prepare((p: Params<{ id: number; hash: string }>) =>
  qb
    .update(users)
    .set({ password_hash: p.hash, token_version: nextVersion })
    .where(eq(users.id, p.id)),
)

const selectUsers = prepare(() =>
  qb
    .select({
      email: users.email,
      name: sql<string>`${users.first_name} || ' ' || ${users.last_name}`.as('name'),
      role: users.role,
      active: users.active,
      employee_id: users.employee_id,
      scope: sql<string>`coalesce(${users.scope_branches}, '')`.as('scope'),
      sources: sql<string>`coalesce(${users.sources}, '')`.as('sources'),
    })
    .from(users)
    .orderBy(users.email_key),
)

const updateRole = prepare((p: Params<{ email_key: string; role: string }>) =>
  qb
    .update(users)
    .set({ role: p.role })
    .where(eq(users.email_key, p.email_key))
    .returning({ id: users.id }),
)

const updateScope = prepare((p: Params<{ email_key: string; branches: string | null }>) =>
  qb
    .update(users)
    .set({ scope_branches: p.branches })
    .where(eq(users.email_key, p.email_key))
    .returning({ id: users.id }),
)

const updateSources = prepare((p: Params<{ email_key: string; sources: string | null }>) =>
  qb
    .update(users)
    .set({ sources: p.sources })
    .where(eq(users.email_key, p.email_key))
    .returning({ id: users.id }),
)

const selectBranch = prepare((p: Params<{ branch: string }>) =>
  qb
    .select({ employee_id: employees.employee_id })
    .from(employees)
    .where(eq(employees.branch_office, p.branch))
    .limit(1),
)

const selectRole = prepare((p: Params<{ role: string; email_key: string }>) =>
  qb
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, p.role), ne(users.email_key, p.email_key)))
    .limit(1),
)

const selectClients = prepare(() => qb.select().from(clients).orderBy(clients.code))

const updateClientStatus = prepare((p: Params<{ code: string; status: string }>) =>
  qb
    .update(clients)
    .set({ status: p.status })
    .where(eq(clients.code, p.code))
    .returning({ id: clients.id }),
)

const selectConfig = prepare(() => qb.select().from(config_entries).orderBy(config_entries.key))

/** Returns whether the user exists. */
export const setActive = async (db: D1, emailKey: string, active: boolean): Promise<boolean> =>
  (await execute(db, updateActive({ email_key: emailKey, active: active ? 1 : 0 }))).length > 0

export const listUsers = (db: D1) => execute(db, selectUsers({}))

/** Returns whether the user exists. */
export const setRole = async (db: D1, emailKey: string, role: string): Promise<boolean> =>
  (await execute(db, updateRole({ email_key: emailKey, role }))).length > 0

/** Limits a user to branches; null for all. Returns whether the user exists. */
export const setScope = async (db: D1, emailKey: string, branches: string[] | null) => {
  const values = { email_key: emailKey, branches: branches && JSON.stringify(branches) }
  return (await execute(db, updateScope(values))).length > 0
}

/** Limits a user to sources, given by their keys; null for any. Returns whether the user exists. */
export const setSources = async (db: D1, emailKey: string, sources: string[] | null) => {
  const values = { email_key: emailKey, sources: sources && JSON.stringify(sources) }
  return (await execute(db, updateSources(values))).length > 0
}

const selectBranches = prepare(() =>
  qb
    .select({
      branch_office: sql<string>`branch.branch_office`.as('branch_office'),
      employees: sql<number>`branch.employees`.as('employees'),
      time_zone: sql<string | null>`zone.time_zone`.as('time_zone'),
      valid_from: sql<string | null>`zone.valid_from`.as('valid_from'),
    })
    .from(
      sql`(SELECT branch_office, count(*) AS employees FROM ${employees} GROUP BY branch_office) AS branch
        LEFT JOIN (${zoneRules}) AS zone USING (branch_office)`,
    )
    .orderBy(sql`branch.branch_office, zone.valid_from`),
)

/** The branches of the employees; those without a zone of their own have `TIME_ZONE`. */
export const listBranches = (db: D1) => execute(db, selectBranches({}))

/** Whether any employee is in a branch. */
export const branchExists = async (db: D1, branch: string): Promise<boolean> =>
  (await execute(db, selectBranch({ branch }))).length > 0

/** Whether any user but this one has a role. */
export const othersHaveRole = async (db: D1, role: string, emailKey: string): Promise<boolean> =>
  (await execute(db, selectRole({ role, email_key: emailKey }))).length > 0

export const listClients = (db: D1) => execute(db, selectClients({}))

/** Returns whether the client exists. */
export const setClientStatus = async (db: D1, code: string, status: string): Promise<boolean> =>
  (await execute(db, updateClientStatus({ code, status }))).length > 0

export const listConfig = (db: D1) => execute(db, selectConfig({}))

/** Ends every token of a user. */
export const endTokens = (db: D1, userId: number) => execute(db, incrementVersion({ id: userId }))

/** Stores a new password's hash, and ends every token of the user. */
export const setPassword = (db: D1, userId: number, hash: string) =>
  execute(db, updateHash({ id: userId, hash }))

const selectSources = prepare(() => qb.select().from(intake_sources).orderBy(intake_sources.source))

const retire = prepare((p: Params<{ source: string; at: string }>) =>
  qb
    .update(intake_sources)
    .set({ retired_at: p.at })
    .where(eq(intake_sources.source, p.source))
    .returning({ source: intake_sources.source }),
)

const label = prepare((p: Params<{ source: string; label: string | null }>) =>
  qb
    .update(intake_sources)
    .set({ label: p.label })
    .where(eq(intake_sources.source, p.source))
    .returning({ source: intake_sources.source }),
)

const dismiss = prepare(
  (p: Params<{ source: string; source_id: string | null; reason: string; at: string }>) =>
    qb
      .update(intake_problems)
      .set({ dismissed_at: p.at, dismissed_reason: p.reason })
      .where(
        sql`${intake_problems.source} = ${p.source} AND ${intake_problems.dismissed_at} IS NULL
          AND ${intake_problems.source_id} = coalesce(${p.source_id}, ${intake_problems.source_id})`,
      )
      .returning({ id: intake_problems.id }),
)

const selectEmployees = prepare(() =>
  qb
    .select({
      employee_id: employees.employee_id,
      full_name: employees.full_name,
      branch_office: employees.branch_office,
      department: employees.department,
      payroll_group: employees.payroll_group,
      started_at: employees.started_at,
      ended_at: employees.ended_at,
    })
    .from(employees)
    .orderBy(employees.employee_id),
)

const selectEmployee = prepare((p: Params<{ employee_id: string }>) =>
  qb
    .select({ employee_id: employees.employee_id })
    .from(employees)
    .where(eq(employees.employee_id, p.employee_id)),
)

interface Move {
  employee_id: string
  branch_office: string | null
  department: string | null
  payroll_group: string | null
}

const move = prepare((p: Params<Move>) =>
  qb
    .update(employees)
    .set({
      branch_office: sql`coalesce(${p.branch_office}, ${employees.branch_office})`,
      department: sql`coalesce(${p.department}, ${employees.department})`,
      payroll_group: sql`coalesce(${p.payroll_group}, ${employees.payroll_group})`,
    })
    .where(eq(employees.employee_id, p.employee_id))
    .returning({ employee_id: employees.employee_id }),
)

const leave = prepare((p: Params<{ employee_id: string; day: string }>) =>
  qb
    .update(employees)
    .set({ ended_at: p.day })
    .where(eq(employees.employee_id, p.employee_id))
    .returning({ employee_id: employees.employee_id }),
)

export const listSources = (db: D1) => execute(db, selectSources({}))

/** Returns whether the source exists. */
export const retireSource = async (db: D1, source: string, at: Date): Promise<boolean> =>
  (await execute(db, retire({ source, at: at.toISOString() }))).length > 0

/** Returns whether the source exists. */
export const labelSource = async (db: D1, source: string, text: string | null): Promise<boolean> =>
  (await execute(db, label({ source, label: text }))).length > 0

/**
 * Dismisses the open problems of a source with one id, or all where it is null: they are not shown while
 * the source goes on sending the same. Returns how many.
 */
export const dismissProblems = async (
  db: D1,
  problem: { source: string; source_id: string | null; reason: string },
  at: Date,
): Promise<number> => (await execute(db, dismiss({ ...problem, at: at.toISOString() }))).length

export const listEmployees = (db: D1) => execute(db, selectEmployees({}))

export const employeeExists = async (db: D1, employeeId: string): Promise<boolean> =>
  (await execute(db, selectEmployee({ employee_id: employeeId }))).length > 0

/** Changes what is given; returns whether the employee exists. */
export const moveEmployee = async (
  db: D1,
  employeeId: string,
  to: { branch?: string; department?: string; group?: string },
): Promise<boolean> => {
  const values = {
    employee_id: employeeId,
    branch_office: to.branch ?? null,
    department: to.department ?? null,
    payroll_group: to.group ?? null,
  }
  return (await execute(db, move(values))).length > 0
}

/** Records the last day; returns whether the employee exists. */
export const leaveEmployee = async (db: D1, employeeId: string, day: string): Promise<boolean> =>
  (await execute(db, leave({ employee_id: employeeId, day }))).length > 0

interface Opening {
  employee_id: string
  first_day: string
  comment: string
  at: string
}

const insertOpeningRow = prepare((p: Params<Opening & { user_id: number }>) =>
  qb.insert(openings).values({
    employee_id: p.employee_id,
    first_day: p.first_day,
    user_id: p.user_id,
    comment: p.comment,
    // One that is being written counts: it has read the opening before this one.
    closings_before: sql`coalesce((SELECT max(id) FROM ${closings}), 0)`,
    created_at: p.at,
  }),
)

/** Says the first day of a person that is paid here; a trigger takes earlier ones only. */
export const insertOpening = async (db: AuthorizedDb, opening: Opening): Promise<void> => {
  await db.batchOfAllBranches(insertOpeningRow({ ...opening, user_id: db.claims.userId }))
}

const selectOpening = prepare((p: Params<{ employee_id: string }>) =>
  qb
    .select({ first_day: openings.first_day })
    .from(openings)
    .where(eq(openings.employee_id, p.employee_id))
    .orderBy(desc(openings.id))
    .limit(1),
)

/** The first day of a person that is paid here, where it was said. */
export const findOpening = async (db: D1, employeeId: string): Promise<string | undefined> =>
  (await execute(db, selectOpening({ employee_id: employeeId })))[0]?.first_day
