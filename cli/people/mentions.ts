import type { D1 } from '../../src/core/db/query.ts'
import { ident } from '../backup/schema.ts'

/** Searches the whole database for what names a person. */

/** Shorter ones are in any text. */
const SHORTEST = 4

const PERSON = `SELECT e.full_name, e.rfc, e.phone, e.cellphone, u.email, u.email_key,
    u.first_name || ' ' || u.last_name AS user_name
  FROM employees AS e LEFT JOIN users AS u USING (employee_id) WHERE e.employee_id = ?`

/** The RFCs that the tax authority gives to people without one of their own. */
const SHARED_RFC = /^X[AE]XX010101000$/i

/** SQLite's lower() leaves letters beyond ASCII. */
const asciiLower = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** A text as it may stand in another: in capitals or not, with accents or without. */
const formsOf = (text: string): string[] => {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '')
  return [text, text.toLowerCase(), text.toUpperCase(), plain].map(asciiLower)
}

/** What names a person: read it before it is erased. */
export const findNames = async (db: D1, employeeId: string): Promise<string[]> => {
  const row = await db.prepare(PERSON).bind(employeeId).first<Record<string, string | null>>()
  const texts = Object.values(row ?? {}).flatMap((text) => text?.trim() ?? [])
  // People are called by their first two names, whatever follows.
  const short = row?.full_name?.trim().split(/\s+/).slice(0, 2).join(' ') ?? ''
  const names = [...texts, short].filter(
    (text) => text.length >= SHORTEST && !SHARED_RFC.test(text),
  )
  return [...new Set(names.flatMap(formsOf))]
}

interface TextColumn {
  table: string
  column: string
  /** The columns of the table's key, as JSON. */
  keys: string
}

const TEXT_COLUMNS = `SELECT t.name AS "table", c.name AS "column",
    (SELECT json_group_array(name) FROM (
      SELECT name FROM pragma_table_info(t.name) WHERE pk > 0 ORDER BY pk)) AS keys
  FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
  WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    AND t.name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND upper(c.type) = 'TEXT'
  ORDER BY t.name, c.cid`

export interface Mention {
  table: string
  column: string
  /** The row's key. */
  id: string
}

/** Where any of some names stands, in every text column of every table. */
export const findMentions = async (db: D1, names: readonly string[]): Promise<Mention[]> => {
  const { results: columns } = await db.prepare(TEXT_COLUMNS).all<TextColumn>()
  const mentions: Mention[] = []
  // One by one: a scan of a large table takes seconds, and a batch would hold the database as long.
  for (const { table, column, keys } of columns) {
    const id = (JSON.parse(keys) as string[]).map(ident).join(` || '/' || `) || 'rowid'
    const { results } = await db
      .prepare(
        `SELECT CAST(${id} AS TEXT) AS id FROM ${ident(table)} WHERE EXISTS (
           SELECT 1 FROM json_each(?) WHERE instr(lower(${ident(column)}), value) > 0)`,
      )
      .bind(JSON.stringify(names))
      .all<{ id: string }>()
    mentions.push(...results.map((row) => ({ table, column, id: row.id })))
  }
  return mentions
}
