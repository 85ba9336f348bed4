import { beforeAll, describe, expect, it } from 'vitest'
import type { OwnDay, OwnWeek } from '../../sdk/api-types.ts'
import { importConsole, stubBrowser } from '../support/browser-globals.ts'

// Without types, because the console is compiled with those of a browser.
let texts: Awaited<ReturnType<typeof importConsole>>

beforeAll(async () => {
  stubBrowser('http://127.0.0.1')
  texts = await importConsole('mi/own-hours')
})

describe('the hours of a day', () => {
  const DAY: Partial<OwnDay> = {
    ...{ worked_seconds: null, pending_seconds: 0, working_since: null },
    ...{ paid_seconds: null, closing_id: null },
  }
  it.each<[Partial<OwnDay>, string]>([
    [{}, 'Sin horas todavía'],
    [{ pending_seconds: 32_400 }, '9 h por aprobar'],
    [{ worked_seconds: 14_400, pending_seconds: 14_400 }, '4 h · 4 h por aprobar'],
    [{ worked_seconds: 14_400, pending_seconds: -60 }, '4 h'],
    [{ working_since: '2026-11-02 18:02:00' }, 'En turno desde 18:02'],
    [{ paid_seconds: 3600, closing_id: 2 }, 'Sin horas todavía · el cierre 2 pagó 1 h'],
  ])('%j: %s', (facts, expected) => {
    expect(texts.hoursText({ ...DAY, ...facts })).toBe(expected)
  })
})

describe('the hours of a week', () => {
  const WEEK: OwnWeek = {
    ...{ week_from: '2026-11-02', week_to: '2026-11-08' },
    ...{ week_seconds: 0, limit_seconds: 48 * 3600, open: true, pending_seconds: 0 },
  }
  it.each<[Partial<OwnWeek>, string]>([
    [{ pending_seconds: 9 * 3600 }, '0 min de 48 h, y 9 h por aprobar'],
    [{ week_seconds: 3600, open: false }, '1 h de 48 h'],
    [{ week_seconds: 3600 }, '1 h de 48 h, con algo pendiente'],
    [{ week_seconds: 3600, pending_seconds: -60 }, '1 h de 48 h, con algo pendiente'],
  ])('%j: %s', (facts, expected) => {
    expect(texts.weekText({ ...WEEK, ...facts })).toBe(`2 al 8 de noviembre: ${expected}`)
  })
})
