import { onTestFinished, vi } from 'vitest'

/** Stops the clock for the rest of a test. Only `Date` is stopped; timers go on. */
export const stopClock = (now: string | Date = new Date()): void => {
  vi.useFakeTimers({ now: new Date(now), toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** The moment `ms` milliseconds ago, in the format of logs. */
export const ago = (ms: number): string => new Date(Date.now() - ms).toISOString()
