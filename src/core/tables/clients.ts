import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { id, isFlag } from './columns.ts'

export const modules = sqliteTable(
  'modules',
  {
    id: id(),
    slug: text().notNull().unique('modules_slug_unique'),
    name: text().notNull(),
    description: text().notNull(),
    icon: text().notNull(),
    enabled: integer({ mode: 'boolean' }).notNull(),
    enabled_app: integer({ mode: 'boolean' }).notNull(),
  },
  (t) => [
    index('modules_enabled_app').on(t.enabled_app),
    check('modules_enabled', isFlag(t.enabled)),
    check('modules_enabled_app', isFlag(t.enabled_app)),
  ],
)

export const clients = sqliteTable(
  'clients',
  {
    id: id(),
    code: text().notNull().unique('clients_code_unique'),
    name: text().notNull(),
    status: text().notNull(),
    url_base: text().notNull(),
  },
  (t) => [check('clients_code', sql`trim(${t.code}) <> ''`)],
)

export const config_entries = sqliteTable(
  'config_entries',
  {
    key: text().primaryKey(),
    tipo: text().notNull(),
    nombre: text().notNull(),
    valor: text().notNull(),
  },
  (t) => [check('config_entries_key', sql`${t.key} <> ''`)],
)
