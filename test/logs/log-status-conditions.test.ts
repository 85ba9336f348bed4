import { describe, expect, it } from 'vitest'
import { signInAdmin, useAdmin } from '../support/admin.ts'
import { expectFailure } from '../support/api.ts'
import { aLog, allComments, allDecisions, allLogs, anEmployee } from '../support/factories.ts'

const admin = useAdmin()

describe('expected_status', () => {
  it('accepts a change only while the log has that status', async () => {
    const log = await aLog()
    const expected = { log_id: log.id, expected_status: 'pending' }
    const first = await admin.change({ ...expected, status: 'approved' })
    const second = await admin.change({ ...expected, status: 'rejected', comment: 'x' })
    expect(first.status).toBe(200)
    expectFailure(second, 409, `El registro ${log.id} ya cambió: su estado actual es approved.`)
    expect((await allLogs())[0]?.status).toBe('approved')
    expect([(await allDecisions()).length, await allComments()]).toEqual([1, []])
  })

  it('accepts one of many concurrent changes', async () => {
    const log = await aLog()
    const change = { log_id: log.id, expected_status: 'pending' }
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        admin.change({ ...change, status: i % 2 ? 'approved' : 'rejected' }),
      ),
    )
    expect(responses.map((res) => res.status).sort()).toEqual([200, ...Array(19).fill(409)])
    expect(await allDecisions()).toHaveLength(1)
  })

  it('is validated as input, and compared only if the log exists', async () => {
    const { id } = await aLog()
    const change = (log_id: number, expected_status: string | null) =>
      admin.change({ log_id, status: 'approved', expected_status })
    expect((await change(id, 'x')).status).toBe(422)
    expect((await change(id, null)).status).toBe(200)
    expect((await change(99, 'pending')).status).toBe(422)
  })
})

describe('self-approval', () => {
  const forbid = { FORBID_SELF_APPROVAL: 'true' }
  const forbidden = 'No puedes cambiar el estado de tus propios registros.'

  /** An administrator who is also an employee, with a log of their own. */
  const aBoss = async (row: Parameters<typeof aLog>[0] = {}) => {
    const { employee_id } = await anEmployee()
    const own = await aLog({ employee_id, ...row })
    return { boss: await signInAdmin({ employee_id }), own }
  }

  it('is allowed by default', async () => {
    const { boss, own } = await aBoss()
    expect((await boss.change({ log_id: own.id, status: 'approved' })).status).toBe(200)
  })

  it('is a 403 if the deployment forbids it, for one log and for many', async () => {
    const { boss, own } = await aBoss()
    const other = await aLog()
    const both = { log_ids: [other.id, own.id], status: 'approved', comment: 'x' }

    const single = await boss.change({ log_id: own.id, status: 'approved' }, forbid)
    const many = await boss.changeMany(both, forbid)

    for (const res of [single, many]) expectFailure(res, 403, forbidden)
    expect([await allDecisions(), await allComments()]).toEqual([[], []])
  })

  it('leaves other logs, and other administrators, unaffected', async () => {
    const { boss, own } = await aBoss()
    const other = await aLog()
    expect((await boss.change({ log_id: other.id, status: 'approved' }, forbid)).status).toBe(200)
    expect((await admin.change({ log_id: own.id, status: 'approved' }, forbid)).status).toBe(200)
  })

  it('is a 403 even with an unknown log or another status in the same request', async () => {
    const { boss, own } = await aBoss({ status: 'approved' })
    const body = { log_ids: [own.id, 99], status: 'rejected', expected_status: 'pending' }
    expect((await boss.changeMany(body, forbid)).status).toBe(403)
  })
})
