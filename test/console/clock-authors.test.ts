import { expect, it } from 'vitest'
import { authorsText } from '../../console/clocks/clock-authors.ts'

const KNOWN = {
  ...{ added_by: null, confirmed_by: null, unconfirmed: false },
  ...{ unconfirmed_numbers: 0, may_confirm: false },
}
const ADDED = { ...KNOWN, added_by: 'Ana Paz', unconfirmed: true }

it('says who added a clock, and what somebody else has to confirm', () => {
  expect(authorsText(KNOWN, true)).toBe('')
  expect(authorsText(ADDED, true)).toBe('Lo agregó Ana Paz; falta que alguien más lo confirme.')
  const confirmed = { ...ADDED, unconfirmed: false, confirmed_by: 'Beto Ruiz' }
  expect(authorsText(confirmed, true)).toBe('Lo agregó Ana Paz. Lo confirmó Beto Ruiz.')
  expect(authorsText({ ...confirmed, unconfirmed_numbers: 2 }, true)).toContain(
    'Falta que alguien más confirme de quién son 2 números.',
  )
  expect(authorsText({ ...KNOWN, unconfirmed: true }, true)).toBe(
    'Falta que alguien más lo confirme.',
  )
})

it('asks for nothing that nothing depends on, unless the user can do it', () => {
  expect(authorsText(ADDED, false)).toBe('Lo agregó Ana Paz.')
  expect(authorsText({ ...ADDED, may_confirm: true }, false)).toContain('falta que alguien más')
  expect(authorsText({ ...KNOWN, unconfirmed_numbers: 1 }, false)).toBe('')
})
