import { sql } from 'drizzle-orm'
import { log_comments, users } from './schema.ts'

/** Expressions of what responses show. */

/** An erased text is shown as none. */
export const visibleComment = sql<string | null>`nullif(${log_comments.comment}, '')`.as('comment')

export const fullName = sql<string>`trim(replace(
  ${users.first_name} || ' ' || ${users.last_name} || ' ' || ${users.mother_last_name}, '  ', ' '
))`
