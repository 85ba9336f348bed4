/**
 * A clock that goes right while the page is open. The phone's clock may be set at any time, and
 * `performance.now` stands still while the phone sleeps. So this clock goes by `performance.now`,
 * and adds the time by which the phone's clock jumps forward. It never goes back, and too fast only
 * if somebody puts the phone's clock forward, which a page cannot tell from sleep.
 */

/** A smaller difference of the two clocks is no jump. */
const JUMP_MS = 2_000
/** The time in an answer that took longer is not exact enough. */
const ROUND_TRIP_MS_MAX = 8_000
const TICK_MS = 1_000

let phoneAhead = Date.now() - performance.now()
let slept = 0
let serviceAhead: number | undefined

/** The milliseconds of this clock. Only differences mean something. */
export const steadyNow = (): number => {
  const jump = Date.now() - performance.now() - phoneAhead
  if (Math.abs(jump) >= JUMP_MS) {
    phoneAhead += jump
    slept += Math.max(jump, 0)
    serviceAhead = undefined
  }
  return performance.now() + slept
}

/**
 * The service's time less the time of this clock. Undefined if no answer had it, or a clock has
 * jumped since.
 */
export const readServiceAhead = (): number | undefined => {
  steadyNow()
  return serviceAhead
}

/** Takes the service's time from an answer. @param askedAt `steadyNow()` before the request */
export const setServiceTime = (time: string, askedAt: number): void => {
  const answeredAt = steadyNow()
  const ahead = Date.parse(time) - (askedAt + answeredAt) / 2
  if (answeredAt - askedAt <= ROUND_TRIP_MS_MAX && !Number.isNaN(ahead)) serviceAhead = ahead
}

/** Looks at the clocks each second, so that two jumps are not taken for one. */
export const followClocks = (): void => void setInterval(steadyNow, TICK_MS)
