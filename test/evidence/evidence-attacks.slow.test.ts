import { expect, it } from 'vitest'
import { get } from '../support/api.ts'
import { ATTACKED_FILES, acceptedFlips, anAdminWithDecisions } from '../support/evidence.ts'
import { seal } from '../support/seals.ts'

it.each(ATTACKED_FILES)('no bit of $name can be flipped', async ({ query, unsigned }) => {
  const admin = await anAdminWithDecisions()
  await seal()
  await admin.change({ log_id: 3, status: 'approved' })
  const { text } = await get(`/v2/audit/evidence?${query}`, { token: admin.token })
  expect(await acceptedFlips(text, unsigned, 1)).toEqual([])
})
