import { applyD1Migrations, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { allRows } from './support/factories.ts'
import { FILLED_DATABASE, FILLED_LATER } from './support/filled-database.ts'
import { createdIn, keptRow } from './support/migrations.ts'

const [FIRST, ...LATER] = env.MIGRATIONS

const namesOf = async (type: 'table' | 'trigger') => {
  const { results } = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = ? AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
  )
    .bind(type)
    .all<{ name: string }>()
  return results.map(({ name }) => name)
}

describe('the newest schema', () => {
  it('has every trigger that a migration creates and none drops by its name', async () => {
    // A rebuild of a table drops its triggers without a word: CONTRIBUTING says how to add a column.
    const expected = createdIn(env.MIGRATIONS, 'TRIGGER')
    expect(expected.length).toBeGreaterThan(20)
    expect((await namesOf('trigger')).toSorted()).toEqual(expected.toSorted())
  })

  it('keeps every fact of a log by trigger: all columns but the status and its time', async () => {
    const { results } = await env.DB.prepare(
      `SELECT name FROM pragma_table_info('attendance_logs')`,
    ).all<{ name: string }>()
    const facts = results
      .map(({ name }) => name)
      .filter((name) => !['status', 'updated_at'].includes(name))
    const trigger = await env.DB.prepare(
      `SELECT sql FROM sqlite_master WHERE name = 'attendance_logs_facts'`,
    ).first<string>('sql')
    const [, list = ''] = /UPDATE OF (.+) ON `attendance_logs`/.exec(trigger ?? '') ?? []
    expect(list.replaceAll('`', '').split(', ').toSorted()).toEqual(facts.toSorted())
  })
})

describe('a filled database', () => {
  beforeEach(async () => {
    await reset()
    if (FIRST) await applyD1Migrations(env.DB, [FIRST])
    // One transaction: a comment stands before its log.
    await env.DB.batch(FILLED_DATABASE.map((text) => env.DB.prepare(text)))
  })

  it('has a row in every table of the first migration, and every append-only trigger', async () => {
    for (const [table, rows] of Object.entries(await allRows())) expect(rows, table).not.toEqual([])
  })

  it('is migrated one by one: every row and every foreign key holds', async () => {
    for (const migration of LATER) {
      const [before, { name }] = [await allRows(), migration]
      await applyD1Migrations(env.DB, [migration])
      const after = await allRows()
      for (const [table, rows] of Object.entries(before)) {
        if (!createdIn(env.MIGRATIONS, 'TABLE').includes(table)) continue
        const kept = rows.map((row) => keptRow(row, migration, table))
        expect(after[table], `${table} after ${name}`).toEqual(kept)
      }
      const { results } = await env.DB.prepare('PRAGMA foreign_key_check').all()
      expect(results, name).toEqual([])
      const rows = (FILLED_LATER[name] ?? []).map((text) => env.DB.prepare(text))
      if (rows.length > 0) await env.DB.batch(rows)
      for (const table of createdIn([migration], 'TABLE')) {
        expect((await allRows())[table], `a row of ${table} in FILLED_LATER`).not.toEqual([])
      }
    }
  })
})
