import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { hashOfPerson } from '../../src/payroll/closings/closing-lines.ts'
import { type Admin, signInAdmin } from '../support/admin.ts'
import { get } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { verifyText } from '../support/evidence.ts'
import {
  aLog,
  anEmployee,
  aUser,
  inBranches,
  PASSWORD,
  paysFrom,
  tokenFor,
} from '../support/factories.ts'
import { payrollOf } from '../support/payroll.ts'
import { as } from '../support/people.ts'
import { seal } from '../support/seals.ts'
import { punch } from '../support/time-card.ts'

const OWN = '/v2/incidents/my_closings'

let admin: Admin
let ana: Awaited<ReturnType<typeof aUser>>
beforeEach(async () => {
  stopClock('2026-11-22T18:00:00.000Z')
  admin = await signInAdmin()
  await paysFrom('2026-11-01')
  for (const employee_id of ['E-ana', 'E-luis']) {
    await anEmployee({ employee_id, full_name: `Empleado ${employee_id}` })
    await punch(employee_id, '04 E08:00 S17:00 05 E08:00 S13:00')
  }
  ana = await aUser({ employee_id: 'E-ana' })
})

const close = async (values: object = {}): Promise<number> => {
  const period = { before: '2026-11-16', ...values }
  return (await payrollOf(admin.token).closed(period)).id
}

const own = async (id: number, token = ana.token) => as(token)('GET', `${OWN}/${id}`)

const sign = async (id: number, values: object = {}, token = ana.token) => {
  const { hash = '0' } = (await own(id, token)).body?.data ?? {}
  return as(token)('POST', `${OWN}/${id}/sign`, {
    hash,
    agrees: true,
    password: PASSWORD,
    ...values,
  })
}

const OBJECTION = { agrees: false, comment: 'El 5 salí a las 19:00.' }

const answer = (id: number, token = admin.token, employee_id = 'E-ana') => {
  const path = `/v2/incidents/closings/${id}/objections/${employee_id}/answer`
  return as(token, {})('POST', path, { comment: 'Se corrige en el siguiente cierre.' })
}

const objections = async (token = admin.token) =>
  (await as(token, {})('GET', '/v2/incidents/objections')).body.data.objections

const signedOf = async (id: number) => {
  const { closings } = (await get('/v2/incidents/closings', { token: admin.token })).body.data
  return closings.find((closing: { id: number }) => closing.id === id).signed
}

const personReport = async (period = 'from=2026-11-01&to=2026-11-30') => {
  await seal()
  const query = `employee_id=E-ana&${period}`
  return verifyText((await get(`/v2/audit/evidence?${query}`, { token: ana.token })).text)
}

describe('what a worker sees', () => {
  it('is their own days, 31 at most', async () => {
    await close()
    const days = async (query: string) => as(ana.token)('GET', `/v2/incidents/my_days?${query}`)
    const { body } = await days('from=2026-11-01&to=2026-11-30')
    expect(body.data.days).toMatchObject([
      { day: '2026-11-04', worked_seconds: 32_400, paid_seconds: 32_400, closing_id: 1 },
      { day: '2026-11-05', worked_seconds: 18_000, paid_seconds: 18_000, closing_id: 1 },
    ])
    expect(body.data.weeks).toEqual([
      {
        ...{ week_from: '2026-11-02', week_to: '2026-11-08', week_seconds: 50_400 },
        ...{ limit_seconds: 48 * 3600, open: false, pending_seconds: 0 },
      },
    ])
    // A week that the period only touches is whole if it begins before the period.
    const touched = (await days('from=2026-11-05&to=2026-11-08')).body.data
    expect(touched.days).toHaveLength(1)
    expect(touched.weeks).toMatchObject([{ week_from: '2026-11-02', week_seconds: 50_400 }])
    expect((await days('from=2026-11-01&to=2026-12-02')).status).toBe(422)
    const nobody = await aUser()
    expect((await as(nobody.token)('GET', '/v2/incidents/my_days')).status).toBe(403)
  })

  it('says how many hours of a week are pending, also of its days before the period', async () => {
    const pending = { employee_id: 'E-ana', status: 'pending' as const }
    for (const day of ['10', '12']) {
      await aLog({ ...pending, kind: 'entrada', recorded_at: `2026-11-${day}T14:00:00.000Z` })
      await aLog({ ...pending, kind: 'salida', recorded_at: `2026-11-${day}T18:30:00.000Z` })
    }
    const path = '/v2/incidents/my_days?from=2026-11-11&to=2026-11-15'
    const { days, weeks } = (await as(ana.token)('GET', path)).body.data
    expect(days).toMatchObject([{ day: '2026-11-12', pending_seconds: 16_200 }])
    expect(weeks).toMatchObject([{ week_seconds: 0, pending_seconds: 32_400, open: true }])
  })

  it('comes in pages: days after a day, closings after a closing', async () => {
    const ids = [await close({ before: '2026-11-05' }), await close()]
    const days = async (query: string) =>
      (await as(ana.token)('GET', `/v2/incidents/my_days?from=2026-11-01&to=2026-11-30&${query}`))
        .body.data
    const { weeks } = await days('')
    const page = await days('limit=1')
    expect(page).toMatchObject({ days: [{ day: '2026-11-04' }], weeks })
    expect((await days('limit=1&after=2026-11-04')).days).toMatchObject([{ day: '2026-11-05' }])
    expect((await days('after=2026-11-05')).days).toEqual([])

    const closings = async (query: string) =>
      (await as(ana.token)('GET', `${OWN}?${query}`)).body.data.closings.map(
        ({ id }: { id: number }) => id,
      )
    expect(await closings('limit=1')).toEqual([ids[1]])
    expect(await closings(`limit=1&after=${ids[1]}`)).toEqual([ids[0]])
    expect(await closings(`after=${ids[0]}`)).toEqual([])
    expect((await as(ana.token)('GET', `${OWN}?limit=x`)).status).toBe(422)
  })

  it('is their own days in other branches too, if they decide the logs of one branch only', async () => {
    await env.DB.prepare('UPDATE users SET scope_branches = ? WHERE id = ?')
      .bind(inBranches('Sur'), ana.id)
      .run()
    const { body } = await as(ana.token)('GET', '/v2/incidents/my_days?from=2026-11-01')
    expect(body.data.days).toMatchObject([
      { day: '2026-11-04', branch_office: 'Centro', log_ids: [1, 2] },
      { day: '2026-11-05', branch_office: 'Centro', log_ids: [3, 4] },
    ])
  })

  it('is their own lines of a closing, which have the hash that is signed', async () => {
    const id = await close()
    const { data } = (await own(id)).body
    expect(data).toMatchObject({ id, total_seconds: 50_400, signed: null, cancelled: false })
    expect(new Set(data.lines.map((line: { employee_id: string }) => line.employee_id))).toEqual(
      new Set(['E-ana']),
    )
    expect(hashOfPerson(data.lines)).toBe(data.hash)
    const { lines: _, ...listed } = data
    expect((await as(ana.token)('GET', OWN)).body.data.closings).toEqual([listed])
    expect((await own(9)).status).toBe(404)
  })

  it('is nothing of a closing of somebody else', async () => {
    const id = await close({ employee_id: 'E-luis' })
    expect([(await own(id)).status, (await sign(id)).status]).toEqual([404, 404])
  })
})

describe('signing', () => {
  it('is counted in the closing, where the newest signature of a person counts', async () => {
    const id = await close()
    expect(await signedOf(id)).toEqual({ agreed: 0, objected: 0, missing: 2, without_user: 1 })
    const first = await sign(id, OBJECTION)
    expect(first.body.data).toEqual({ at: '2026-11-22T18:00:00.000Z', ...OBJECTION })
    expect(await signedOf(id)).toEqual({ agreed: 0, objected: 1, missing: 1, without_user: 1 })
    await sign(id)
    expect(await signedOf(id)).toEqual({ agreed: 1, objected: 0, missing: 1, without_user: 1 })
    expect((await own(id)).body.data.signed).toMatchObject({ agrees: true, comment: null })
    await seal()
    const path = `/v2/incidents/closings/${id}/signatures`
    expect((await get(path, { token: admin.token })).body.data.signatures).toEqual([
      { employee_id: 'E-ana', at: '2026-11-22T18:00:00.000Z', agrees: true, seal: 1 },
    ])
    const report = await personReport()
    expect(report.faults.texts).toEqual([])
    expect(report.statements.texts[0]).toContain('objetó los renglones del cierre 1')
    expect(report.statements.texts[1]).toContain('firmó de conformidad los renglones del cierre 1')
  })

  it('needs the password, the current hash of the lines, and words for an objection', async () => {
    const id = await close()
    const statuses = [
      (await sign(id, { password: 'otra' })).status,
      (await sign(id, { hash: 'a'.repeat(64) })).status,
      (await sign(id, { agrees: false })).status,
    ]
    expect(statuses).toEqual([422, 409, 422])
    expect(await signedOf(id)).toMatchObject({ agreed: 0, objected: 0 })
  })

  it('is refused to every other user and kind of token', async () => {
    const id = await close()
    const { hash } = (await own(id)).body.data
    const body = { hash }
    const payroll = await aUser({ role: 'nomina' })
    const luis = await aUser({ employee_id: 'E-luis' })
    const machine = await tokenFor({ ...ana, machine: true })
    expect((await sign(id, body, payroll.token)).status).toBe(403)
    expect((await sign(id, body, admin.token)).status).toBe(403)
    expect((await sign(id, body, luis.token)).status).toBe(409)
    expect((await sign(id, body, machine)).status).toBe(403)
    expect(await signedOf(id)).toMatchObject({ agreed: 0 })
  })

  it('is void once the closing is cancelled', async () => {
    const id = await close()
    await sign(id, OBJECTION)
    await payrollOf(admin.token).cancel(id, 'Faltaba un día.')
    expect((await own(id)).body.data.cancelled).toBe(true)
    expect((await sign(id)).status).toBe(409)
    expect(await objections()).toEqual([])
    expect((await answer(id)).status).toBe(404)
    expect((await personReport()).statements.texts[0]).toContain('después se canceló, y no vale')
  })

  it('is checked by a trigger: no statement can sign other lines', async () => {
    const id = await close()
    const insert = env.DB.prepare(
      `INSERT INTO log_events (event, closing_id, employee_id, user_id, created_at, actor, details)
       VALUES ('signed', ?, 'E-ana', ?, '2026-11-22T18:00:00.000Z', 'x', ?)`,
    )
    const details = JSON.stringify({ agrees: 1, comment: null, own_lines: 'a'.repeat(64) })
    await expect(insert.bind(id, ana.id, details).run()).rejects.toThrow('SIGNATURE_OUTDATED')
  })
})

describe('an objection', () => {
  it('is listed until somebody else answers it, once', async () => {
    const id = await close()
    await sign(id, OBJECTION)
    expect(await objections()).toEqual([
      {
        ...{ closing_id: id, before: '2026-11-16', employee_id: 'E-ana' },
        ...{ full_name: 'Empleado E-ana', branch_office: 'Centro', comment: OBJECTION.comment },
        at: '2026-11-22T18:00:00.000Z',
      },
    ])
    expect((await answer(id, ana.token)).status).toBe(403)
    expect((await answer(id)).body.data.comment).toBe('Se corrige en el siguiente cierre.')
    expect((await answer(id)).status).toBe(404)
    expect(await objections()).toEqual([])
    expect((await own(id)).body.data.answer.comment).toBe('Se corrige en el siguiente cierre.')
    const report = await personReport()
    expect([report.faults.texts, report.statements.texts[0]]).toEqual([
      [],
      expect.stringContaining('y se le respondió el'),
    ])
  })

  it('is not answered by the person who made it, nor by a user of another branch', async () => {
    const id = await close()
    await env.DB.prepare("UPDATE users SET role = 'admin' WHERE id = ?").bind(ana.id).run()
    await sign(id, OBJECTION)
    expect((await answer(id, ana.token)).status).toBe(403)
    // Who made it may not answer it either once the user is of no employee.
    await env.DB.prepare('UPDATE users SET employee_id = NULL WHERE id = ?').bind(ana.id).run()
    expect((await answer(id, ana.token)).status).toBe(403)
    const norte = await aUser({ role: 'admin', scope_branches: inBranches('Norte') })
    expect((await answer(id, norte.token)).status).toBe(404)
    expect(await objections(norte.token)).toEqual([])
    const centro = await aUser({ role: 'admin', scope_branches: inBranches('Centro') })
    expect((await answer(id, centro.token)).status).toBe(200)
  })

  it('is answered once by 20 concurrent requests', async () => {
    const id = await close()
    await sign(id, OBJECTION)
    const all = await Promise.all(Array.from({ length: 20 }, () => answer(id)))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

it('the evidence has each signed closing, and lines only for closings of its period', async () => {
  const id = await close()
  expect((await sign(id)).status).toBe(200)
  await payrollOf(admin.token).cancel(id)
  const again = await close()
  for (const [period, hasOwnLines] of [
    [undefined, true],
    ['from=2026-11-20&to=2026-11-21', false],
  ] as const) {
    const report = await personReport(period)
    expect(report.faults.texts).toEqual([])
    expect(report.statements.texts.join()).toContain('firmó de conformidad')
    const signed = { id, isCancelled: true, withoutLines: hasOwnLines ? [] : ['E-ana'] }
    expect(report.sealedClosings).toMatchObject(hasOwnLines ? [signed, { id: again }] : [signed])
  }
})
