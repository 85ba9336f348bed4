import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { employeeIdKey, idKey } from '../../src/people/employees.queries.ts'

/** Letters and digits as people, clocks, spreadsheets and other keyboards write them. */
const CHARACTERS = [
  ...'0019aAeEzZñÑáÉüÜçÇß-.\'’‘`´ʼ "\\%_',
  ...['\u0303', 'n\u0303', 'N\u0303', '\u0301', '０', '１', 'Ａ', 'ａ', '①', '²', 'İ', 'ﬁ', '🙂'],
  ...['\t', '\n', '\r', '\u00a0', '\u2003', '\u3000', '\u200b'],
]

const anId = fc
  .array(fc.constantFrom(...CHARACTERS), { minLength: 1, maxLength: 12 })
  .map((characters) => characters.join(''))

it('of an id is the same in TypeScript and in SQL', async () => {
  const ids = fc.sample(anId, { numRuns: 5_000, seed: 71 })
  const db = drizzle(env.DB)
  const given = sql`json_each(${JSON.stringify(ids)})`
  const keys = await db.all<{ id: string; key: string }>(
    sql`SELECT value AS id, ${employeeIdKey(sql`value`)} AS key FROM ${given}`,
  )
  expect(keys.map(({ id }) => id)).toEqual(ids)
  expect(keys.filter(({ id, key }) => idKey(id) !== key)).toEqual([])
})

it.each([
  ['E-0012', 'e-0012'],
  ['007', '7'],
  [' 0 07\u00a0', '7'],
  ['Ñandú', 'nandu'],
  ['N\u0303andu', 'nandu'],
  // It counts as another number: a clock would never send it.
  ['１２', '１２'],
])('of %j is %j', (id, key) => {
  expect(idKey(id)).toBe(key)
})
