import { expect, it } from 'vitest'
import { isCommonPassword } from '../../src/session/common-passwords.ts'

it.each([
  ...['password', 'Password123', ' PASSWORD ', 'qwerty123', 'iloveyou', 'P@ssw0rd', 'welcome1'],
  ...[
    'contraseña',
    'CONTRASEÑA1',
    'contrasen\u0303a1',
    'tequiero',
    'guadalupe',
    'Mexico2026',
    'Mexico2031!',
    'familia.',
  ],
  ...['aaaaaaaa', 'ññññññññ', '        ', '********', '00000000'],
  ...['12345678', '123456789', '1234567890', '123456789012', '23456789', 'abcdefgh', 'CDEFGHIJKL'],
])('refuses %s, which is guessed first', (password) => {
  expect(isCommonPassword(password)).toBe(true)
})

it.each([
  'una clave larga',
  'aaaaaaab',
  '1234567ñ',
  'guadalupana larga',
  'mexico20261116',
  '13579135',
  'correcta caballo',
  '24681357',
])('takes %s', (password) => {
  expect(isCommonPassword(password)).toBe(false)
})
