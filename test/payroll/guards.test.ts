import { describe, expect, it } from 'vitest'
import { guardDays } from '../../src/payroll/hours/guard-shifts.ts'
import type { HoursLog } from '../../src/payroll/hours/hours-log.ts'
import { readCard } from '../support/time-card.ts'

/** Tests which days raise the question whether somebody works guards of 24 h. */

const days = (text: string, maxShiftHours = 16): string[] => {
  const logs = readCard(text).map(({ kind, status, recorded_at }, i) => ({
    log_id: i + 1,
    kind,
    status,
    recorded_at,
    second: Date.parse(recorded_at) / 1000,
    local: new Date(Date.parse(recorded_at) - 6 * 3_600_000).toISOString().replace('T', ' '),
  })) as HoursLog[]
  return [...guardDays(logs, () => maxShiftHours * 3600)].map((day) => day.slice(8))
}

describe('guardDays', () => {
  it('has the days of one punch at about the same hour, from four punches on', () => {
    expect(days('02 C08:00 03 C08:05 04 C07:50')).toEqual([])
    expect(days('02 C08:00 03 C08:05 04 C07:50 05 C08:10?')).toEqual(['02', '03', '04', '05'])
    expect(days('02 E20:00 03 S20:02 04 E19:58 05 S20:00 06 E20:00')).toHaveLength(5)
  })

  it('knows guards with 48 h of rest, but not people who only punch now and then', () => {
    expect(days('02 E08:00 03 S08:00 05 E08:00 06 S08:00')).toEqual(['02', '03', '05', '06'])
    expect(days('02 C08:00 04 C08:00 06 C08:00 08 C08:00')).toEqual([])
    expect(days('02 C08:00 05 C08:00 08 C08:00 11 C08:00')).toEqual([])
  })

  it('has no days whose punches the longest shift already pairs', () => {
    expect(days('02 C08:00 03 C08:05 04 C07:50 05 C08:10', 26)).toEqual([])
  })

  it('does not ask about who forgets the exits of a clock with kinds, nor about full days', () => {
    expect(days('02 E08:00 03 E08:00 04 E08:00 05 E08:00')).toEqual([])
    expect(days('02 E08:00 S17:00 03 E08:00 S17:00 04 E08:00 S17:00 05 E08:00 S17:00')).toEqual([])
    expect(days('02 C08:00 03 C10:00 04 C08:00 05 C10:00')).toEqual([])
  })

  it('counts a repeated punch once and a rejected one not at all', () => {
    const repeated = '02 C08:00 C08:03 03 C08:00 C12:00x 04 C08:00 05 C08:00'
    expect(days(repeated)).toEqual(['02', '03', '04', '05'])
    expect(days('02 C08:00 03 C08:00x 04 C08:00 05 C08:00 06 C08:00')).toEqual([
      '02',
      '04',
      '05',
      '06',
    ])
  })
})
