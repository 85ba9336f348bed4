import { describe, expect, it } from 'vitest'
import { LogsError } from '../../src/logs/log-status.ts'
import { signInAdmin, useAdmin } from '../support/admin.ts'
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
  anEmployee,
  anEmployeeWithLogs,
} from '../support/factories.ts'

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

describe('a refusal', () => {
  const MOVED = 'El registro 2 ya cambió: su estado actual es approved.'
  const CLOSED = 'El periodo del registro 3 está cerrado.'

  it('has one message for each log, the moved ones first', () => {
    const moved = { ids: [2], statuses: ['approved'], paid: [3] } as const
    const refused = new LogsError('STATUS_MOVED', moved)
    expect(refused.details).toEqual({ ids: [2], status: 'approved' })
    expect(refused.text).toBe(MOVED)
    expect([...refused.messages.values()]).toEqual([MOVED, CLOSED])
    const many = new LogsError('STATUS_MOVED', { ids: [2, 4], statuses: ['approved', 'rejected'] })
    expect([many.details, many.text]).toEqual([{ ids: [2, 4] }, MOVED])
  })

  it('says nothing of single logs without their ids', () => {
    const refused = new LogsError('LOG_CLOSED', { ids: [] })
    expect([refused.details, refused.messages.size]).toEqual([undefined, 0])
    expect(refused.text).toBe('El periodo del registro está cerrado.')
  })
})

describe('self-approval', () => {
  const forbid = { FORBID_SELF_APPROVAL: 'on' }
  const forbidden = 'No puedes cambiar el estado de tus propios registros.'

  /** An administrator who is also an employee, with a log of their own. */
  const aBoss = async (row: Parameters<typeof aLog>[0] = {}) => {
    const { employee_id } = await anEmployee()
    const own = await aLog({ employee_id, ...row })
    return { boss: await signInAdmin({ employee_id }), own }
  }

  it('is a 403 if the deployment forbids it, for one log and for many', async () => {
    const { boss, own } = await aBoss()
    const other = await aLog()
    const both = { log_ids: [other.id, own.id], status: 'approved', comment: 'x' }

    const single = await boss.change({ log_id: own.id, status: 'approved' }, forbid)
    const many = await boss.changeMany(both, forbid)

    for (const res of [single, many]) expectFailure(res, 403, forbidden)
    expect([await allDecisions(), await allComments()]).toEqual([[], []])
  })

  it('is forbidden for a log that the caller recorded, from any source', async () => {
    const { id: log_id } = await aLog({ source: 'app:7', source_id: '1', recorded_by: admin.id })
    expectFailure(await admin.change({ log_id, status: 'approved' }, forbid), 403, forbidden)
    const other = await signInAdmin()
    expect((await other.change({ log_id, status: 'approved' }, forbid)).status).toBe(200)
  })

  it('leaves other logs, other administrators and services without the setting unaffected', async () => {
    const { boss, own } = await aBoss()
    const other = await aLog()
    expect((await boss.change({ log_id: other.id, status: 'approved' }, forbid)).status).toBe(200)
    expect((await admin.change({ log_id: own.id, status: 'approved' }, forbid)).status).toBe(200)
    expect((await boss.change({ log_id: own.id, status: 'rejected' })).status).toBe(200)
  })

  it('is a 403 even with an unknown log or another status in the same request', async () => {
    const { boss, own } = await aBoss({ status: 'approved' })
    const body = { log_ids: [own.id, 99], status: 'rejected', expected_status: 'pending' }
    expect((await boss.changeMany(body, forbid)).status).toBe(403)
  })
})

describe('REQUIRE_COMMENT', () => {
  const settings = { REQUIRE_COMMENT: 'rejected, pending' }
  const TEXT = 'El comentario es obligatorio.'

  it('is a 422 for the listed statuses without a comment, for one log or many', async () => {
    const { id } = await aLog()
    for (const comment of [undefined, null, '', '  ']) {
      for (const status of ['rejected', 'pending']) {
        const one = await admin.change({ log_id: id, status, comment }, settings)
        expectInvalid(one, 'comment', TEXT)
        const many = await admin.changeMany({ log_ids: [id], status, comment }, settings)
        expectInvalid(many, 'comment', TEXT)
        expect(many.body.code).toBe('COMMENT_REQUIRED')
      }
    }
    expect((await allLogs())[0]?.updated_at).toBe((await allLogs())[0]?.created_at)
  })

  it('allows other statuses without a comment, and every status with one', async () => {
    const { id } = await aLog()
    expect((await admin.change({ log_id: id, status: 'approved' }, settings)).status).toBe(200)
    const reason = { status: 'rejected', comment: 'Repetida.' }
    expect((await admin.change({ log_id: id, ...reason }, settings)).status).toBe(200)
    expect((await admin.change({ log_id: id, status: 'rejected' })).status).toBe(200)
  })

  it('is reported together with the other fields, in their order', async () => {
    const unknown = await admin.change({ log_id: 99, status: 'rejected' }, settings)
    expect(Object.entries(unknown.body.errors)).toEqual([
      ['log_id', ['No existe un registro con ese identificador.']],
      ['comment', [TEXT]],
    ])
    const wrong = await admin.changeMany({ log_ids: 'x', status: 'rejected' }, settings)
    expect(Object.keys(wrong.body.errors)).toEqual(['log_ids', 'comment'])
    expect(wrong.body.code).toBe('INVALID_INPUT')
    expect(wrong.body.message).toBe(
      'Los identificadores de los registros deben ser una lista. (y 1 error más)',
    )
  })
})

describe('invisible characters in a comment', () => {
  const INVISIBLE: [string, string][] = [
    ['nothing', ''],
    ['blanks beyond 500', ' \t\n'.repeat(200)],
    ['zero-width space', '\u200B'],
    ['zero-width joiner', '\u200D\u2060'],
    ['byte order mark', '\uFEFF'],
    ['marks of direction', '\u200E\u202E\u2066'],
    ['soft hyphen', '\u00AD'],
    ['Hangul filler', '\u3164'],
    ['Braille blank', '\u2800'],
    ['tag characters', '\u{E0041}\u{E0042}'],
    ['control character', '\u0007'],
    ['among blanks', ' \u200B\u00A0\u2800 '],
  ]

  it.each(INVISIBLE)('are no comment: %s', async (_, comment) => {
    const { id } = await aLog()
    const settings = { REQUIRE_COMMENT: 'rejected' }
    const rejected = await admin.change({ log_id: id, status: 'rejected', comment }, settings)
    expect(rejected.status).toBe(422)
    expect((await admin.change({ log_id: id, status: 'approved', comment })).status).toBe(200)
    expect(await allComments()).toEqual([])
  })

  const VISIBLE = ['\u200BLlegó\u00ADtarde', '👩‍🏭', 'ok\u200E']
  it.each(VISIBLE)('are kept as sent beside a visible sign: %j', async (comment) => {
    const { id } = await aLog()
    expect((await admin.change({ log_id: id, status: 'approved', comment })).status).toBe(200)
    expect((await allComments())[0]?.comment).toBe(comment)
  })
})

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
    expect(missing.body).toMatchObject({ code: 'UNKNOWN_LOG_ID' })
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

  it('names each log that was decided meanwhile, with its status', async () => {
    const [one, two, three] = [await aLog(), await aLog(), await aLog()]
    await admin.change({ log_id: two.id, status: 'approved' })
    await admin.change({ log_id: three.id, status: 'rejected' })
    const before = await allLogs()
    const log_ids = [one.id, two.id, three.id]
    const res = await admin.changeMany({ log_ids, status: 'approved', expected_status: 'pending' })
    const moved = (id: number, status: string) =>
      `El registro ${id} ya cambió: su estado actual es ${status}.`
    expectFailure(res, 409, moved(two.id, 'approved'), {
      'log_ids.1': [moved(two.id, 'approved')],
      'log_ids.2': [moved(three.id, 'rejected')],
    })
    expect(res.body.code).toBe('STATUS_MOVED')
    expect(res.body.details).toEqual({ ids: [two.id, three.id] })
    expect(await allLogs()).toEqual(before)
  })
})
