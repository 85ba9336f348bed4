import { beforeAll, expect, it } from 'vitest'
import { importConsole, stubBrowser } from '../support/browser-globals.ts'

let describeConflict: (conflict: object) => string

beforeAll(async () => {
  stubBrowser('http://127.0.0.1')
  const { session } = await importConsole('session/session')
  const time_zone = 'America/Mexico_City'
  const utc_offsets = [{ from: '', seconds: -21_600 }]
  session.set({ settings: { time_zone, zones: [{ time_zone, utc_offsets }] } })
  ;({ describeConflict } = await importConsole('review/decision-texts'))
})

const conflict = {
  ...{ log_id: 1, status: 'approved', by: 'Leticia Robles', isOwn: false },
  ...{ at: '2026-11-24T15:02:00.000Z', comment: null },
}

it('says who decided first, and never names the user to themselves', () => {
  expect(describeConflict(conflict)).toBe('Leticia Robles decidió antes (09:02, aprobada).')
  expect(describeConflict({ ...conflict, comment: 'Visto.' })).toBe(
    'Leticia Robles decidió antes (09:02, aprobada): «Visto.»',
  )
  expect(describeConflict({ ...conflict, by: '' })).toMatch(/^Otra persona decidió antes/)
  expect(describeConflict({ ...conflict, isOwn: true })).toBe(
    'Ya la decidiste tú (09:02, aprobada).',
  )
})
