import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { forgetEmployee } from '../../cli/people/forget.ts'
import { hashOfText } from '../../src/agreements/agreement-hash.ts'
import { type Admin, signInAdmin } from '../support/admin.ts'
import { expectRejectedFields, get } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { faultsOf, verifyText } from '../support/evidence.ts'
import { anEmployee, aUser, inBranches, PASSWORD } from '../support/factories.ts'
import { as, ROLE_SETTINGS } from '../support/people.ts'
import { seal } from '../support/seals.ts'

const AGREEMENTS = '/v2/agreements'
const TEXT = { title: 'Registro electrónico', text: 'Se acuerda.\nFin.', valid_from: '2026-11-01' }
const SCAN = 'b'.repeat(64)

let admin: Admin
let ana: Awaited<ReturnType<typeof aUser>>
beforeEach(async () => {
  stopClock('2026-11-22T18:00:00.000Z')
  admin = await signInAdmin()
  await anEmployee({ employee_id: 'E-ana', full_name: 'Ana Ríos', branch_office: 'Centro' })
  ana = await aUser({ employee_id: 'E-ana' })
})

/** Sends requests with a token. With ROLE_SETTINGS, the administrator may not manage employees. */
const by = (token: string) => as(token, token === admin.token ? {} : ROLE_SETTINGS)

const publish = async (values: object = {}) => {
  const { body, status, text } = await by(admin.token)('POST', AGREEMENTS, { ...TEXT, ...values })
  expect(status, text).toBe(200)
  return body.data as { id: number; sha256: string }
}

const accept = (id: number, body: object, token = ana.token) =>
  as(token)('POST', `${AGREEMENTS}/${id}/accept`, { password: PASSWORD, ...body })

const current = async (token = ana.token) => (await as(token)('GET', `${AGREEMENTS}/current`)).body

const paper = (id: number, values: object = {}, token = admin.token) => {
  const body = { employee_id: 'E-ana', signed_on: '2026-11-02', file_sha256: SCAN, ...values }
  return by(token)('POST', `${AGREEMENTS}/${id}/paper`, body)
}

const voidPaper = (id: number, employee_id = 'E-ana') =>
  by(admin.token)('POST', `${AGREEMENTS}/${id}/paper/void`, { employee_id, comment: 'Otro papel.' })

const people = async (id: number, query = '', token = admin.token) =>
  (await by(token)('GET', `${AGREEMENTS}/${id}/people?${query}`)).body.data

const events = async () =>
  await env.DB.prepare("SELECT count(*) AS n FROM log_events WHERE event = 'agreed'").first('n')

describe('POST /v2/agreements', () => {
  it('publishes a text with the hash that a verifier computes', async () => {
    const { sha256 } = await publish({ text: 'Se acuerda.\r\nFin.' })
    expect(sha256).toBe(hashOfText(TEXT))
    expect((await by(admin.token)('GET', AGREEMENTS)).body.data.agreements).toMatchObject([
      { id: 1, ...TEXT, sha256 },
    ])
  })

  it('is a 409 for the same text', async () => {
    await publish()
    expect((await by(admin.token)('POST', AGREEMENTS, TEXT)).status).toBe(409)
  })

  it.each([
    ['a title of two lines', { title: 'a\nb' }, 'title'],
    ['a text that is too long', { text: 'x'.repeat(20_001) }, 'text'],
    ['an impossible day', { valid_from: '2026-02-30' }, 'valid_from'],
  ])('is a 422 for %s', async (_, values, field) => {
    const res = await by(admin.token)('POST', AGREEMENTS, { ...TEXT, ...values })
    expectRejectedFields(res, 422, [field])
  })
})

describe('GET /v2/agreements/current', () => {
  it('is the newest text that is valid today', async () => {
    expect((await as(ana.token)('GET', `${AGREEMENTS}/current`)).status).toBe(404)
    const old = await publish()
    await publish({ valid_from: '2027-01-01' })
    expect((await current()).data).toEqual({ ...old, ...TEXT, accepted_at: null })
    const newer = await publish({ text: 'Otro.' })
    expect((await current()).data).toMatchObject({ id: newer.id, accepted_at: null })
  })
})

describe('POST /v2/agreements/{id}/accept', () => {
  it('records an agreement once, and a new text needs a new agreement', async () => {
    const { id, sha256 } = await publish()
    const first = await accept(id, { sha256 })
    const at = '2026-11-22T18:00:00.000Z'
    expect(first.body.data).toEqual({ accepted_at: at, sha256, how: 'app' })
    stopClock('2026-11-23T18:00:00.000Z')
    expect((await accept(id, { sha256 })).body.data.accepted_at).toBe(at)
    expect([(await current()).data.accepted_at, await events()]).toEqual([at, 1])
    await publish({ text: 'Otro.' })
    expect((await current()).data.accepted_at).toBeNull()
  })

  it('is proven with its own text, also after a newer text and after the comment is erased', async () => {
    const { id, sha256 } = await publish()
    await accept(id, { sha256 })
    await publish({ text: 'Otro.' })
    await paper(id, { comment: 'Ana Ríos firmó en la oficina.' })
    await seal()
    const own = () => get('/v2/audit/evidence?employee_id=E-ana', { token: ana.token })
    const report = await verifyText((await own()).text)
    expect([report.faults.texts, report.statements.count]).toEqual([[], 2])
    expect(report.statements.texts[0]).toContain('el texto «Registro electrónico», con huella')
    expect((await own()).text).toContain('Ana Ríos firmó')
    await forgetEmployee(env.DB, 'E-ana', { now: new Date(), adminRoles: ['admin'] })
    const whole = (await get('/v2/audit/evidence', { token: admin.token })).text
    expect([await faultsOf(whole), whole.includes('Ana Ríos')]).toEqual([[], false])
  })

  it('is recorded once by four concurrent requests', async () => {
    const { id, sha256 } = await publish()
    const all = await Promise.all(Array.from({ length: 4 }, () => accept(id, { sha256 })))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await events()).toBe(1)
  })

  it('is refused without the password, the hash of a valid text or an employee', async () => {
    const { id, sha256 } = await publish()
    expectRejectedFields(await accept(id, { sha256, password: 'otra' }), 422, ['password'])
    expect((await accept(id, { sha256: 'a'.repeat(64) })).status).toBe(409)
    expect((await accept(9, { sha256 })).status).toBe(404)
    const later = await publish({ valid_from: '2026-11-23' })
    expect((await accept(later.id, later)).status).toBe(409)
    const nobody = await aUser()
    expect((await accept(id, { sha256 }, nobody.token)).status).toBe(403)
    expect(await events()).toBe(0)
  })
})

describe('POST /v2/agreements/{id}/paper', () => {
  it('counts until it is void, and can then be recorded again', async () => {
    const { id, sha256 } = await publish()
    expect((await paper(id)).body.data).toMatchObject({ sha256, how: 'paper' })
    expect((await current()).data.accepted_at).not.toBeNull()
    expect((await paper(id)).status).toBe(409)
    expect((await voidPaper(id)).status).toBe(200)
    expect((await current()).data.accepted_at).toBeNull()
    expect((await voidPaper(id)).status).toBe(409)
    expect((await paper(id)).status).toBe(200)
    expect((await people(id)).people).toMatchObject([{ employee_id: 'E-ana', how: 'paper' }])
  })

  it('must be signed on a day from the first day of the text to today', async () => {
    const { id } = await publish()
    for (const signed_on of ['2026-10-31', '2026-11-23']) {
      expectRejectedFields(await paper(id, { signed_on }), 422, ['signed_on'])
    }
    expect((await paper(id, { signed_on: '2026-11-22' })).status).toBe(200)
  })

  it('is refused for a person of another branch, and for the caller', async () => {
    const { id } = await publish()
    await anEmployee({ employee_id: 'E-rh' })
    const branch = inBranches('Norte')
    const rh = await aUser({ role: 'rh', employee_id: 'E-rh', scope_branches: branch })
    expect((await paper(id, {}, rh.token)).status).toBe(422)
    await env.DB.prepare('UPDATE users SET scope_branches = NULL WHERE id = ?').bind(rh.id).run()
    expect((await paper(id, { employee_id: 'E-rh' }, rh.token)).status).toBe(403)
    expect((await paper(id, {}, rh.token)).status).toBe(200)
  })
})

describe('GET /v2/agreements/{id}/people', () => {
  it('lists who has agreed and who has not, without people who left', async () => {
    const { id, sha256 } = await publish()
    await anEmployee({ employee_id: 'E-beto', full_name: 'Beto Gil', branch_office: 'Norte' })
    await anEmployee({ employee_id: 'E-se-fue', full_name: 'Caro Paz', ended_at: '2026-11-01' })
    await accept(id, { sha256 })
    const all = await people(id)
    expect(all).toMatchObject({ agreed: 1, missing: 1, next_cursor: null })
    expect(all.people).toEqual([
      {
        ...{ employee_id: 'E-ana', full_name: 'Ana Ríos', branch_office: 'Centro' },
        ...{ agreed_at: '2026-11-22T18:00:00.000Z', how: 'app', has_user: true },
      },
      {
        ...{ employee_id: 'E-beto', full_name: 'Beto Gil', branch_office: 'Norte' },
        ...{ agreed_at: null, how: null, has_user: false },
      },
    ])
    const ids = async (query: string, token?: string) =>
      (await people(id, query, token)).people.map((row: { employee_id: string }) => row.employee_id)
    expect(await ids('agreed=false')).toEqual(['E-beto'])
    expect(await ids('agreed=true&branch_office=Norte')).toEqual([])
    const first = await people(id, 'limit=1')
    expect(await ids(`limit=1&cursor=${first.next_cursor}`)).toEqual(['E-beto'])
    const scoped = await aUser({ role: 'nomina', scope_branches: inBranches('Norte') })
    expect(await people(id, '', scoped.token)).toMatchObject({ agreed: 0, missing: 1 })
    expect(await ids('', scoped.token)).toEqual(['E-beto'])
    expect((await by(admin.token)('GET', `${AGREEMENTS}/9/people`)).status).toBe(404)
  })
})
