import type { D1Migration } from 'cloudflare:test'
import { expect } from 'vitest'

/** The names of the triggers or tables that the migrations create and do not drop by name later. */
export const createdIn = (migrations: readonly D1Migration[], type: 'TRIGGER' | 'TABLE') => {
  const names = new Set<string>()
  for (const text of migrations.flatMap(({ queries }) => queries)) {
    const [, act, name = ''] =
      new RegExp(`^(?:--.*\\n)*\\s*(CREATE|DROP) ${type} \`(\\w+)\``).exec(text) ?? []
    if (act === 'CREATE') names.add(name)
    if (act === 'DROP') names.delete(name)
  }
  return [...names]
}

const droppedIn = ({ queries }: D1Migration, table: string) =>
  queries.flatMap((text) => {
    const [, from, column = ''] = /ALTER TABLE `(\w+)` DROP COLUMN `(\w+)`/.exec(text) ?? []
    return from === table ? [column] : []
  })

/** Matches a row after a migration: it has kept all columns that the migration does not drop. */
export const keptRow = (row: object, migration: D1Migration, table: string) => {
  const dropped = droppedIn(migration, table)
  const left = Object.entries(row).filter(([column]) => !dropped.includes(column))
  return expect.objectContaining(Object.fromEntries(left))
}
