/** Moves the clock of a Node process: of the tests, and of the commands that they start. */
import { shiftDate } from './shift-date.ts'

shiftDate(Number(process.env.CLOCK_SHIFT_MS))
