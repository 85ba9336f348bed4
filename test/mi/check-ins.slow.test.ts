import { afterAll, describe, it } from 'vitest'
import { expectNoFaults, networks, situations, storages } from '../support/check-in-cases.ts'
import { Phone } from '../support/phone.ts'

/** Every case of which `check-ins.test.ts` tests some. */

afterAll(Phone.leave)

describe.each(situations)('a check-in on a phone that is %s', (situation) => {
  it.each(storages)('with a storage that is %s', (storage) =>
    expectNoFaults(networks.map((network) => ({ network, situation, storage, wasOnline: true }))),
  )

  it('on a page that was opened without a network', () =>
    expectNoFaults(
      networks.map((network) => ({ network, situation, storage: 'fine', wasOnline: false })),
    ))

  it.each([true, false])('on a page that is opened again, and was online: %s', (wasOnline) =>
    expectNoFaults(
      networks.map((network) => ({
        ...{ network, situation, wasOnline },
        ...({ storage: 'fine', isReloaded: true } as const),
      })),
    ),
  )
})
