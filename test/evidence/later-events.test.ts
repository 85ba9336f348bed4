import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { textOfReport } from '../../sdk/evidence/report-text.ts'
import { type Admin, signInAdmin } from '../support/admin.ts'
import { get, post } from '../support/api.ts'
import { dropTriggers, faultsOf, verifyText } from '../support/evidence.ts'
import { aLog, anEmployee } from '../support/factories.ts'
import { parseLines } from '../support/lines.ts'
import { as, tokenOf, USER_ACCESS, USER_NAMES, USERS_PATH } from '../support/people.ts'
import { seal } from '../support/seals.ts'

/** Tests the events of accounts and of rules of hours, and the previous event. */

const OF_ANA = 'employee_id=E-ana&from=2026-11-01&to=2026-11-30&comments=true'

let admin: Admin
beforeEach(async () => {
  admin = await signInAdmin()
  await anEmployee({ employee_id: 'E-ana', branch_office: 'Centro', payroll_group: 'semanal' })
})

const sql = (text: string, ...values: unknown[]) =>
  env.DB.prepare(text)
    .bind(...values)
    .run()

const evidence = async (query = '') =>
  (await get(`/v2/audit/evidence?${query}`, { token: admin.token })).text

const leavesOf = (text: string) =>
  parseLines(text).flatMap(({ entry }) => (entry ? [JSON.parse(entry)] : []))

/** Expects that the file has no faults. Returns the sentences about the checks. */
const checksOf = async (text: string) => {
  const report = await verifyText(text)
  expect(report.faults.texts).toEqual([])
  return textOfReport(report).checks.map((check) => check.text)
}

describe('access to an account', () => {
  const human = { ...USER_NAMES, ...USER_ACCESS, role: 'employee' }

  it('is recorded: who linked, invited and set the password', async () => {
    const send = as(admin.token)
    const ofAna = { email: 'ana@empresa.mx', ...human, employee_id: 'E-ana' }
    const created = await send('POST', USERS_PATH, ofAna)
    const { invitation, user } = created.body.data
    const body = { token: tokenOf(invitation.url), password: 'una frase larga' }
    const accepted = await post('/auth/invitation', body)
    expect(accepted.status, accepted.text).toBe(200)
    const unlinked = { ...human, active: 1, expected_version: user.version }
    const { status, text } = await send('PUT', `${USERS_PATH}/${user.id}`, unlinked)
    expect(status, text).toBe(200)

    const facts = leavesOf(await evidence()).map((leaf) => {
      expect([leaf.event, leaf.account]).toEqual(['access', user.id])
      return [leaf.what, leaf.user_id, leaf.through]
    })
    expect(facts).toEqual([
      ['linked', admin.id, null],
      ['invited', admin.id, null],
      ['password_set', user.id, 2],
      ['unlinked', admin.id, null],
    ])
    expect(await faultsOf(await evidence())).toEqual([])
  })

  it('is not recorded for users without an employee', async () => {
    const created = await as(admin.token)('POST', USERS_PATH, { email: 'x@empresa.mx', ...human })
    expect(created.status, created.text).toBe(200)
    expect(leavesOf(await evidence())).toEqual([])
  })
})

describe('a rule of hours', () => {
  it('is recorded: of a person and of a branch', async () => {
    await sql(
      "INSERT INTO employee_shifts (employee_id, valid_from, max_shift_hours) VALUES ('E-ana', '2026-11-02', 24)",
    )
    await sql(
      "INSERT INTO branch_zones (branch_office, time_zone) VALUES ('Norte', 'America/Tijuana')",
    )
    const [shift, zone] = leavesOf(await evidence())
    const own = { event: 'ruled', actor: 'operator', user_id: null, previous: null }
    const ofAna = { employee_id: 'E-ana', branch: null, rule: 'shift', value: '24' }
    expect(shift).toMatchObject({ ...own, ...ofAna, valid_from: '2026-11-02' })
    const ofNorte = { employee_id: null, branch: 'Norte', rule: 'zone', value: 'America/Tijuana' }
    expect(zone).toMatchObject({ ...own, ...ofNorte, valid_from: null })
    await seal()
    await dropTriggers()
    await sql(`UPDATE log_events SET details = replace(details, '24', '36')`)
    expect((await faultsOf(await evidence())).join()).toContain('no es como se selló')
  })
})

describe('the previous event', () => {
  const aDecidedLog = async (id: number, day: string) => {
    await aLog({ id, employee_id: 'E-ana', recorded_at: `${day}T14:00:00.000Z` })
    await admin.change({ log_id: id, status: 'approved' })
  }

  it('shows that a person’s file has all between its first and last event', async () => {
    await aDecidedLog(1, '2026-10-30')
    await aLog({ id: 2, employee_id: 'E-ana', recorded_at: '2026-11-03T14:00:00.000Z' })
    await aDecidedLog(3, '2026-12-01')
    await admin.change({ log_id: 1, status: 'rejected' })
    await admin.change({ log_id: 2, status: 'approved' })
    await sql(
      "INSERT INTO employee_shifts (employee_id, max_shift_hours, created_at) VALUES ('E-ana', 12, ?)",
      new Date().toISOString(),
    )
    await seal()
    const text = await evidence(OF_ANA)
    const logs = [2, 3, 3, 1, 2, undefined, null]
    expect(leavesOf(text).map(({ id, log_id }) => [id, log_id])).toEqual(
      logs.map((log_id, i) => [3 + i, log_id]),
    )
    const report = await verifyText(text)
    expect([report.faults.texts, report.logs, report.otherLogs]).toEqual([[], 1, 2])
    expect(await checksOf(text)).toContain(
      'Del evento 3 al 7 no falta ninguno de E-ana: cada uno nombra al anterior.',
    )

    const lines = parseLines(text)
    const without = lines.filter(({ entry }) => !entry?.includes('"id":6'))
    without.splice(-1, 1, { end: { events: 6, seals: 2 } })
    const cut = await verifyText(without.map((line) => `${JSON.stringify(line)}\n`).join(''))
    expect(cut.faults.texts).toEqual([
      'Falta el evento 6 de esta persona.',
      'Evento 9 (entrega): se entregó con 6 eventos más, y trae 5.',
    ])
  })

  it('is refused for a user whose scope lacks a branch of the period', async () => {
    await aDecidedLog(1, '2026-11-03')
    await sql("UPDATE employees SET branch_office = 'Norte' WHERE employee_id = 'E-ana'")
    await aDecidedLog(2, '2026-11-04')
    await sql("UPDATE employees SET branch_office = 'Centro' WHERE employee_id = 'E-ana'")
    await aDecidedLog(3, '2026-11-05')
    await seal()
    await sql(`UPDATE users SET scope_branches = '["Centro"]' WHERE id = ?`, admin.id)
    const refused = await get(`/v2/audit/evidence?${OF_ANA}`, { token: admin.token })
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'En ese periodo, parte de sus checadas es de otras sucursales. Pide un periodo sin ellas, o la evidencia a quien administra todas.',
    ])
    const later = await evidence(OF_ANA.replace(/from=[^&]*/, 'from=2026-11-05'))
    expect(await faultsOf(later)).toEqual([])
  })
})
