import type { D1 } from '../../src/core/db/query.ts'
import { isOwnRfc } from '../../src/people/rfc.ts'
import { quoteName } from '../backup/schema.ts'
import { readRows } from '../core/rows.ts'
import { findLinkedAccounts } from '../users/accounts.ts'

/** Texts with fewer characters are not searched for, since they occur in too many other texts. */
const TEXT_LENGTH_MIN = 4

/** The address of an account that was forgotten already. */
const NOBODY = /^forgotten-\d+@invalid$/

const SELECT_PERSON = `SELECT e.full_name, e.rfc, e.phone, e.cellphone, u.email, u.email_key,
    u.first_name || ' ' || u.last_name AS user_name
  FROM employees AS e LEFT JOIN users AS u ON u.id IN (SELECT value FROM json_each(?2))
  WHERE e.employee_id = ?1`

/** Does the same as SQLite's lower(), which changes only ASCII letters. */
const asciiLower = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Returns ways to write a text: in lower or upper case, with or without accents, any apostrophe. */
const formsOf = (text: string): string[] => {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '')
  return [text, text.toLowerCase(), text.toUpperCase(), plain]
    .flatMap((form) => [form, ...["'", '’'].map((sign) => form.replace(/['’‘ʼ`´]/g, sign))])
    .map(asciiLower)
}

/** Selects the names and numbers in the changes of an employee, who may have been deleted. */
const SELECT_CHANGED = `SELECT DISTINCT change.value ->> 'field' AS field, text.value AS text
  FROM people_changes AS row, json_each(iif(row.changes = '', '[]', row.changes)) AS change,
    json_each(json_array(change.value ->> 'before', change.value ->> 'after')) AS text
  WHERE row.subject = 'employee' AND row.subject_id = ? AND text.value IS NOT NULL
    AND change.value ->> 'field' IN ('full_name', 'rfc', 'phone', 'cellphone')`

/** Returns the texts that identify a person. Call this function before the texts are erased. */
export const findIdentifyingTexts = async (db: D1, employeeId: string): Promise<string[]> => {
  const { own } = await findLinkedAccounts(db, employeeId)
  type Person = Record<string, string | null>
  const rows = await readRows<Person>(db, SELECT_PERSON, employeeId, JSON.stringify(own))
  type Changed = { field: string; text: string }
  const changed = await readRows<Changed>(db, SELECT_CHANGED, employeeId)
  const fullNames = changed.flatMap(({ field, text }) => (field === 'full_name' ? text : []))
  // People are often called by only the first two words of their full name.
  const shortNames = [rows[0]?.full_name ?? '', ...fullNames].map((name) =>
    name.trim().split(/\s+/).slice(0, 2).join(' '),
  )
  const texts = [...rows.flatMap((row) => Object.values(row)), ...changed.map(({ text }) => text)]
  const names = [...texts.flatMap((text) => text?.trim() ?? []), ...shortNames].filter(
    (text) => text.length >= TEXT_LENGTH_MIN && isOwnRfc(text) && !NOBODY.test(text),
  )
  return [...new Set(names.flatMap(formsOf))]
}

interface TextColumn {
  table: string
  column: string
  /** The names of the columns of the primary key, as a JSON array. */
  keys: string
}

const SELECT_TEXT_COLUMNS = `SELECT t.name AS "table", c.name AS "column",
    (SELECT json_group_array(name) FROM (
      SELECT name FROM pragma_table_info(t.name) WHERE pk > 0 ORDER BY pk)) AS keys
  FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
  WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    AND t.name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND upper(c.type) = 'TEXT'
  ORDER BY t.name, c.cid`

/** Finds the rows that contain one of the names in any text column. `id` is the primary key. */
export const findMentions = async (db: D1, names: readonly string[]) => {
  const columns = await readRows<TextColumn>(db, SELECT_TEXT_COLUMNS)
  const mentions = []
  // Each query is run separately. Scans of large tables take seconds, and a batch of them would
  // block the database all that time.
  for (const { table, column, keys } of columns) {
    const id = (JSON.parse(keys) as string[]).map(quoteName).join(` || '/' || `) || 'rowid'
    const text = `SELECT CAST(${id} AS TEXT) AS id FROM ${quoteName(table)} WHERE EXISTS (
      SELECT 1 FROM json_each(?) WHERE instr(lower(${quoteName(column)}), value) > 0)`
    const rows = await readRows<{ id: string }>(db, text, JSON.stringify(names))
    mentions.push(...rows.map((row) => ({ table, column, id: row.id })))
  }
  return mentions
}
