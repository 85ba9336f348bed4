import { eq, type SQL, sql } from 'drizzle-orm'
import { type AnySQLiteColumn, alias } from 'drizzle-orm/sqlite-core'
import type { BatchDb } from '../core/db/batch-db.ts'
import { first, type Params, prepare, qb } from '../core/db/query.ts'
import { fullName, fullNameOf } from '../core/db/shared-expressions.ts'
import { invitations, users } from '../core/tables/users.ts'
import { comparable, hasAllWords, type SearchWords, wordsOf } from '../people/employees.queries.ts'
import { passwordFacts } from './administrators.queries.ts'

/** The fields of a user that an administrator sets. The e-mail of a stored user never changes. */
export interface UserRecord {
  first_name: string
  last_name: string
  mother_last_name: string
  role: string
  active: number
  machine: boolean
  employee_id: string | null
  /** The branches that the user sees. Null for all branches. */
  scope_branches: string[] | null
  /** The keys of the sources that the user may send logs for. Null for any source. */
  sources: string[] | null
}

/** Fields of the legacy API, which only an import sets. */
export interface LegacyFields {
  external: number
  type_user: string
  status_user: string
}

export const USER_FIELDS = [
  'first_name',
  'last_name',
  'mother_last_name',
  'role',
  'active',
  'machine',
  'employee_id',
  'scope_branches',
  'sources',
  'external',
  'type_user',
  'status_user',
] as const satisfies readonly (keyof (UserRecord & LegacyFields))[]

/** The user whose link set the password. */
const inviter = alias(users, 'inviter')

const listIn = (column: AnySQLiteColumn) => sql<string[] | null>`${column}`.mapWith(JSON.parse)

const shownFields = {
  id: users.id,
  email: users.email,
  first_name: users.first_name,
  last_name: users.last_name,
  mother_last_name: users.mother_last_name,
  role: users.role,
  active: users.active,
  machine: users.machine,
  employee_id: users.employee_id,
  invitation_expires_at: invitations.expires_at,
  version: users.version,
  scope_branches: listIn(users.scope_branches),
  sources: listIn(users.sources),
  has_password: sql`${users.password_hash} <> ''`.mapWith(Boolean),
  password_through: sql<{ id: number; full_name: string } | null>`iif(${inviter.id} IS NULL, NULL,
    json_object('id', ${inviter.id}, 'full_name', ${fullNameOf(inviter)}))`.mapWith(JSON.parse),
}

const isValid = (p: Params<{ now: string }>) =>
  sql`${invitations.user_id} = ${users.id} AND ${invitations.expires_at} > ${p.now}`

const selectShown = <Fields extends Record<never, never>>(
  p: Params<{ now: string }>,
  condition: SQL,
  more: Fields,
) =>
  qb
    .select({ ...shownFields, ...more })
    .from(users)
    .leftJoin(invitations, isValid(p))
    .leftJoin(inviter, eq(inviter.id, users.password_through))
    .where(condition)

export const selectById = prepare((p: Params<{ id: number; now: string }>) =>
  selectShown(p, eq(users.id, p.id), {}),
)

export const selectByKey = prepare((p: Params<{ email_key: string; now: string }>) =>
  selectShown(p, eq(users.email_key, p.email_key), {}),
)

export const findUserRecord = async (db: BatchDb, id: number, now: Date) => {
  const { row } = await db.batchOfAllBranches({
    row: first(selectById({ id, now: now.toISOString() })),
  })
  return row
}

export type ShownUser = NonNullable<Awaited<ReturnType<typeof findUserRecord>>>

const selectForChange = prepare((p: Params<{ id: number; now: string }>) =>
  selectShown(p, eq(users.id, p.id), {
    legacy: {
      external: users.external,
      type_user: users.type_user,
      status_user: users.status_user,
    },
    password_facts: passwordFacts,
  }),
)

/** Reads a user, the fields of the legacy API, and the facts of the password. */
export const findUserForChange = async (db: BatchDb, id: number, now: Date) => {
  const { row } = await db.batchOfAllBranches({
    row: first(selectForChange({ id, now: now.toISOString() })),
  })
  if (!row) return undefined
  const { legacy, password_facts, ...stored } = row
  return { stored, legacy, password_facts }
}

const nameKey = comparable(fullName)

interface ListValues extends SearchWords {
  role: string | null
  not_role: string | null
  active: number | null
  after_name: string
  after_id: number
  limit: number
  now: string
}

const searched = sql`${fullName} || ' ' || ${users.email} || ' ' || coalesce(${users.employee_id}, '')`

const selectPage = prepare((p: Params<ListValues>) =>
  selectShown(
    p,
    sql`${hasAllWords(searched, p)}
      AND (${p.role} IS NULL OR ${users.role} = ${p.role})
      AND (${p.not_role} IS NULL OR ${users.role} <> ${p.not_role})
      AND (${p.active} IS NULL OR ${users.active} = ${p.active})
      AND (${nameKey}, ${users.id}) > (${p.after_name}, ${p.after_id})`,
    { name_key: nameKey.as('name_key') },
  )
    .orderBy(nameKey, users.id)
    .limit(p.limit),
)

interface UserFilter {
  q?: string | undefined
  role?: string | undefined
  /** The users of this role are left out. */
  not_role?: string | undefined
  active?: boolean | undefined
}

/** A page of all users, in the order of their names. */
export const listUserRecords = async (
  db: BatchDb,
  { q = '', role, not_role, active }: UserFilter,
  { after = ['', 0], limit, now }: { after?: readonly [string, number]; limit: number; now: Date },
) => {
  const [after_name, after_id] = after
  const filter = {
    role: role ?? null,
    not_role: not_role ?? null,
    active: active === undefined ? null : Number(active),
  }
  const page = { after_name, after_id, limit, now: now.toISOString() }
  const { rows } = await db.batchOfAllBranches({
    rows: selectPage({ ...wordsOf(q), ...filter, ...page }),
  })
  return rows
}
