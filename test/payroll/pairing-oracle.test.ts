import { expect, it } from 'vitest'
import { aLog, anAdmin, anEmployee } from '../support/factories.ts'
import { compareExtraLogs, compareWithOracle } from '../support/pairing-cases.ts'
import { daysByOracle } from '../support/pairing-oracle.ts'
import { payrollOf } from '../support/payroll.ts'

it('pairs punches as documented, for hundreds of person-days', () => {
  const seeds = Array.from({ length: 250 }, (_, i) => i + 1)
  expect(compareWithOracle(seeds)).toBeGreaterThan(700)
})

it('names the punches that are too many, for hundreds of people', () => {
  const seeds = Array.from({ length: 150 }, (_, i) => i + 1)
  expect(compareExtraLogs(seeds)).toBeGreaterThan(30)
})

it('pairs from the first log on for people who never rest, for any requested days', async () => {
  const { employee_id } = await anEmployee()
  const logs = []
  for (let i = 0; i < 60; i++) {
    const recorded_at = new Date(Date.parse('2026-10-01T14:00:00Z') + i * 11 * 3_600_000)
    const row = { employee_id, kind: 'checada', recorded_at: recorded_at.toISOString() } as const
    logs.push(await aLog({ ...row, status: 'approved' }))
  }
  const days = daysByOracle(
    logs.map((log) => ({ ...log, log_id: log.id, time_zone: 'America/Mexico_City' })),
    { longest: () => 16 * 3600 },
  )
  const payroll = payrollOf((await anAdmin()).token)
  for (const from of ['2026-10-01', '2026-10-14', '2026-10-20', '2026-10-27']) {
    const rows = await payroll.hours(`from=${from}&to=2026-10-28`)
    expect(rows.map(({ day, detail }) => [day, detail])).toEqual(
      days.filter(({ day }) => day >= from).map(({ day, detail }) => [day, detail]),
    )
  }
})
