import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { forgetEmployee } from '../../cli/people/forget.ts'
import { findIdentifyingTexts } from '../../cli/people/mentions.ts'
import { findLinkedAccounts } from '../../cli/users/accounts.ts'
import { isValid } from '../support/api.ts'
import { stopClock } from '../support/clock/clock.ts'
import { aClosing, allRows, anAdmin, anEmployee, aUser } from '../support/factories.ts'
import {
  as,
  type Caller,
  EMPLOYEE,
  USER_ACCESS,
  USER_NAMES,
  USERS_PATH,
} from '../support/people.ts'

const NOW = new Date('2026-11-22T12:00:00.000Z')

let ana: Awaited<ReturnType<typeof anAdmin>>
let admin: Caller
beforeEach(async () => {
  stopClock('2026-11-16T18:00:00.000Z')
  ana = await anAdmin()
  admin = as(ana.token)
  await anEmployee({ ...EMPLOYEE, employee_id: 'E-1' })
  await anEmployee({ ...EMPLOYEE, employee_id: 'E-2', full_name: 'Eva Luna Ríos' })
})

const OWN = { ...USER_NAMES, ...USER_ACCESS, role: 'employee', active: 1 }
const rowOf = async (id: number) => (await allRows()).users?.find((row) => row.id === id)
const rowsOf = async (id: number) =>
  (await allRows()).people_changes
    ?.filter((row) => row.subject === 'user' && row.subject_id === `${id}`)
    .map(({ changes }) => changes)
const forget = () => forgetEmployee(env.DB, 'E-1', { now: NOW, adminRoles: ['admin'] })

/** Changes a user over the API, from version 1 on, and returns the rows of changes. */
const put = async (id: number, ...changes: object[]) => {
  for (const [i, change] of changes.entries()) {
    const body = { ...OWN, ...change, expected_version: i + 1 }
    const { status, text } = await admin('PUT', `${USERS_PATH}/${id}`, body)
    expect(status, text).toBe(200)
  }
}

describe('the accounts of a forgotten person', () => {
  it('are erased if they were only once linked to the person, and are of nobody else', async () => {
    const { active: _, ...fields } = OWN
    const user = { ...fields, email: 'luis@empresa.mx', employee_id: 'E-1' }
    const former = (await admin('POST', USERS_PATH, user)).body.data.user.id
    await put(former, {})
    const clerk = await aUser({ ...USER_NAMES, email: 'lm@empresa.mx', role: 'rh' })
    const role = 'rh'
    await put(clerk.id, { role, employee_id: 'E-1' }, { role }, { role, active: 0 })
    const now = await aUser({ employee_id: 'E-1', email: 'luis2@empresa.mx' })

    const texts = await findIdentifyingTexts(env.DB, 'E-1')
    expect(texts).toEqual(expect.arrayContaining(['luis@empresa.mx', 'lm@empresa.mx']))
    const own = [former, clerk.id, now.id]
    expect(await findLinkedAccounts(env.DB, 'E-1')).toMatchObject({ own, others: [] })
    await forget()

    for (const id of own) {
      expect(await rowOf(id)).toMatchObject({ first_name: '', active: 0, actor_salt: '' })
      expect((await rowOf(id))?.email).toBe(`forgotten-${id}@invalid`)
    }
    expect(await rowsOf(former)).toEqual(['', ''])
    expect(JSON.stringify(await allRows())).not.toMatch(/luis2?@|lm@/)
    expect(await findIdentifyingTexts(env.DB, 'E-1')).toEqual([])
  })

  it.each([
    ['an administrator who was linked by mistake', { role: 'admin', first_name: 'Sara' }],
    ['an administrator of the same name who is active', { role: 'admin' }],
    ['an inactive administrator of another name', { role: 'admin', first_name: 'Sara', active: 0 }],
    ['an app user of another name', { first_name: 'Sara' }],
    ['the account of another person now', { employee_id: 'E-2' }],
  ])('are not %s', async (_, fields) => {
    const user = await aUser({ ...USER_NAMES, ...fields, employee_id: null })
    const { active: __, ...linked } = { active: 1, ...fields }
    await put(user.id, { ...linked, employee_id: 'E-1' }, fields)
    const [before, token] = [await allRows(), await isValid(ana.token)]

    const others = [{ id: user.id, email: user.email }]
    expect(await findLinkedAccounts(env.DB, 'E-1')).toMatchObject({ own: [], others })
    await forget()

    const { employees: _e, ...after } = await allRows()
    const { employees: _f, ...kept } = before
    expect(after).toEqual(kept)
    expect(token).toBe(true)
  })

  it('that are somebody else’s now lose only the changes that have the person’s names', async () => {
    const luis = await aUser({ ...USER_NAMES, employee_id: null })
    const eva = { first_name: 'Eva', last_name: 'Luna', mother_last_name: 'Ríos' }
    await put(
      luis.id,
      { employee_id: 'E-1' },
      { ...eva, employee_id: 'E-2' },
      { ...eva, employee_id: 'E-2', sources: ['x'] },
    )
    const [linked, , sources] = (await rowsOf(luis.id)) ?? []
    await forget()
    expect(await rowsOf(luis.id)).toEqual([linked, '', sources])
    expect(await rowOf(luis.id)).toMatchObject({ ...eva, active: 1, employee_id: 'E-2' })
  })
})

it('erases the comments of acts on that one person, and of nobody else', async () => {
  const one = { user_id: ana.id, employee_id: 'E-1' }
  const cancel = { cancelled_at: NOW.toISOString(), cancelled_by: ana.id, cancelled_after: 1 }
  const words = { comment: 'Luis renunció.', cancel_comment: 'Luis no.' }
  for (const target of [one, { ...one, employee_id: 'E-2' }, { user_id: ana.id }]) {
    const { id } = await aClosing({ ...target, comment: words.comment })
    await env.DB.prepare(
      `UPDATE closings SET cancelled_at = ?2, cancelled_by = ?3, cancelled_after = ?4,
         cancel_comment = ?5 WHERE id = ?1`,
    )
      .bind(id, cancel.cancelled_at, ana.id, 1, words.cancel_comment)
      .run()
  }
  const moment = `'${NOW.toISOString()}'`
  await env.DB.batch(
    [
      ...['E-1', 'E-2'].flatMap((id) => [
        `INSERT INTO day_reviews (employee_id, day, comment, user_id, last_event_id, created_at)
          VALUES ('${id}', '2026-11-02', 'Luis', ${ana.id}, 0, ${moment})`,
      ]),
    ].map((text) => env.DB.prepare(text)),
  )

  expect(await forget()).toBe(3)

  const { closings, day_reviews } = await allRows()
  const commentsOf = (rows: Record<string, unknown>[] = []) => rows.map(({ comment }) => comment)
  expect(commentsOf(closings)).toEqual(['', words.comment, words.comment])
  expect(closings?.map((row) => row.cancel_comment)).toEqual(['', 'Luis no.', 'Luis no.'])
  expect(commentsOf(day_reviews)).toEqual(['', 'Luis'])
  const erase = "UPDATE closings SET comment = '' WHERE employee_id IS NULL"
  await expect(env.DB.prepare(erase).run()).rejects.toThrow('append-only')
  expect(await forget()).toBe(0)
})
