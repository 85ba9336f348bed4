import { hostOf, readInstallation } from '../core/installation-file.ts'

const ANSWER_MS = 10_000

/**
 * Calls the service over plain HTTP, as an old clock does, and returns a text for the operator. The
 * zone of the host may redirect the call, or answer it with a check for bots.
 */
export const describeClockAccess = async (installation: string): Promise<string> => {
  const host = hostOf(readInstallation(installation))
  if (host === undefined) return 'Clocks without HTTPS were not tried: the file has no route.'
  const address = `http://${host}`
  // A call without a serial number is refused, and is not remembered as an unknown clock.
  const response = await fetch(`${address}/iclock/ping`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => undefined)
  if (!response) {
    return `${address} does not respond. Run this again after the deployment: it tries
   whether clocks without HTTPS reach the service.`
  }
  if (response.status === 403 && (await response.text()) === 'ERROR') {
    return `Clocks without HTTPS reach the service at ${address}.`
  }
  return `Clocks without HTTPS do not reach the service: ${address} responds ${response.status}.
   docs/clocks.md says what its zone needs.`
}
