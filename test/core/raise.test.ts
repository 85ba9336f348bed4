import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { withoutCaller } from '../../src/core/db/batch-db.ts'
import { type Params, prepare, qb } from '../../src/core/db/query.ts'
import { idsWhere, raise } from '../../src/core/db/raise.ts'

const GIVEN = [
  { id: 7, is_closed: 1 },
  { id: 8, is_closed: 0 },
  { id: `O'Neill "x" {'} ñ`, is_closed: 1 },
]

const requireOpen = prepare((p: Params<{ given: string }>) =>
  qb
    .select({ rule: raise(['max(is_closed)', 'LOG_CLOSED', idsWhere('is_closed')]) })
    .from(sql`(SELECT value ->> 'id' AS id, value ->> 'is_closed' AS is_closed
      FROM json_each(${p.given}))`),
)

const check = (given: readonly object[]) =>
  withoutCaller(env.DB).batchOfAllBranches({ open: requireOpen({ given: JSON.stringify(given) }) })

it('says which rows a rule is about, whatever their ids contain', async () => {
  await expect(check(GIVEN)).rejects.toMatchObject({
    code: 'LOG_CLOSED',
    details: { ids: [7, `O'Neill "x" {'} ñ`] },
  })
  await expect(check(GIVEN.slice(0, 1))).rejects.toMatchObject({
    text: 'El periodo del registro 7 está cerrado.',
  })
  expect(await check(GIVEN.slice(1, 2))).toMatchObject({ open: [{ rule: expect.anything() }] })
})
