import { onTestFinished, vi } from 'vitest'

/** Stops the clock for the rest of a test: `Date` alone, so that timers go on. */
export const stopClock = (now: string | Date = new Date()): void => {
  vi.useFakeTimers({ now: new Date(now), toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** A moment so many milliseconds ago, as logs have it. */
export const ago = (ms: number): string => new Date(Date.now() - ms).toISOString()
