import { beforeEach, describe, expect, it } from 'vitest'
import { LOG_STATUSES } from '../../src/core/values/log-values.ts'
import { changeLogStatuses } from '../../src/logs/log-status.ts'
import { signInAdmin, useAdmin } from '../support/admin.ts'
import {
  expectFailure,
  expectInvalid,
  expectRejectedFields,
  expectSuccess,
  failure,
} from '../support/api.ts'
import {
  adminDb,
  aLog,
  allComments,
  allDecisions,
  allLogs,
  failWritesTo,
} from '../support/factories.ts'

const admin = useAdmin()
let log: Awaited<ReturnType<typeof aLog>>
beforeEach(async () => {
  log = await aLog()
})

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const NO_LOG = 'No existe un registro con ese identificador.'
const BAD_STATUS = 'El estado debe ser pending, approved o rejected.'
const LONG_COMMENT = 'El comentario no puede tener más de 500 caracteres.'
const COMMENT_FAILED = failure('No se pudo guardar el comentario.')
const STATUS_FAILED = failure('No se pudo actualizar el estado del registro.')

describe('POST /v2/incidents/change_log_status', () => {
  const CHANGES = LOG_STATUSES.flatMap((from) => LOG_STATUSES.map((to) => [from, to] as const))
  it.each(CHANGES)('changes one log from %s to %s, and adds an audit row', async (from, to) => {
    const { id: log_id, employee_id, kind, recorded_at } = await aLog({ status: from })

    const res = await admin.change({ log_id, status: to })

    expectSuccess(res, 'El estado del registro se actualizó.', { log_id, status: to })
    const [other, changed] = await allLogs()
    expect([other, changed?.status]).toEqual([log, to])
    const [created_at, salt] = [ISO, /^[0-9a-f]{32}$/].map((form) => expect.stringMatching(form))
    const facts = { employee_id, kind, recorded_at, source: '', details: null }
    const decision = { event: 'decided', from_status: from, to_status: to, comment_id: null }
    const by = { user_id: admin.id, actor: admin.actor_hash }
    expect(await allDecisions()).toEqual([
      { id: 3, log_id, ...decision, ...by, ...facts, created_at, salt },
    ])
  })

  it('stores the comment as sent, with author and time, linked from the audit row', async () => {
    const comment = '  Llegó tarde por el tráfico 🚦 \n'

    const res = await admin.change({ log_id: log.id, status: 'approved', comment })

    expect(res.status).toBe(200)
    const [stored] = await allComments()
    const [entry] = await allDecisions()
    const [changed] = await allLogs()
    expect(stored).toEqual({
      id: 1,
      log_id: log.id,
      user_id: admin.id,
      comment,
      salt: expect.stringMatching(/^[0-9a-f]{32}$/),
      created_at: expect.stringMatching(ISO),
      updated_at: stored?.created_at,
    })
    expect(entry?.comment_id).toBe(stored?.id)
    expect(entry?.created_at).toBe(stored?.created_at)
    expect(changed?.updated_at).toBe(stored?.created_at)
  })

  it('links each audit row to its own comment, not to an earlier one', async () => {
    const eva = await signInAdmin()
    await admin.change({ log_id: log.id, status: 'approved', comment: 'uno' })
    await eva.change({ log_id: log.id, status: 'rejected' })
    await eva.change({ log_id: log.id, status: 'pending', comment: 'dos' })

    const written = new Map((await allComments()).map((row) => [row.id, row.comment]))
    expect((await allDecisions()).map((row) => written.get(row.comment_id ?? 0))).toEqual([
      'uno',
      undefined,
      'dos',
    ])
  })

  it.each([
    ['emoji of one code point', '🙂'],
    ['combining marks', '\u0301'],
  ])('accepts 500 %s as the comment, and is a 422 for 501', async (_, letter) => {
    const withComment = (status: string, comment: string) =>
      admin.change({ log_id: log.id, status, comment })
    const accepted = await withComment('approved', letter.repeat(500))
    const rejected = await withComment('rejected', letter.repeat(501))

    expect(accepted.status).toBe(200)
    expect((await allComments())[0]?.comment).toBe(letter.repeat(500))
    expectInvalid(rejected, 'comment', LONG_COMMENT)
    expect((await allLogs())[0]?.status).toBe('approved')
  })

  it.each([
    ['a number', 5, 'El comentario debe ser texto.'],
    ['a lone surrogate', 'a\ud83d', 'El comentario contiene caracteres no válidos.'],
    ['NUL', 'a\0', 'El comentario contiene caracteres no válidos.'],
  ])('is a 422 for %s as the comment', async (_, comment, message) => {
    const res = await admin.change({ log_id: log.id, status: 'approved', comment })
    expectInvalid(res, 'comment', message)
    expect(await allDecisions()).toEqual([])
  })

  const WRONG_STATUSES = ['Approved', ' approved', 'aprobado', '', 1, null, ['approved']]
  it.each(WRONG_STATUSES)('is a 422 for the status %j', async (status) => {
    const message = status === null ? 'El estado es obligatorio.' : BAD_STATUS
    const res = await admin.change({ log_id: log.id, status })
    expectInvalid(res, 'status', message)
    expect((await allLogs())[0]?.status).toBe('pending')
  })

  const WRONG_IDS = ['1', 1.5, true, null, [1], 0, -1, 2 ** 53]
  it.each(WRONG_IDS)('is a 422 for the log_id %j', async (log_id) => {
    const res = await admin.change({ log_id, status: 'approved' })
    expectRejectedFields(res, 422, ['log_id'])
    expect(await allDecisions()).toEqual([])
  })

  it('accepts the largest log_id, in any JSON notation', async () => {
    await aLog({ id: 2 ** 53 - 1 })
    const res = await admin.change('{"log_id":9007199254740991.0,"status":"approved"}')
    expect(res.status).toBe(200)
    expect(res.body.data.log_id).toBe(2 ** 53 - 1)
  })

  it('is a 422 for an unknown log, and writes nothing', async () => {
    const res = await admin.change({ log_id: 99, status: 'approved', comment: 'visto' })
    expectInvalid(res, 'log_id', NO_LOG)
    expect(await allComments()).toEqual([])
    expect(await allDecisions()).toEqual([])
  })

  it('reports all invalid fields together, in the contract’s order', async () => {
    const body = { log_id: 99, status: 'aprobado', comment: 'x'.repeat(501) }

    const res = await admin.change(body)

    expectFailure(res, 422, `${NO_LOG} (y 2 errores más)`, {
      log_id: [NO_LOG],
      status: [BAD_STATUS],
      comment: [LONG_COMMENT],
    })
    expect(Object.keys(res.body.errors)).toEqual(['log_id', 'status', 'comment'])
  })

  it('takes a list for no id', async () => {
    const res = await admin.change({ log_id: [99], status: 'x' })
    expect(Object.keys(res.body.errors)).toEqual(['log_id', 'status'])
  })

  it('reports the required fields of an empty body', async () => {
    const res = await admin.change('')
    expectFailure(res, 422, 'El identificador del registro es obligatorio. (y 1 error más)', {
      log_id: ['El identificador del registro es obligatorio.'],
      status: ['El estado es obligatorio.'],
    })
  })

  it('reads the administrators’ roles from ADMIN_ROLES, which may be PAYROLL_ROLES too', async () => {
    const boss = await signInAdmin({ role: 'rh' })
    const settings = { ADMIN_ROLES: ' rh , gerente ', PAYROLL_ROLES: 'rh' }
    const body = { log_id: log.id, status: 'approved' }
    expect((await boss.change(body, settings)).status).toBe(200)
    expect((await admin.change(body, settings)).status).toBe(403)
    expect((await boss.change(body)).status).toBe(403)
  })
})

describe('when a write of the change fails', () => {
  it.each([
    ['the comment', 'log_comments', undefined, COMMENT_FAILED],
    ['the audit', 'log_events', undefined, STATUS_FAILED],
    ['the status', 'attendance_logs', undefined, STATUS_FAILED],
    ['what no error names', 'log_comments', 'disk I/O error', STATUS_FAILED],
  ])('rolls everything back and reports it: %s', async (_, table, error, expected) => {
    await failWritesTo(table, error)

    const res = await admin.change({ log_id: log.id, status: 'approved', comment: 'visto' })

    expect([res.status, res.body]).toEqual([500, expected])
    expect(await allComments()).toEqual([])
    expect(await allDecisions()).toEqual([])
    expect(await allLogs()).toEqual([log])
  })

  it('reports a comment that the database rejects', async () => {
    const changing = changeLogStatuses(adminDb(admin), [log.id], {
      status: 'approved',
      comment: 'x'.repeat(501),
      forbidSelfApproval: false,
      payRoles: [],
      at: '2026-11-02T14:00:00.000Z',
    })

    await expect(changing).rejects.toThrow('COMMENT_NOT_SAVED')
    expect(await allDecisions()).toEqual([])
    expect(await allLogs()).toEqual([log])
  })
})
