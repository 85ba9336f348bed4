import { expect, it } from 'vitest'
import { isPasswordTrusted } from '../../src/users/access-effects.ts'

const facts = (hasPassword: 0 | 1, through: number | null, role: string | null) =>
  JSON.stringify([hasPassword, through, role])

it.each([
  ['none, whoever made the link', facts(0, 7, null), true],
  ['one that an operator has set', facts(1, null, null), true],
  ['one through the link of an administrator', facts(1, 7, 'admin'), true],
  ['one through the link of somebody who has another role now', facts(1, 7, 'rh'), false],
  ['one through the link of somebody who cannot administer now', facts(1, 7, null), false],
])('judges a password: %s', (_, stored, isTrusted) => {
  expect(isPasswordTrusted(stored, ['admin'])).toBe(isTrusted)
})
