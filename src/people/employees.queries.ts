import { type SQL, sql } from 'drizzle-orm'
import type { AuthorizedDb } from '../core/db/authorization.ts'
import { type Expression, expression, type Params, prepare, qb } from '../core/db/query.ts'
import { isInScope, type Scope } from '../core/db/scope.ts'
import { employees } from '../core/tables/people.ts'

/** A condition for `raiseIf`: no employee within the scope has this id. */
export const isUnknownEmployee = (p: Params<{ employee_id: string; scope: Scope }>) =>
  sql`NOT EXISTS (SELECT 1 FROM ${employees} WHERE ${employees.employee_id} = ${p.employee_id}
    AND ${isInScope(employees.branch_office, p.scope)})`

/** The number of words that a search compares. The last word includes the rest of the text. */
const WORDS_MAX = 4

export interface SearchWords {
  word_1: string
  word_2: string
  word_3: string
  word_4: string
}

/** The words of a search, as in `Mendoza, Luis`. Each result must contain all of them. */
export const wordsOf = (text: string): SearchWords => {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '')
  const [word_1 = '', word_2 = '', word_3 = ''] = words
  return { word_1, word_2, word_3, word_4: words.slice(WORDS_MAX - 1).join(' ') }
}

interface Search extends SearchWords {
  id: string
  limit: number
  scope: Scope
}

/** The key `''` is an apostrophe in SQL. Keyboards of phones write the others. */
const ACCENTS = { a: 'áÁ', e: 'éÉ', i: 'íÍ', o: 'óÓ', u: 'úÚüÜ', n: 'ñÑ', "''": '’‘ʼ`´' }

/** The acute accent, tilde and diaeresis that stand apart from their letter (NFD). */
const MARKS = [0x301, 0x303, 0x308]

/**
 * Prepares a text for comparison. Accents are replaced too, because SQLite's lower() knows only
 * ASCII, and all apostrophes are equal.
 */
export const comparable = (text: SQL): SQL<string> => {
  let key = sql<string>`lower(${text})`
  for (const mark of MARKS) key = sql`replace(${key}, char(${sql.raw(String(mark))}), '')`
  for (const [letter, accented] of Object.entries(ACCENTS)) {
    for (const accent of accented) {
      key = sql`replace(${key}, ${sql.raw(`'${accent}', '${letter}'`)})`
    }
  }
  return key
}

/**
 * The key of an employee's id. Ids that differ only by letter case, accents, blanks and leading
 * zeros have the same key.
 */
export const employeeIdKey = (id: Expression): SQL =>
  sql`ltrim(replace(${comparable(sql`trim(${expression(id)}, char(9, 10, 13, 32, 160))`)}, ' ', ''), '0')`

const BLANKS = '[\\t\\n\\r \\u00a0]+'
const OUTER_BLANKS = new RegExp(`^${BLANKS}|${BLANKS}$`, 'g')
const ANY_MARK = new RegExp(`[${String.fromCharCode(...MARKS)}]`, 'g')

/** Returns the same key as `employeeIdKey`, of an id that is already read. */
export const idKey = (id: string): string =>
  Object.entries(ACCENTS)
    .reduce(
      (text, [letter, accented]) =>
        text.replace(new RegExp(`[${accented}]`, 'g'), letter.slice(0, 1)),
      id
        .replace(OUTER_BLANKS, '')
        .replace(/[A-Z]/g, (capital) => capital.toLowerCase())
        .replace(ANY_MARK, ''),
    )
    .replaceAll(' ', '')
    .replace(/^0+/, '')

/** The text in which searches look for words. */
export const nameAndId = sql`${employees.full_name} || ' ' || ${employees.employee_id}`

/** Whether the text contains every word. SQLite cannot use an index for this condition. */
export const hasAllWords = (text: SQL, p: Params<SearchWords>): SQL =>
  sql.join(
    [p.word_1, p.word_2, p.word_3, p.word_4].map(
      (word) => sql`instr(${comparable(text)}, ${comparable(word)}) > 0`,
    ),
    sql` AND `,
  )

const selectMatches = prepare((p: Params<Search>) =>
  qb
    .select({
      employee_id: employees.employee_id,
      full_name: employees.full_name,
      department: employees.department,
      branch_office: employees.branch_office,
      ended_at: employees.ended_at,
    })
    .from(employees)
    .where(sql`${hasAllWords(nameAndId, p)} AND ${isInScope(employees.branch_office, p.scope)}`)
    .orderBy(
      sql`${employees.employee_id} = ${p.id} DESC, ${employees.ended_at} IS NOT NULL`,
      comparable(sql`${employees.full_name}`),
      employees.employee_id,
    )
    .limit(p.limit),
)

/**
 * The employees whose name or id contains every word, sorted by name. Case and accents are ignored.
 * An employee with exactly the id `text` comes first, and employees with a last day come last.
 */
export const findEmployees = async (db: AuthorizedDb, text: string, limit: number) => {
  const search = { id: text.trim(), ...wordsOf(text), limit }
  const { employees } = await db.batch((scope) => ({
    employees: selectMatches({ ...search, scope }),
  }))
  return employees
}
