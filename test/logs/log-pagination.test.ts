import { describe, expect, it } from 'vitest'
import { attendance_logs } from '../../src/core/db/schema.ts'
import { at, useAdmin } from '../support/admin.ts'
import { aLog, allLogs, anEmployee, db } from '../support/factories.ts'

const admin = useAdmin()

describe('paging through logs', () => {
  it.each(['oldest', 'newest'])('returns each log once, %s first', async (order) => {
    const { employee_id } = await anEmployee()
    const rows = Array.from({ length: 60 }, (_, i) => ({
      employee_id,
      kind: i % 2 === 0 ? ('entrada' as const) : ('salida' as const),
      status: (['pending', 'approved', 'rejected'] as const)[i % 3] ?? 'pending',
      // Many logs have the same time, so only their ids order them.
      recorded_at: at(`0${2 + Math.floor(i / 25)}T14:00`),
    }))
    for (const row of rows) await db.insert(attendance_logs).values(row)
    const seen = await admin.listAll(`order=${order}&limit=7`)
    const all = (await allLogs()).map((log) => log.id)
    expect(seen).toEqual(order === 'oldest' ? all : all.reverse())
  })

  it('returns each log that keeps matching once, while others are added and changed', async () => {
    const { employee_id } = await anEmployee()
    const add = (minute: number) =>
      aLog({ employee_id, recorded_at: at(`02T14:${String(minute).padStart(2, '0')}`) })
    const stable: number[] = []
    const changing: number[] = []
    for (let minute = 0; minute < 30; minute++) {
      stable.push((await add(minute)).id)
      changing.push((await add(minute)).id)
    }
    let turn = 0
    const seen = await admin.listAll('status=pending&limit=4', async () => {
      const id = changing[(turn * 7) % changing.length]
      await Promise.all([
        admin.change({ log_id: id, status: turn % 2 === 0 ? 'approved' : 'pending' }),
        add(turn % 60),
        add(59),
      ])
      if (turn++ > 200) throw new Error('The pages do not end.')
    })
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter((id) => stable.includes(id))).toEqual(stable)
  })
})
