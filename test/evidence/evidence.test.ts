import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { isAnchored, verdictOf } from '../../sdk/evidence/report.ts'
import { limitsOf, textOfReport } from '../../sdk/evidence/report-text.ts'
import { personEvidence } from '../../src/evidence/file/people-evidence.ts'
import { openCheckpoint, readVerifierKey } from '../../src/evidence/seal/checkpoint.ts'
import { leafTextOf } from '../../src/evidence/seal/seal.ts'
import { useAdmin } from '../support/admin.ts'
import { call, expectFailure, expectInvalid, get, post } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { faultsOf, verifyText } from '../support/evidence.ts'
import { VERIFIER_KEY } from '../support/evidence-files.ts'
import {
  ACTOR_SALT,
  adminDb,
  aLog,
  allRows,
  anAdmin,
  anEmployee,
  aUser,
  inBranches,
  insertLogs,
} from '../support/factories.ts'
import { parseLines } from '../support/lines.ts'
import { recordQueries } from '../support/record-queries.ts'
import { seal } from '../support/seals.ts'

const OTHER_KEY = 'PRIVATE+KEY+otra+9a1f4c3b+AQECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g'

const admin = useAdmin()

const evidence = (query = '', options: Parameters<typeof get>[1] = {}) =>
  get(`/v2/audit/evidence?${query}`, { token: admin.token, ...options })

const checkpoint = (options: Parameters<typeof get>[1] = {}) =>
  get('/v2/audit/checkpoint', { token: admin.token, ...options })

const rowsOf = async (text: string) => (await env.DB.prepare(text).all()).results

/** Adds two people with logs. Both logs of the first person are decided, one with a comment. */
const someRecord = async () => {
  const [ana, eva] = [await anEmployee(), await anEmployee()]
  const logs = []
  for (const { employee_id } of [ana, eva, ana]) {
    logs.push(await aLog({ employee_id, recorded_at: '2026-11-02T14:00:00.000Z' }))
  }
  const [first, other, last] = logs
  if (!first || !other || !last) return expect.unreachable()
  await admin.change({ log_id: first.id, status: 'approved', comment: 'Llegó puntual. ñ 🙂' })
  await admin.change({ log_id: last.id, status: 'rejected' })
  return { ana, eva, first, other, last }
}

describe('GET /v2/audit/checkpoint', () => {
  it('seals what is not sealed, and shows any user the signed tree head', async () => {
    await someRecord()
    const { token } = await aUser()
    const res = await checkpoint({ token })
    const type = 'text/plain; charset=UTF-8'
    expect([res.status, res.headers.get('Content-Type')]).toEqual([200, type])
    const key = (await readVerifierKey(VERIFIER_KEY)) ?? expect.unreachable()
    expect(await openCheckpoint(res.text, [key])).toMatchObject({ origin: 'PeterNeumann', size: 5 })
    expect((await checkpoint({ token })).text).toBe(res.text)
  })

  it('makes two seals at most', async () => {
    const { employee_id } = await anEmployee()
    await insertLogs(employee_id, 3_000)
    const sizes = []
    for (let i = 0; i < 3; i++) sizes.push((await checkpoint()).text.split('\n')[1])
    expect(sizes).toEqual(['2048', '3000', '3000'])
  })

  it('is a 404 while nothing is sealed', async () => {
    expectFailure(await checkpoint(), 404, 'Todavía no hay registros sellados.')
  })

  const PATHS = ['/v2/audit/checkpoint', '/v2/audit/evidence']
  it.each(PATHS)('is a 404 without SEAL_KEY: %s', async (path) => {
    const res = await get(path, { token: admin.token, env: { SEAL_KEY: ' ' } })
    expectFailure(res, 404, 'Esta instalación no sella sus registros.')
  })
})

describe('sealing', () => {
  it('makes a seal for each 1,024 events, and none if there are no events', async () => {
    const { employee_id } = await anEmployee()
    await insertLogs(employee_id, 1_025)
    expect(await seal()).toMatchObject({ sealed: 1_025, complete: true })
    expect(await seal()).toMatchObject({ sealed: 0, complete: true })
    const seals = 'SELECT size, last_event_id, length(leaves) AS leaves FROM log_seals'
    expect(await rowsOf(seals)).toEqual([
      { size: 1_024, last_event_id: 1_024, leaves: 32_768 },
      { size: 1_025, last_event_id: 1_025, leaves: 32 },
    ])
  })

  it('seals once if two runs overlap', async () => {
    await someRecord()
    const runs = await Promise.all(Array.from({ length: 5 }, () => seal()))
    expect(runs.reduce((sum, { sealed }) => sum + sealed, 0)).toBe(5)
    expect(await rowsOf('SELECT size FROM log_seals')).toEqual([{ size: 5 }])
  })

  it('catches up over several runs', async () => {
    const { employee_id } = await anEmployee()
    await insertLogs(employee_id, 2_500)
    const runs = []
    for (let i = 0; i < 3; i++) runs.push(await seal({ seals: 1 }))
    expect(runs.map(({ sealed, complete }) => [sealed, complete])).toEqual([
      [1_024, false],
      [1_024, false],
      [452, true],
    ])
    expect(await faultsOf((await evidence()).text)).toEqual([])
  })

  it('writes the sealed JSON like RFC 8785', () => {
    const event = {
      ...{ id: 7, event: 'decided' as const, log_id: 9, user_id: null, actor: 'import' },
      ...{ employee_id: 'Ñ-"1"\u2028\u0007', kind: 'entrada', source: '', salt: 'ab' },
      ...{ from: 'pending', to: 'approved', previous: 6, statement: null, branch: 'Centro' },
      ...{ at: '2026-11-02T14:00:00.001Z', recorded_at: '2026-11-02T14:00:00.000Z' },
      ...{ comment_id: null, comment: null, comment_salt: null, erased_hash: null },
      ...{ closing_id: null, before: null, payroll_group: null, lines: null, details: null },
    }
    expect(leafTextOf(event)).toBe(
      '{"actor":"import","at":"2026-11-02T14:00:00.001Z","branch":"Centro","comment":null,"employee_id":"Ñ-\\"1\\"\u2028\\u0007","event":"decided","from":"pending","id":7,"kind":"entrada","log_id":9,"previous":6,"recorded_at":"2026-11-02T14:00:00.000Z","salt":"ab","source":"","statement":null,"to":"approved","user_id":null,"v":1}',
    )
  })
})

describe('GET /v2/audit/evidence', () => {
  it('is the whole sealed record, verifies, and states that no outside anchor exists', async () => {
    await someRecord()
    const res = await evidence()
    expect(res.headers.get('Content-Disposition')).toMatch(
      /^attachment; filename="evidencia_\d{4}-\d\d-\d\d\.ndjson"$/,
    )
    const report = await verifyText(res.text, { keys: [VERIFIER_KEY] })
    expect([report.faults.texts, report.warnings.texts]).toEqual([[], []])
    expect(report).toMatchObject({ kind: 'whole', events: 5, seals: 1, logs: 3, withheld: 0 })
    expect(verdictOf(report)).toBe('sound')
    expect(isAnchored(report)).toBe(false)
    expect(limitsOf(report)[0]).toContain('No se indicó ningún sello guardado')
  })

  it('verifies as before after the users of the record have changed', async () => {
    const { ana } = await someRecord()
    const decider = await anAdmin()
    const { id } = await aLog({ employee_id: ana.employee_id })
    const decision = { log_id: id, status: 'approved' }
    const change = '/v2/incidents/change_log_status'
    expect((await post(change, decision, { token: decider.token })).status).toBe(200)
    await seal()
    const before = (await evidence()).text
    const names = { first_name: 'Otra', last_name: 'Persona', mother_last_name: '' }
    const access = { machine: false, employee_id: ana.employee_id, sources: null }
    const put = async (expected_version: number, row: object) => {
      const body = { ...names, ...access, scope_branches: null, expected_version, ...row }
      const path = `/v2/people/users/${decider.id}`
      const { status, text } = await call('PUT', path, { token: admin.token, body })
      expect(status, text).toBe(200)
    }
    await put(1, { role: 'employee', active: 0, scope_branches: ['Norte'] })
    await put(2, { role: 'admin', active: 1, employee_id: null })
    await post(`/v2/people/users/${decider.id}/revoke`, {}, { token: admin.token })
    await rowsOf("UPDATE users SET password_hash = ''")

    const after = (await evidence()).text
    expect([await faultsOf(before), await faultsOf(after)]).toEqual([[], []])
    // The changes of the users are new events, after the old seal.
    const sealed = (text: string) => text.replace(/"exported_at":"[^"]+"/, '').split('{"seal":1')[0]
    expect(sealed(after)).toBe(sealed(before))
  })

  it('withholds the comments on request, and still verifies', async () => {
    await someRecord()
    const { text } = await evidence('comments=false')
    expect(text).not.toContain('puntual')
    const report = await verifyText(text)
    expect([report.faults.count, report.withheld]).toEqual([0, 1])
  })

  it('names the actors by e-mail address and salt', async () => {
    await someRecord()
    const [head] = parseLines((await evidence()).text)
    expect(head.actors[admin.actor_hash]).toEqual({ salt: ACTOR_SALT, address: admin.email_key })
  })

  it('names each event that could not be sealed yet, with its time', async () => {
    const { employee_id } = await anEmployee()
    await insertLogs(employee_id, 2_100)
    const report = await verifyText((await evidence()).text, { keys: [VERIFIER_KEY] })
    expect([report.faults.count, report.events, report.unsealed.count]).toEqual([0, 2_100, 52])
    expect(report.unsealed.texts[0]).toMatch(/^Evento 2049 \(checada \d+\), del 20.{22}$/)
  })

  it('is a 404 with the same bytes for an approver of another branch', async () => {
    const { first, eva } = await someRecord()
    const { token } = await anAdmin({ scope_branches: inBranches('Sur') })
    for (const [outside, unknown] of [
      [`log_id=${first.id}`, 'log_id=999999'],
      [`employee_id=${eva.employee_id}`, 'employee_id=nadie'],
    ]) {
      const [one, other] = [await evidence(outside, { token }), await evidence(unknown, { token })]
      expect(one.status).toBe(outside?.startsWith('log_id') ? 404 : 422)
      expect(one.text).toBe(other.text)
    }
  })

  it('of a person is available to an administrator of the person’s branch', async () => {
    await someRecord()
    const scoped = await anAdmin({ scope_branches: inBranches('Norte') })
    const { employee_id } = await anEmployee({ branch_office: 'Norte' })
    const theirs = await evidence(`employee_id=${employee_id}`, { token: scoped.token })
    const end = { end: { events: 1, seals: 1 } }
    expect([theirs.status, parseLines(theirs.text).at(-1)]).toEqual([200, end])
  })

  it('is limited to one request a minute for each user', async () => {
    const from = { headers: { 'CF-Connecting-IP': '203.0.113.7' } }
    let left = 120
    const limited = { EXPORTS_BY_USER: { limit: async () => ({ success: --left >= 0 }) } }
    await evidence('', { ...from, env: limited })
    expect(left).toBe(48)
    const res = await evidence('', { ...from, env: limited })
    expect([res.status, res.headers.get('Retry-After')]).toEqual([429, '60'])
  })

  it('reads nothing for a HEAD request', async () => {
    const { recording, DB } = recordQueries(env.DB)
    const res = await call('HEAD', '/v2/audit/evidence', { token: admin.token, env: { DB } })
    expect([res.status, res.text, recording.calls]).toEqual([200, '', 1])
  })

  it('records nothing for a HEAD request, which gives nobody a file', async () => {
    const { ana } = await someRecord()
    const path = `/v2/audit/evidence?employee_id=${ana.employee_id}`
    const before = await allRows()
    expect((await call('HEAD', path, { token: admin.token })).status).toBe(200)
    expect(await allRows()).toEqual(before)
  })
})

describe('the evidence of a person', () => {
  it('has that person’s events with their proofs, and no text about others', async () => {
    const { ana, eva } = await someRecord()
    await seal()
    await aLog({ employee_id: eva.employee_id })
    const res = await evidence(`employee_id=${ana.employee_id}&from=2026-11-01&to=2026-11-30`)
    expect(res.text).not.toContain(eva.employee_id)
    expect(res.text).not.toContain('actors')
    expect(res.text).not.toContain('puntual')
    const report = await verifyText(res.text, { keys: [VERIFIER_KEY] })
    expect(report.faults.texts).toEqual([])
    expect(report).toMatchObject({
      ...{ kind: 'people', about: { employee_ids: [ana.employee_id] } },
      ...{ events: 5, seals: 2, until: { seal: 2, size: 7 }, withheld: 1 },
    })
    expect(parseLines(res.text)[0].until).toEqual(report.until)
    expect(textOfReport(report).summary[1]).toMatch(
      /^Trae sus checadas del 1 de noviembre de 2026 .* Completo hasta el .* \(evento 7\); de lo posterior, y de otras checadas, no dice nada\.$/,
    )
  })

  it('has the comments if they are asked for, and always the person’s own', async () => {
    const { ana } = await someRecord()
    const { token } = await aUser({ employee_id: ana.employee_id })
    const query = `employee_id=${ana.employee_id}&from=2026-11-01&to=2026-11-30`
    const asked = await evidence(`${query}&comments=true`)
    for (const { text } of [asked, await evidence(query, { token })]) {
      expect(text).toContain('Llegó puntual. ñ 🙂')
      expect(await faultsOf(text)).toEqual([])
    }
  })

  it('is for the person and administrators; nobody else learns whether it exists', async () => {
    const { ana, first, other } = await someRecord()
    const { token } = await aUser({ employee_id: ana.employee_id })
    const statuses = async (as: string) => {
      const queries = [
        `employee_id=${ana.employee_id}`,
        `log_id=${first.id}`,
        `log_id=${other.id}`,
        `employee_id=${other.employee_id}`,
        'employee_id=nadie',
        'log_id=999',
        `log_id=${other.id}&employee_id=${ana.employee_id}`,
      ]
      const found = []
      for (const query of queries) found.push((await evidence(query, { token: as })).status)
      return found
    }
    expect(await statuses(token)).toEqual([200, 200, 403, 403, 403, 403, 403])
    expect(await statuses((await aUser()).token)).toEqual(Array(7).fill(403))
    expect(await statuses(admin.token)).toEqual([200, 200, 200, 200, 422, 404, 404])
  })

  it('may be of one log, from any time', async () => {
    const { first } = await someRecord()
    const report = await verifyText((await evidence(`log_id=${first.id}`)).text)
    expect([report.faults.count, report.events, report.logs]).toEqual([0, 3, 1])
    const { summary, limits } = textOfReport(report)
    expect(summary[1]).toContain(`Trae solo la checada ${first.id}. Completo hasta el`)
    expect(limits.join()).toContain('con una entrega hecha a la medida, decisiones de la checada')
  })

  it.each([
    ['from=2025-01-01&to=2026-06-30', 'to', 'El periodo puede tener 366 días como máximo.'],
    ['from=2026-02-01&to=2026-01-01', 'to', 'La fecha final no puede ser anterior a la inicial.'],
    ['comments=1', 'comments', 'Los comentarios deben ser true o false.'],
    ['log_id=x', 'log_id', 'La checada debe ser un número entero positivo.'],
  ])('rejects %s', async (query, field, message) => {
    const { ana } = await someRecord()
    expectInvalid(await evidence(`employee_id=${ana.employee_id}&${query}`), field, message)
  })

  it('looks for a log by any id that JSON can hold, as the other endpoints do', async () => {
    const { token } = await anAdmin()
    const found = await evidence(`log_id=${Number.MAX_SAFE_INTEGER}`, { token })
    const tooLarge = await evidence(`log_id=${2 ** 53}`, { token })
    expect([found.status, tooLarge.status]).toEqual([404, 422])
  })

  it('describes one moment, even if more is sealed while it is written', async () => {
    stopClock('2026-11-22T18:00:00.000Z')
    const { ana, first } = await someRecord()
    await seal()
    const options = { from: undefined, to: undefined, comments: false, now: new Date() }
    const write = await personEvidence(
      adminDb(admin),
      { employee_id: ana.employee_id, log_id: null },
      { ...options, adminRoles: ['admin'], seal },
    )
    const chunks = await write()
    await admin.change({ log_id: first.id, status: 'rejected' })
    await seal({ key: OTHER_KEY })
    let text = ''
    for await (const chunk of chunks) text += chunk
    const report = await verifyText(text, { keys: [VERIFIER_KEY] })
    expect(report.faults.texts).toEqual([])
    expect(parseLines(text)[0]).toMatchObject({ keys: [VERIFIER_KEY], until: { seal: 2, size: 6 } })
    expect([report.events, report.until?.size]).toEqual([5, 6])
  })

  it('proves across many seals, near and far apart', async () => {
    const { employee_id } = await anEmployee()
    const others = (await anEmployee()).employee_id
    const recorded_at = '2026-11-02T14:00:00.000Z'
    for (const gap of [7, 3, 1, 200, 0, 5]) {
      for (let i = 0; i < gap; i++) {
        await insertLogs(others, 1 + (i % 3))
        await seal()
      }
      await aLog({ employee_id, recorded_at })
      await insertLogs(others, 5)
      await seal()
    }
    const { recording, DB } = recordQueries(env.DB)
    const res = await evidence(`employee_id=${employee_id}&from=2026-11-01&to=2026-11-30`, {
      env: { DB },
    })
    const report = await verifyText(res.text, { keys: [VERIFIER_KEY] })
    expect(report.faults.texts).toEqual([])
    expect([report.events, report.seals]).toEqual([7, 7])
    expect(recording.calls).toBeLessThan(40)
    expect(res.text).not.toContain(others)
  })
})
