import { describe, expect, it } from 'vitest'
import { signInAddress, signInNumber } from '../../console/ui/text.ts'
import { numberOf } from '../../src/core/values/email.ts'

describe('a typed number', () => {
  it.each(['00024', 'E-001', 'E 001', 'Ñ/7', '50%', 'a+b', 'ａ１', '🙂'])(
    'reaches the service as it was typed: %s',
    (number) => {
      expect(numberOf(signInAddress(` ${number} `))).toBe(number)
    },
  )

  it('with half a pair of UTF-16 is still sent', () => {
    expect(signInAddress('a\ud800')).toBe('a-@sin-correo.invalid')
  })

  it('is not an address', () => {
    expect(signInAddress(' Ana@empresa.mx ')).toBe('Ana@empresa.mx')
  })
})

it.each([
  ['00024@sin-correo.invalid', '00024'],
  ['e%20001@sin-correo.invalid', 'E 001'],
  ['50%@sin-correo.invalid', '50%'],
  ['ana@empresa.mx', undefined],
])('the number of %s is %s', (email, number) => {
  expect(signInNumber(email)).toBe(number)
})
