import { expect, it } from 'vitest'
import { type ItemFacts, outcomeOf, resultsOf } from '../../src/intake/outcome.ts'

const facts = (more: Partial<ItemFacts> = {}): ItemFacts => ({
  ...{ stored_id: null, accepted_id: null, refusal: null, detail: null, ...more },
})

it.each([
  ['a new log', facts({ stored_id: 7, accepted_id: 7 }), true, { log_id: 7, result: 'created' }],
  ['a stored one', facts({ stored_id: 7, accepted_id: 7 }), false, { log_id: 7, result: 'known' }],
  ['one of another id and the same second', facts({ accepted_id: 7 }), true, 'known'],
  ['an old one that is stored', facts({ accepted_id: 7, refusal: 'too_old' }), false, 'known'],
  ['its id says something else', facts({ stored_id: 7 }), false, { log_id: 7, result: 'differs' }],
  [
    'an old one, whose id says something else',
    facts({ stored_id: 7, refusal: 'too_old' }),
    false,
    { log_id: null, result: 'refused', reason: 'too_old' },
  ],
  [
    'an unknown employee',
    facts({ refusal: 'unknown_employee', detail: 'near:E-4' }),
    false,
    {
      ...{ log_id: null, result: 'refused', reason: 'unknown_employee' },
      ...{ detail: 'near:E-4', near: 'E-4' },
    },
  ],
])('%s', (_, ofItem, isNew, expected) => {
  const outcome = outcomeOf(ofItem, () => isNew)
  expect(typeof expected === 'string' ? outcome.result : outcome).toEqual(expected)
})

const item = (source_id: string) => ({
  ...{ source_id, log_id: null, employee_id: 'E-4', kind: 'entrada' as const, offset: null },
  ...{ recorded_at: '2026-11-25T14:00:00.000Z', wrong: null, reason: null },
})

it('of equal items the first is created, and one that differs has the id of an earlier one', () => {
  const stored = facts({ stored_id: 7, accepted_id: 7 })
  const sent = [item('a'), item('a'), item('a')]
  const results = resultsOf(sent, { created: [7], facts: [stored, stored, facts()] })
  expect(results.map(({ log_id, result }) => [log_id, result])).toEqual([
    [7, 'created'],
    [7, 'known'],
    [7, 'differs'],
  ])
})
