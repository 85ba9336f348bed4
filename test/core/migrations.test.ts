import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createdIn } from '../support/migrations.ts'

const triggerNames = async () => {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'trigger'",
  ).all<{ name: string }>()
  return results.map(({ name }) => name)
}

describe('the newest schema', () => {
  it('has every trigger that a migration creates and none drops by its name', async () => {
    // Rebuilding a table drops its triggers silently. CONTRIBUTING explains how to add a column.
    const expected = createdIn(env.MIGRATIONS, 'TRIGGER')
    expect(expected.length).toBeGreaterThan(20)
    expect((await triggerNames()).toSorted()).toEqual(expected.toSorted())
  })

  it('protects every column of a log by trigger, except the status and `updated_at`', async () => {
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
