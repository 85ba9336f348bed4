import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { addLogs, isAnyDayLocked } from '../../cli/demo/demo-logs.ts'
import { aClosing, allLogs, allRows, anAdmin, anEmployee } from '../support/factories.ts'

const DAY = 86_400_000
const COUNT = 600

/** Adds a closing of the first generated employees. It locks their logs until `days` days ago. */
const closeUntil = async (days: number) => {
  const taken = ['D-000001', 'D-000002']
  for (const employee_id of taken) await anEmployee({ employee_id })
  const created_at = `${new Date(Date.now() - days * DAY).toISOString().slice(0, 10)}T06:00:00.000Z`
  const { id: user_id } = await anAdmin()
  await aClosing({ user_id, before: created_at.slice(0, 10), created_at, taken })
}

it('adds generated logs if no closing locks their days', async () => {
  expect(await isAnyDayLocked(env.DB, COUNT)).toBe(false)
  await closeUntil(800)
  expect(await isAnyDayLocked(env.DB, COUNT)).toBe(false)
  expect(await allLogs()).toEqual([])
  const progress: number[] = []
  await addLogs(env.DB, COUNT, (added) => progress.push(added))
  expect(progress.at(-1)).toBe(COUNT)
  expect(await allLogs()).toHaveLength(COUNT)
})

const DAYS = [30, 90]
it.each(DAYS)('finds the lock of a closing of %i days ago, and writes nothing', async (days) => {
  await closeUntil(days)
  const before = await allRows()
  expect(await isAnyDayLocked(env.DB, COUNT)).toBe(true)
  expect(await allRows()).toEqual(before)
})
