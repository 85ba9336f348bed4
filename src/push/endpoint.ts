import { isLoopbackHost } from '../core/values/loopback.ts'

/**
 * The push services of Chrome, of other browsers that are made of Chromium, of Firefox, Safari and
 * Edge. Messages go to no other host, since anybody who has signed in may name an endpoint.
 */
const PUSH_SERVICE =
  /^(fcm\.googleapis\.com|jmt17\.google\.com|([\w-]+\.)+(push\.services\.mozilla|push\.apple|notify\.windows)\.com)$/

/** An address as it is stored: one address has one spelling. Other texts stay as they are. */
export const toEndpoint = (text: string): string => {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  url.hash = ''
  return url.href
}

/**
 * Whether messages may be sent to an endpoint. A service that runs on loopback may also send to
 * loopback.
 * @param origin where the phone reached this service
 */
export const maySendTo = (endpoint: string, origin: string): boolean => {
  if (!URL.canParse(endpoint)) return false
  const { protocol, hostname, port, username, password } = new URL(endpoint)
  if (username || password) return false
  if (isLoopbackHost(hostname)) {
    return /^https?:$/.test(protocol) && isLoopbackHost(new URL(origin).hostname)
  }
  return protocol === 'https:' && port === '' && PUSH_SERVICE.test(hostname)
}
