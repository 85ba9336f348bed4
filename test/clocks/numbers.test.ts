import { describe, expect, it } from 'vitest'
import {
  becomes,
  type NumberRow,
  type Owner,
  reasonOfOwner,
  rowOn,
  toOwnerOf,
  validFrom,
} from '../../src/clocks/punches/numbers.ts'

const row = (
  employee_id: string,
  more: Partial<NumberRow> = {},
): NumberRow & { number: string } => ({
  ...{ number: '4', serial: 'HX1', employee_id, branch_office: 'Centro' },
  ...{ valid_from: '', is_named: true, ...more },
})
const like = (employee_id: string) => ({ number: '4', employee_id, branch_office: 'Centro' })
const CENTRO = { branch_office: 'Centro' }

describe('whose a number is', () => {
  it.each([
    ['named at the clock before named at all clocks', [row('A', { serial: '' }), row('B')], 'B'],
    ['named before found', [row('A', { is_named: false }), row('B', { serial: '' })], 'B'],
    ['the newest of equal rows', [row('A'), row('B')], 'A'],
    ['not from a later day on', [row('A', { valid_from: '2026-11-26' }), row('B')], 'B'],
    ['not at another clock', [row('A', { serial: 'HX2' })], undefined],
  ])('%s', (_, rows, employee_id) => {
    expect(rowOn(rows, 'HX1', '2026-11-25')?.employee_id).toBe(employee_id)
  })

  it('is the only one whose id is like it, and then it is to be written down', () => {
    const ownerOf = (likeIds: ReturnType<typeof like>[], rows: ReturnType<typeof row>[] = []) =>
      toOwnerOf('HX1', { rows, likeIds })('4', '2026-11-25')
    expect(ownerOf([like('E-4')])).toMatchObject({ employee_id: 'E-4', is_found: true })
    expect(ownerOf([like('E-4'), like('E-04')])).toBeUndefined()
    expect(ownerOf([like('E-4')], [row('A')])).toMatchObject({ employee_id: 'A', is_found: false })
  })
})

const owner = (more: Partial<Owner> = {}): Owner => ({
  ...{ employee_id: 'E-4', branch_office: 'Centro', is_named: false, is_found: true, ...more },
})
const elsewhere = owner({ branch_office: 'Norte' })
const named = owner({ branch_office: 'Norte', is_named: true })

it.each([
  ['nobody has the number', undefined, 'number'],
  ['it is only like an id of another branch', elsewhere, 'branch'],
  ['somebody was named, of whatever branch', named, null],
  ['it is like an id of the branch', owner(), null],
  ['it is the uploader’s own', owner({ employee_id: 'MINE' }), 'own'],
])('a punch is a log or waits: %s', (_, of, reason) => {
  expect(reasonOfOwner(of, CENTRO, 'MINE')).toBe(reason)
})

describe('a waiting punch', () => {
  const waits = (reason: 'number' | 'branch' | 'own' | 'time', uploader: string | null = null) => ({
    reason,
    uploader_employee_id: uploader,
  })

  it.each([
    ['becomes a log once its owner is known', waits('number'), owner(), 'log'],
    ['waits for another reason', waits('number'), elsewhere, 'branch'],
    ['waits again for an owner', waits('branch'), undefined, 'number'],
    ['stays as it is if nothing has changed', waits('branch'), elsewhere, undefined],
    ['stays if who uploaded it is its owner', waits('number', 'E-4'), owner(), undefined],
    ['stays if it waits for something else', waits('time'), owner(), undefined],
    ['stays if it was the uploader’s own', waits('own'), owner(), undefined],
  ] as const)('%s', (_, punch, of, expected) => {
    expect(becomes(punch, of, CENTRO)).toBe(expected)
  })
})

it('a number is always of the first who is named, and later of others from the oldest punch on', () => {
  const at = { serial: 'HX1', today: '2026-11-25' }
  const waiting = [
    { local_at: '2026-11-24 08:00:00', reason: 'number' as const },
    { local_at: '2026-11-20 08:00:00', reason: 'branch' as const },
    { local_at: '2026-11-01 08:00:00', reason: 'time' as const },
  ]
  expect(validFrom([], waiting, at)).toBe('')
  expect(validFrom([row('A', { is_named: false })], waiting, at)).toBe('')
  expect(validFrom([row('A', { serial: 'HX2' })], waiting, at)).toBe('')
  expect(validFrom([row('A', { serial: '' })], waiting, at)).toBe('2026-11-20')
  expect(validFrom([row('A')], [], at)).toBe('2026-11-25')
})
