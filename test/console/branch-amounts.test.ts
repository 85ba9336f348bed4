import { expect, it } from 'vitest'
import { branchAmounts } from '../../console/closings/branch-amounts.ts'

const person = (branch_office: string, total_seconds: number, held_seconds = 0, pending = 0) => ({
  branch_office,
  total_seconds,
  held_seconds,
  pending,
})

it('adds up what each branch is paid and what is held back or undecided, the largest first', () => {
  const people = [
    person('Norte', 3600),
    person('Sur', 7200, 60, 2),
    person('', 0),
    person('Sur', 1, 0, 1),
  ]
  expect(branchAmounts(people)).toEqual([
    { branch: 'Sur', people: 2, paid: 7201, held: 60, pending: 3 },
    { branch: 'Norte', people: 1, paid: 3600, held: 0, pending: 0 },
    { branch: '', people: 1, paid: 0, held: 0, pending: 0 },
  ])
})
