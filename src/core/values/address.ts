import { expandIPv6 } from 'hono/utils/ipaddr'

/** The addresses of callers. */

const IPV6 = /^[\da-f.]*:[\da-f:.]*$/

/** The first 64 bits of an IPv6 address. Undefined for any other text. */
const ipv6Network = (address: string): string | undefined => {
  const text = address.toLowerCase()
  if (!IPV6.test(text) || text.split(':').length > 8) return undefined
  return expandIPv6(text).split(':').slice(0, 4).join(':')
}

/** The IPv4 address, or the /64 network of an IPv6 address, which belongs to one subscriber. */
export const networkOf = (address: string): string => ipv6Network(address) ?? address

const IPV4_BYTE = '(25[0-5]|2[0-4]\\d|1?\\d?\\d)'
const IPV4 = new RegExp(`^${IPV4_BYTE}(\\.${IPV4_BYTE}){3}$`)
const NETWORK = /^[\da-f]{4}(:[\da-f]{4}){3}$/
const GROUPS = /^([\da-f]{1,4}|:)+$/

/** The network of an address as somebody types it, or of a network. Undefined for any other text. */
export const typedNetwork = (text: string): string | undefined => {
  const typed = text.trim().toLowerCase()
  if (IPV4.test(typed) || NETWORK.test(typed)) return typed
  const groups = typed.split(':')
  const isWhole = groups.length === 8 || typed.includes('::')
  const isIpv6 = isWhole && groups.length <= 8 && GROUPS.test(typed)
  return isIpv6 ? ipv6Network(typed) : undefined
}
