import { expect, it } from 'vitest'
import { otherNetworkText } from '../../console/review/other-network.ts'

const logs = (...marks: boolean[]) => marks.map((other_network) => ({ other_network }))

it('says how many of the chosen logs came from another address than their clock’s', () => {
  expect(otherNetworkText(logs(false, false))).toBe('')
  expect(otherNetworkText(logs(true))).toMatch(/^Llegó desde otra dirección/)
  expect(otherNetworkText(logs(true, false, false))).toBe(
    '1 de 3 checadas llegó desde otra dirección que la de su reloj: ¿ya la revisaste?',
  )
  expect(otherNetworkText(logs(true, true, false))).toBe(
    '2 de 3 checadas llegaron desde otra dirección que la de su reloj: ¿ya las revisaste?',
  )
})
