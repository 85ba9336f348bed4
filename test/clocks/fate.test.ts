import { describe, expect, it } from 'vitest'
import { type FatePunch, fatesOf, type StoredPunches } from '../../src/clocks/punches/fate.ts'

const DAY = '2026-11-25'
const punch = (i: number, more: Partial<FatePunch> = {}): FatePunch => ({
  ...{ number: '4', person: 'E-4', day: DAY, reason: null, is_lost: false },
  local_at: `${DAY} 08:${String(Math.floor(i / 60)).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}`,
  ...more,
})
const punches = (length: number, more: (i: number) => Partial<FatePunch> = () => ({})) =>
  Array.from({ length }, (_, i) => punch(i, more(i)))

const nothing: StoredPunches = {
  stateOf: () => undefined,
  countOf: () => 0,
  elsewhereOn: () => 0,
  arrived: 0,
  waiting: 0,
  lost: 0,
}
const own = { isElsewhere: false, mayOnlyCount: true, room: 5_000 }
const elsewhere = { ...own, isElsewhere: true }

/** How many have each fate. */
const tally = (
  given: readonly FatePunch[],
  stored: Partial<StoredPunches> = {},
  arrival: Parameters<typeof fatesOf>[2] = own,
) => {
  const fates = fatesOf(given, { ...nothing, ...stored }, arrival)
  return Object.fromEntries([...Map.groupBy(fates, (fate) => fate)].map(([k, v]) => [k, v.length]))
}

describe('a punch from the clock’s own address', () => {
  it('is a log, up to 50 of a person and day, and waits then', () => {
    expect(tally(punches(60))).toEqual({ log: 50, over: 10 })
    expect(tally(punches(60), { countOf: () => 45 })).toEqual({ log: 5, over: 55 })
    const zeros = punches(60, (i) => ({ number: i % 2 ? '4' : '04' }))
    expect(tally(zeros)).toEqual({ log: 50, over: 10 })
    const days = punches(100, (i) => ({ day: i % 2 ? DAY : '2026-11-24' }))
    expect(tally(days)).toEqual({ log: 100 })
  })

  it('is known if it is stored, and becomes a log if it waits and its person is known', () => {
    const states = ['log', 'dismissed', 'over', 'waiting'] as const
    const fates = states.map((state) =>
      fatesOf([punch(1)], { ...nothing, stateOf: () => state }, own),
    )
    expect(fates.flat()).toEqual(['known', 'known', 'known', 'log'])
    const unknown = punch(1, { reason: 'number' })
    expect(fatesOf([unknown], { ...nothing, stateOf: () => 'waiting' }, own)).toEqual(['known'])
    expect(fatesOf([punch(1), punch(1)], nothing, own)).toEqual(['log', 'known'])
  })

  it('waits up to 10,000, and holds no known person back', () => {
    const mixed = [punch(1), punch(2, { number: '9', person: '9', reason: 'number' }), punch(3)]
    expect(fatesOf(mixed, { ...nothing, waiting: 9_999 }, own)).toEqual(['log', 'wait', 'log'])
    expect(fatesOf(mixed, { ...nothing, waiting: 10_000 }, own)).toEqual(['log', 'full', 'log'])
  })

  it('has a lost date up to 500 times, and is one from before the first day then', () => {
    const lost = punches(3, () => ({ day: '', reason: 'time', is_lost: true }))
    expect(fatesOf(lost, { ...nothing, lost: 498 }, own)).toEqual(['wait', 'wait', 'lost'])
  })

  it('is held if the call has had enough', () => {
    expect(fatesOf(punches(3), nothing, { ...own, room: 2 })).toEqual(['log', 'log', 'held'])
  })
})

describe('a punch from elsewhere', () => {
  it('is stored up to 50 of a person and day, and only counted then', () => {
    expect(tally(punches(60), {}, elsewhere)).toEqual({ log: 50, only_counted: 10 })
    const unknown = punches(60, () => ({ reason: 'number', person: '4' }))
    expect(tally(unknown, {}, elsewhere)).toEqual({ wait: 50, only_counted: 10 })
  })

  it('is stored up to 500 a day of all people, of whom the clock’s own uses nothing up', () => {
    const people = punches(600, (i) => ({ number: `${i}`, person: `${i}` }))
    expect(tally(people, {}, elsewhere)).toEqual({ log: 500, only_counted: 100 })
    expect(tally(people, { elsewhereOn: () => 480 }, elsewhere)).toEqual({
      log: 20,
      only_counted: 580,
    })
    expect(tally(people, { elsewhereOn: () => 500, waiting: 10_000 })).toEqual({ log: 600 })
  })

  it('is stored up to 2,000 that arrive on one day', () => {
    const days = punches(600, (i) => ({ number: `${i}`, person: `${i}`, day: `${i % 45}` }))
    expect(tally(days, { arrived: 1_900 }, elsewhere)).toEqual({ log: 100, held: 500 })
    expect(tally(days, { arrived: 2_000 })).toEqual({ log: 600 })
  })

  it('is held if the clock itself may call from there', () => {
    const silent = { ...elsewhere, mayOnlyCount: false }
    expect(tally(punches(60), {}, silent)).toEqual({ log: 50, held: 10 })
  })
})
