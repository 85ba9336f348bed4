import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { withDatabase } from '../../cli/core/database.ts'
import { migrateLocal } from '../../cli/core/local-database.ts'
import { withBusyRetry } from '../../cli/core/local-sqlite.ts'
import { localFile } from '../../cli/core/opening-check.ts'
import type { D1 } from '../../src/core/db/query.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'

const { folder: persistTo } = useTemporaryFolder()

it('reads the local database as D1 does, each batch whole or not at all', async () => {
  await migrateLocal(persistTo)
  const file = new DatabaseSync(localFile(persistTo))
  file.exec('CREATE TABLE numbers (n INTEGER)')

  await withDatabase({ persistTo }, async (db: D1) => {
    const twice = db.prepare('SELECT ?2 AS b, ?1 AS a, ?2 AS c').bind('x', 7)
    expect(await twice.raw()).toEqual([[7, 'x', 7]])
    const insert = (n: number) => db.prepare('INSERT INTO numbers VALUES (?1) RETURNING n').bind(n)
    const fails = db.prepare(`SELECT json_extract('{}', 'error:FORBIDDEN')`)
    await expect(db.batch([insert(1), fails])).rejects.toThrow('error:FORBIDDEN')
    const both = await Promise.all([db.batch([insert(2), insert(3)]), db.batch([insert(4)])])
    expect(both.flat().map(({ results }) => results)).toEqual([[{ n: 2 }], [{ n: 3 }], [{ n: 4 }]])
  })
  expect(file.prepare('SELECT n FROM numbers').all()).toEqual([{ n: 2 }, { n: 3 }, { n: 4 }])
})

it.each([
  'D1_ERROR: Failed to get session commit token.',
  'D1_ERROR: database is locked: SQLITE_BUSY',
])('repeats what fails because the service is busy: %s', async (text) => {
  const failures = [new Error(text), new Error(text)]
  const work = async () => {
    const failure = failures.pop()
    if (failure) throw failure
    return 'done'
  }
  expect(await withBusyRetry(work)).toBe('done')
  await expect(withBusyRetry(() => Promise.reject(new Error('no such table')))).rejects.toThrow(
    'no such table',
  )
})
