import { DatabaseSync } from 'node:sqlite'
import type { ByHand } from './schema-by-hand.ts'

type Row = Record<string, string | number | null>

/** Returns SQL without quotes of names, comments, extra blanks, and the table's name before its columns. */
const plain = (sql: string, table: string): string =>
  sql
    .replace(/--.*$/gm, '')
    .replace(/["`]/g, '')
    .replaceAll(`${table}.`, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),]) ?/g, '$1')

/** The position after the parenthesis that closes the one before `start`. Skips texts. */
const endOfParentheses = (sql: string, start: number): number => {
  const token = /'[^']*'|[()]/g
  token.lastIndex = start
  for (let depth = 1; depth > 0; ) {
    const found = token.exec(sql)
    if (!found) return sql.length
    if (found[0] === '(') depth++
    if (found[0] === ')') depth--
  }
  return token.lastIndex
}

/** Splits a list at the commas that are not in parentheses or texts. */
const splitList = (sql: string): string[] => {
  const items = ['']
  for (let at = 0; at < sql.length; ) {
    const [text = ''] = /^'[^']*'|^[^'(,]+|^./.exec(sql.slice(at)) ?? []
    const end = text === '(' ? endOfParentheses(sql, at + 1) : at + text.length
    if (text === ',') items.push('')
    else items[items.length - 1] += sql.slice(at, end)
    at = end
  }
  return items
}

const NO_ACTION = /ON (UPDATE|DELETE) no action ?/gi

/** A foreign key, with all that its definition says beside the actions that do nothing. */
const keyPart = (columns: string, rest: string): string =>
  `foreign key ${columns} → ${rest.replace(NO_ACTION, ' ').replace(/\s+/g, ' ').trim()}`

/** Removes from a column's definition what `pragma_table_info` shows, except its name and type. */
const withoutShown = (text: string): string => {
  const start = text.search(/\bDEFAULT ?\(/i)
  const end = start < 0 ? 0 : endOfParentheses(text, text.indexOf('(', start) + 1)
  const rest = start < 0 ? text : `${text.slice(0, start)} ${text.slice(end)}`
  return rest.replace(/NOT NULL|PRIMARY KEY|DEFAULT (?:'[^']*'|\S+)/gi, '').trim()
}

/**
 * Returns the parts of one definition in a table: a check, a key, or a column's own checks, keys and
 * whatever else it has, such as AUTOINCREMENT, UNIQUE, COLLATE or a generated value.
 */
const partsOfDefinition = (text: string): string[] => {
  const constraint = /(?:CONSTRAINT (\w+) ?)?\bCHECK ?\(/i.exec(text)
  if (constraint) {
    const start = constraint.index + constraint[0].length
    const end = endOfParentheses(text, start)
    const check = `check ${constraint[1] ?? ''}(${text.slice(start, end - 1)})`
    const rest = (text.slice(0, constraint.index) + text.slice(end)).trim()
    return [check, ...(rest === '' ? [] : partsOfDefinition(rest))]
  }
  const [, columns, referred] = /^FOREIGN KEY\((.+?)\)REFERENCES (.+)$/i.exec(text) ?? []
  if (columns !== undefined && referred !== undefined) return [keyPart(columns, referred)]
  if (/^(PRIMARY KEY|UNIQUE|CONSTRAINT)\b/i.test(text)) return [text]
  const [own = '', reference] = text.split(/ ?REFERENCES /i)
  const [name = '', , ...more] = withoutShown(own).split(/ +/)
  return [
    ...(more.length > 0 ? [`column ${name} is ${more.join(' ')}`] : []),
    ...(reference === undefined ? [] : [keyPart(name, reference)]),
  ]
}

/** Returns the parts that the text of a table has: its definitions, and what follows them. */
const partsOfTable = (sql: string): string[] => {
  const start = sql.indexOf('(') + 1
  const end = endOfParentheses(sql, start)
  const rest = sql.slice(end).trim()
  const parts = splitList(sql.slice(start, end - 1)).flatMap((item) =>
    partsOfDefinition(item.trim()),
  )
  return rest === '' ? parts : [...parts, `table ${rest}`]
}

/** Returns the tables, columns, checks, keys, indexes, triggers and views of a schema, each as a text. */
const partsOf = (statements: readonly string[]): Set<string> => {
  const db = new DatabaseSync(':memory:')
  for (const statement of statements) db.exec(statement)
  const rows = (text: string) => db.prepare(text).all() as Row[]
  const parts = new Set<string>()
  const entries = rows(
    `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'`,
  )
  for (const { type, name, tbl_name, sql } of entries) {
    const text = plain(String(sql), String(tbl_name))
    const add = (part: string) => parts.add(`${tbl_name}: ${part}`)
    if (type === 'trigger') {
      const [head = ''] = /\w+ (BEFORE|AFTER|INSTEAD OF) .*? ON \w+/i.exec(text) ?? []
      const [refusal = ''] = /\w+ is append-only(?='\); ?END$)/.exec(text) ?? []
      add(`trigger ${refusal ? `${head}: ${refusal}` : head}`)
    } else if (type !== 'table') add(text)
    else {
      for (const column of rows(`SELECT * FROM pragma_table_info('${name}')`)) {
        const required = column.notnull ? ' NOT NULL' : ''
        const key = column.pk ? ` PRIMARY KEY ${column.pk}` : ''
        const rest = `${column.type}${required}${key} DEFAULT ${column.dflt_value ?? 'NULL'}`
        add(`column ${column.name} ${rest}`)
      }
      for (const part of partsOfTable(text)) add(part)
    }
  }
  db.close()
  return parts
}

/** Adds to the declared parts what migrations have by hand. */
const withByHand = (declared: ReadonlySet<string>, byHand: ByHand): Set<string> => {
  const deferred = [...declared].map((part) => {
    const [, table, column] = /^(\w+): foreign key (\w+) → /.exec(part) ?? []
    return byHand.deferredKeys.includes(`${table}.${column}`)
      ? `${part} DEFERRABLE INITIALLY DEFERRED`
      : part
  })
  const triggers = byHand.triggers.map((text) => `${/ ON (\w+)/.exec(text)?.[1]}: trigger ${text}`)
  return new Set([...deferred, ...triggers])
}

/**
 * Lists the parts that only the schema of the migrations has, or only the declared schema with what
 * stands in `byHand`.
 */
export const compareSchemas = (
  migrations: readonly string[],
  declared: readonly string[],
  byHand: ByHand = { deferredKeys: [], triggers: [] },
): string[] => {
  const [built, wanted] = [partsOf(migrations), withByHand(partsOf(declared), byHand)]
  return [
    ...[...wanted].filter((part) => !built.has(part)).map((part) => `No migration has ${part}`),
    ...[...built].filter((part) => !wanted.has(part)).map((part) => `The schema lacks ${part}`),
  ]
}
