import { hostOf, readInstallation } from '../core/installation-file.ts'

const ANSWER_MS = 10_000

const ask = (url: string): Promise<Response | undefined> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => undefined)

/** The zone may redirect a clock's call, or answer it with a check for bots. */
const describeClocks = async (response: Response, address: string): Promise<string> => {
  if (response.status === 403 && (await response.text()) === 'ERROR') {
    return `Clocks without HTTPS reach the service at ${address}.`
  }
  return `Clocks without HTTPS do not reach the service: ${address} responds ${response.status}.
   docs/clocks.md says what its zone needs.`
}

/** Pages are files, which Cloudflare serves without the Worker: only the zone redirects them. */
const describePages = ({ status, headers }: Response, address: string): string =>
  /^https:/.test(headers.get('Location') ?? '')
    ? 'Pages without HTTPS are redirected to it.'
    : `Pages without HTTPS are not redirected: ${address}/mi/ responds ${status}.
   docs/clocks.md says what its zone needs.`

/**
 * Calls an address over plain HTTP, once as an old clock and once as a browser, and returns a text
 * for the operator.
 */
export const describeAddress = async (address: string): Promise<string> => {
  // A call without a serial number is refused, and is not remembered as an unknown clock.
  const clock = await ask(`${address}/iclock/ping`)
  const page = await ask(`${address}/mi/`)
  if (!clock || !page) {
    return `${address} does not respond. Run this again after the deployment: it tries
   whether clocks without HTTPS reach the service, and whether pages are redirected to HTTPS.`
  }
  return `${await describeClocks(clock, address)}
   ${describePages(page, address)}`
}

/** What plain HTTP does at the installation's host. */
export const describeClockAccess = async (installation: string): Promise<string> => {
  const host = hostOf(readInstallation(installation))
  return host === undefined
    ? 'Clocks and pages without HTTPS were not tried: the file has no route.'
    : describeAddress(`http://${host}`)
}
