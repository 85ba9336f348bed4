import { beforeEach, describe, expect, it } from 'vitest'
import { anAdmin, paysFrom } from '../support/factories.ts'
import { payrollOf } from '../support/payroll.ts'
import { aPerson } from '../support/time-card.ts'

/** Tests that paid days are always counted by the settings with which they were paid. */

const H = 3600

let token: string
beforeEach(async () => {
  token = (await anAdmin()).token
  await paysFrom('2026-11-01')
})

const payroll = (settings: Partial<Env> = {}) => payrollOf(token, settings)

const close = async (body: object, settings: Partial<Env> = {}): Promise<number> =>
  (await payroll(settings).closed({ before: '2026-11-16', ...body })).id

/** Two days with a pair of 15 hours. With a longest shift of 12 hours, neither pair counts. */
const LONG = '02 E06:00 S21:00 18 E06:00 S21:00'

const REFUSED =
  'Hay días ya pagados con MAX_SHIFT_HOURS = 16, y con el ajuste de ahora se contarían de otro modo. Escribe MAX_SHIFT_HOURS = 16, 12 from 2026-11-16.'

describe('a setting that would count paid days in another way', () => {
  it('stops a preview, a closing and a cancellation, and says what to write', async () => {
    await aPerson(LONG)
    const id = await close({})
    const changed = payroll({ MAX_SHIFT_HOURS: '12' })
    for (const res of [
      await changed.preview('before=2026-11-20'),
      await changed.send('GET', '/closings/preview/lines?before=2026-11-20&format=csv'),
      await changed.close({ before: '2026-11-20' }),
      await changed.cancel(id),
    ]) {
      expect([res.status, res.body.message]).toEqual([409, REFUSED])
    }
    const written = payroll({ MAX_SHIFT_HOURS: '16, 12 from 2026-11-16' })
    const { body } = await written.close({ before: '2026-11-20' })
    expect(body.data).toMatchObject({ period_seconds: 0, deducted_seconds: 0 })
    expect((await written.cancel(id)).status).toBe(200)
    const again = await written.preview('before=2026-11-20')
    expect(again.body.data).toMatchObject({ added_seconds: 15 * H, deducted_seconds: 0 })
  })

  it('may also be a time zone, and the text to write keeps its older changes', async () => {
    await aPerson('02 E08:00 S17:00')
    const TIME_ZONE = 'America/Mexico_City, America/Tijuana from 2026-11-10'
    await close({}, { TIME_ZONE })
    const { status, body } = await payroll({ TIME_ZONE: 'UTC' }).preview('before=2026-11-20')
    expect([status, body.message]).toEqual([
      409,
      expect.stringContaining(`Escribe TIME_ZONE = ${TIME_ZONE}, UTC from 2026-11-16.`),
    ])
    const zones = { TIME_ZONE: `${TIME_ZONE}, UTC from 2026-11-16` }
    expect((await payroll(zones).preview('before=2026-11-20')).status).toBe(200)
    // A value that is written again changes nothing.
    const again = 'America/Mexico_City, America/Mexico_City from 2026-11-05'
    const same = { TIME_ZONE: `${again}, America/Tijuana from 2026-11-10` }
    expect((await payroll(same).preview('before=2026-11-20')).status).toBe(200)
  })

  it('does not stop people whom no closing has paid', async () => {
    await aPerson(LONG, { payroll_group: 'semanal' })
    await aPerson(LONG, { payroll_group: 'quincenal' })
    await close({ payroll_group: 'semanal' })
    const changed = { MAX_SHIFT_HOURS: '12' }
    const preview = (group: string) =>
      payroll(changed).preview(`before=2026-11-16&payroll_group=${group}`)
    expect((await preview('semanal')).status).toBe(409)
    expect((await preview('quincenal')).status).toBe(200)
  })

  it('does not matter for the days of a cancelled closing', async () => {
    await aPerson(LONG)
    await payroll().cancel(await close({}))
    expect((await payroll({ MAX_SHIFT_HOURS: '12' }).preview('before=2026-11-16')).status).toBe(200)
  })
})
