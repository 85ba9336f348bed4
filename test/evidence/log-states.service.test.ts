import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { type LogState, LogStates } from '../../sdk/evidence/log-states.ts'

const COUNT = 100_000

/** The state of a log. Like a state that is read from a file, it is parsed from JSON. */
const stateOf = (i: number, more: Partial<LogState> = {}): LogState => {
  const recorded_at = new Date(1_790_000_000_000 + i).toISOString()
  const facts = { branch: 'Norte', employee_id: `E-${i % 500}`, kind: 'entrada', source: '' }
  return JSON.parse(JSON.stringify({ ...facts, to: 'pending', id: i + 1, recorded_at, ...more }))
}

const readMemory = (): number => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

it('LogStates takes less than 200 bytes for a log, and returns what was set', () => {
  const states = new LogStates()
  const before = readMemory()
  for (let i = 0; i < COUNT; i++) states.set(1_000_000_000 + i, stateOf(i))
  expect((readMemory() - before) / COUNT).toBeLessThan(200)
  expect(states.size).toBe(COUNT)

  const decided = stateOf(7, { to: 'rejected', id: 2 * COUNT })
  states.set(1_000_000_007, decided)
  expect(states.size).toBe(COUNT)
  expect(states.get(1_000_000_007)).toEqual(decided)
  expect(states.get(1_000_000_008)).toEqual(stateOf(8))
  expect(states.get(5)).toBeUndefined()
  expect([...states].at(-1)).toEqual([1_000_000_000 + COUNT - 1, states.get(1_000_099_999)])
})
