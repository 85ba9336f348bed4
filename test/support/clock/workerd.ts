/** Moves the clock of a Worker. The constant is replaced when the Worker or the test is built. */
import { shiftDate } from './shift-date.ts'

declare const CLOCK_SHIFT_MS: number

shiftDate(CLOCK_SHIFT_MS)
