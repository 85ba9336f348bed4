import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { findForgettableFrom, forgetEmployee } from '../../cli/people/forget.ts'
import { findIdentifyingTexts, findMentions } from '../../cli/people/mentions.ts'
import { employees } from '../../src/core/tables/people.ts'
import { users } from '../../src/core/tables/users.ts'
import { signInAdmin } from '../support/admin.ts'
import { get } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { faultsOf, verifyText } from '../support/evidence.ts'
import { aLog, allRows, anAdmin, anEmployee, aProblem, aUser, db } from '../support/factories.ts'
import { as, changesOf, EMPLOYEE, PEOPLE_PATH } from '../support/people.ts'
import { seal } from '../support/seals.ts'

const NOW = new Date('2026-11-22T12:00:00.000Z')

it('erases the data that identifies a person, and all evidence still verifies', async () => {
  const admin = await signInAdmin()
  const { employee_id } = await anEmployee({ full_name: 'Eva Luna' })
  const user = await aUser({ employee_id, email: 'eva@empresa.mx' })
  const [sealed, unsealed] = [await aLog({ employee_id }), await aLog({ employee_id })]
  const other = await aLog()
  await admin.change({ log_id: sealed.id, status: 'rejected', comment: 'Eva llegó tarde.' })
  await admin.change({ log_id: other.id, status: 'approved', comment: 'visto' })
  await seal()
  await admin.change({ log_id: unsealed.id, status: 'rejected', comment: 'Eva otra vez.' })
  const evidence = async () => (await get('/v2/audit/evidence', { token: admin.token })).text
  const before = await evidence()

  expect(await forgetEmployee(env.DB, employee_id, { now: NOW, adminRoles: ['admin'] })).toBe(2)

  const after = await evidence()
  expect(after).not.toMatch(/Eva|eva@/)
  expect(await faultsOf(before)).toEqual([])
  const report = await verifyText(after)
  expect([report.faults.texts, report.withheld]).toEqual([[], 2])
  expect((await get('/auth/me', { token: user.token })).status).toBe(401)
  expect((await admin.get(`/logs/${sealed.id}`)).body.data.history[0].comment).toBeNull()
  expect((await admin.get(`/logs/${other.id}`)).body.data.history[0].comment).toBe('visto')
  const [person] = await db.select().from(employees).where(eq(employees.employee_id, employee_id))
  expect([person?.full_name, person?.rfc, person?.phone]).toEqual(['', '', ''])
  const [account] = await db.select().from(users).where(eq(users.id, user.id))
  expect([account?.actor_hash, account?.actor_salt]).toEqual([user.actor_hash, ''])
  expect(await forgetEmployee(env.DB, employee_id, { now: NOW, adminRoles: ['admin'] })).toBe(0)
})

it('lists where a name has another apostrophe', async () => {
  const { employee_id } = await anEmployee({ full_name: "Ana O'Farrill" })
  const problem = await aProblem({ source_id: 'ana o’farrill' })
  const names = await findIdentifyingTexts(env.DB, employee_id)
  const mention = { table: 'intake_problems', column: 'source_id', id: String(problem.id) }
  expect(await findMentions(env.DB, names)).toContainEqual(mention)
})

it('lists where the person is still named, in every text column, and erases no more', async () => {
  const admin = await signInAdmin()
  const { employee_id } = await anEmployee({
    employee_id: 'E-77',
    full_name: 'Begoña Núñez Ríos',
    rfc: 'NURB800101XY1',
    phone: '5550009911',
    cellphone: '5550009922',
  })
  await aUser({ employee_id, email: 'Begona@empresa.mx', first_name: 'Bego', last_name: 'Núñez' })
  const own = await aLog({ employee_id })
  const others = [await aLog(), await aLog(), await aLog(), await aLog(), await aLog()]
  const texts = [
    'La cubrió BEGOÑA NÚÑEZ.',
    'Avisó begona nunez rios por escrito',
    'rfc nurb800101xy1, tel. 5550009911',
    'bego núñez, BEGONA@EMPRESA.MX',
    'Begoña no vino.',
  ]
  for (const [i, comment] of texts.entries()) {
    await admin.change({ log_id: others[i]?.id, status: 'approved', comment })
  }
  await admin.change({ log_id: own.id, status: 'approved', comment: 'Begoña Núñez' })
  const problem = await aProblem({ source: 'reloj', source_id: 'tarjeta 5550009922' })

  const names = await findIdentifyingTexts(env.DB, employee_id)
  await forgetEmployee(env.DB, employee_id, { now: NOW, adminRoles: ['admin'] })
  const before = await allRows()
  const mentions = await findMentions(env.DB, names)

  expect(mentions).toEqual([
    { table: 'intake_problems', column: 'source_id', id: String(problem.id) },
    ...[1, 2, 3, 4].map((id) => ({ table: 'log_comments', column: 'comment', id: String(id) })),
  ])
  expect(await allRows()).toEqual(before)
  await env.DB.prepare(
    `INSERT INTO employee_sources SELECT 'E-77', 'checador de begoña núñez', '2026-01-01T00:00:00.000Z'`,
  ).run()
  expect(await findMentions(env.DB, names)).toContainEqual({
    table: 'employee_sources',
    column: 'source',
    id: 'E-77/checador de begoña núñez',
  })
})

it('does not treat a blank, a short text or a shared RFC as a name', async () => {
  const blank = { full_name: 'Jo', rfc: 'XAXX010101000', phone: ' ', cellphone: '' }
  const { employee_id } = await anEmployee(blank)
  expect(await findIdentifyingTexts(env.DB, employee_id)).toEqual([])
  expect(await findMentions(env.DB, [])).toEqual([])
})

it('erases the recorded changes of a deleted person, and searches for their old names too', async () => {
  stopClock('2026-11-16T18:00:00.000Z')
  const admin = as((await anAdmin()).token, {})
  const eva = { ...EMPLOYEE, full_name: 'Eva Luna Ríos', rfc: 'LURE900101AB1', phone: '5550009911' }
  await admin('PUT', `${PEOPLE_PATH}/E-9`, { ...eva, expected_version: 0 })
  await admin('PUT', `${PEOPLE_PATH}/E-9`, { ...eva, full_name: 'Elena Luna', expected_version: 1 })
  await admin('DELETE', `${PEOPLE_PATH}/E-9`)
  await aProblem({ source: 'reloj', source_id: 'tarjeta de Eva Luna Ríos' })

  expect((await findForgettableFrom(env.DB, 'E-9'))?.toISOString()).toBe('2031-11-16T18:00:00.000Z')
  const names = await findIdentifyingTexts(env.DB, 'E-9')
  expect(names).toEqual(expect.arrayContaining(['eva luna ríos', 'elena luna', '5550009911']))
  await forgetEmployee(env.DB, 'E-9', { now: NOW, adminRoles: ['admin'] })
  expect(JSON.stringify((await allRows()).people_changes)).not.toMatch(/Eva|Elena|LURE|55500/)
  expect(await findMentions(env.DB, names)).toMatchObject([{ table: 'intake_problems' }])
  expect(await changesOf(admin)).toMatchObject(Array(3).fill({ subject_id: 'E-9', changes: [] }))
})

it('a person may be forgotten five years after the last day, or else after the newest log', async () => {
  const gone = await anEmployee({ ended_at: '2020-05-31' })
  const working = await anEmployee()
  await aLog({ employee_id: working.employee_id, recorded_at: '2026-11-02T14:00:00.000Z' })
  const from = async (id: string) => (await findForgettableFrom(env.DB, id))?.toISOString()
  expect(await from(gone.employee_id)).toBe('2025-05-31T00:00:00.000Z')
  expect(await from(working.employee_id)).toBe('2031-11-02T14:00:00.000Z')
  expect(await from('nadie')).toBeUndefined()
})

it('refuses to erase the last administrator, and erases nothing then', async () => {
  const { employee_id } = await anEmployee({ full_name: 'Eva Luna' })
  await anAdmin({ employee_id })
  const before = await allRows()
  const forget = () => forgetEmployee(env.DB, employee_id, { now: NOW, adminRoles: ['admin'] })
  await expect(forget()).rejects.toMatchObject({ code: 'LAST_ADMINISTRATOR' })
  expect(await allRows()).toEqual(before)
  await anAdmin()
  expect(await forget()).toBe(0)
})
