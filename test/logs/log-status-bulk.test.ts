import { describe, expect, it } from 'vitest'
import { useAdmin } from '../support/admin.ts'
import {
  expectFailure,
  expectInvalid,
  expectRejectedFields,
  expectSuccess,
} from '../support/api.ts'
import {
  aLog,
  allComments,
  allDecisions,
  allLogs,
  anEmployeeWithLogs,
} from '../support/factories.ts'

const admin = useAdmin()

describe('POST /v2/incidents/change_logs_status', () => {
  it('changes many logs, each audited and commented, and returns them in order', async () => {
    const [one, two, three] = [await aLog(), await aLog({ status: 'approved' }), await aLog()]

    const log_ids = [three.id, one.id, two.id]
    const comment = 'Semana revisada.'
    const res = await admin.changeMany({ log_ids, status: 'approved', comment })

    expectSuccess(
      res,
      'El estado de los registros se actualizó.',
      log_ids.map((log_id) => ({ log_id, status: 'approved' })),
    )
    const written = await allComments()
    expect(written.map((row) => row.comment)).toEqual(Array(3).fill(comment))
    const byLog = new Map(written.map((row) => [row.log_id, row.id]))
    const entries = await allDecisions()
    expect(entries.map((row) => [row.log_id, row.from_status]).sort()).toEqual([
      [one.id, 'pending'],
      [two.id, 'approved'],
      [three.id, 'pending'],
    ])
    for (const row of entries) expect(row.comment_id).toBe(byLog.get(row.log_id))
  })

  it('accepts 100 logs, and is a 422 for 101', async () => {
    await anEmployeeWithLogs(101)
    const ids = (await allLogs()).map(({ id }) => id)
    const accepted = await admin.changeMany({ log_ids: ids.slice(0, 100), status: 'approved' })
    expect(accepted.body.data).toHaveLength(100)
    const rejected = await admin.changeMany({ log_ids: ids, status: 'approved' })
    expectInvalid(rejected, 'log_ids', 'Se pueden cambiar 100 registros a la vez como máximo.')
  })

  it('reports each invalid element, and changes nothing', async () => {
    const log = await aLog()
    const change = { status: 'approved', comment: 'x' }
    const missing = await admin.changeMany({ ...change, log_ids: [98, log.id, 99] })
    const NO_LOG = 'No existe un registro con ese identificador.'
    expectFailure(missing, 422, `${NO_LOG} (y 1 error más)`, {
      'log_ids.0': [NO_LOG],
      'log_ids.2': [NO_LOG],
    })
    const bad = await admin.changeMany({ log_ids: [log.id, '2', log.id], status: 'approved' })
    expectRejectedFields(bad, 422, ['log_ids.1'])
    const both = await admin.changeMany({ log_ids: [log.id, 99], status: 'aprobado' })
    expectRejectedFields(both, 422, ['log_ids.1', 'status'])
    const twice = await admin.changeMany({ log_ids: [log.id, log.id], status: 'approved' })
    expect(twice.body.errors).toEqual({ 'log_ids.1': ['El registro está repetido.'] })
    const one = await admin.changeMany({ log_ids: [99], status: 'approved' })
    expectRejectedFields(one, 422, ['log_ids.0'])
    const none = await admin.changeMany({ log_ids: [], status: 'approved' })
    expectRejectedFields(none, 422, ['log_ids'])
    expect([await allDecisions(), await allComments(), await allLogs()]).toEqual([[], [], [log]])
  })
})
