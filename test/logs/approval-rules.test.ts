import { describe, expect, it } from 'vitest'
import { signInAdmin, useAdmin } from '../support/admin.ts'
import { expectFailure, expectInvalid, post } from '../support/api.ts'
import { aLog, allComments, allLogs, aUser } from '../support/factories.ts'

const admin = useAdmin()

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
    expect(wrong.body.message).toBe(
      'Los identificadores de los registros deben ser una lista. (y 1 error más)',
    )
  })
})

describe('FORBID_SELF_APPROVAL', () => {
  const settings = { FORBID_SELF_APPROVAL: 'on' }
  const OWN = 'No puedes cambiar el estado de tus propios registros.'

  it.each(['reloj-norte', 'app:7', 'manual:7', ''])(
    'forbids deciding a log that the caller recorded, from any source: %j',
    async (source) => {
      const { id } = await aLog({ source, source_id: source && '1', recorded_by: admin.id })
      const change = { log_id: id, status: 'approved' }
      expectFailure(await admin.change(change, settings), 403, OWN)
      const many = await admin.changeMany({ log_ids: [id], status: 'approved' }, settings)
      expectFailure(many, 403, OWN)
      expect((await allLogs())[0]?.status).toBe('pending')
      const other = await signInAdmin()
      expect((await other.change(change, settings)).status).toBe(200)
    },
  )
})

describe('a comment with invisible characters', () => {
  const INVISIBLE: [string, string][] = [
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

  it.each(INVISIBLE)('counts as no comment if it has nothing else: %s', async (_, comment) => {
    const { id } = await aLog()
    const settings = { REQUIRE_COMMENT: 'rejected' }
    const rejected = await admin.change({ log_id: id, status: 'rejected', comment }, settings)
    expect(rejected.status).toBe(422)
    expect((await admin.change({ log_id: id, status: 'approved', comment })).status).toBe(200)
    expect(await allComments()).toEqual([])
  })

  const VISIBLE = ['\u200BLlegó\u00ADtarde', '👩‍🏭', 'ok\u200E']
  it.each(VISIBLE)('is kept as sent if it also has a visible sign: %j', async (comment) => {
    const { id } = await aLog()
    expect((await admin.change({ log_id: id, status: 'approved', comment })).status).toBe(200)
    expect((await allComments())[0]?.comment).toBe(comment)
  })
})

it('names each log of a bulk change that was decided meanwhile, with its status', async () => {
  const [one, two, three] = [await aLog(), await aLog(), await aLog()]
  await admin.change({ log_id: two.id, status: 'approved' })
  await admin.change({ log_id: three.id, status: 'rejected' })
  const before = await allLogs()
  const res = await admin.changeMany({
    log_ids: [one.id, two.id, three.id],
    status: 'approved',
    expected_status: 'pending',
  })
  const moved = (id: number, status: string) =>
    `El registro ${id} ya cambió: su estado actual es ${status}.`
  expectFailure(res, 409, moved(two.id, 'approved'), {
    'log_ids.1': [moved(two.id, 'approved')],
    'log_ids.2': [moved(three.id, 'rejected')],
  })
  expect(await allLogs()).toEqual(before)
})

it('PAYROLL_ROLES may decide if they are also in ADMIN_ROLES', async () => {
  const { id } = await aLog()
  const { token } = await aUser({ role: 'nomina' })
  const env = { PAYROLL_ROLES: 'nomina', ADMIN_ROLES: 'admin,nomina' }
  const change = { log_id: id, status: 'approved' }
  const res = await post('/v2/incidents/change_log_status', change, { token, env })
  expect(res.status).toBe(200)
})
