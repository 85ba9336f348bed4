/**
 * Moves the clock of a Node process: of the tests, and of the commands that they start. As there are
 * hundreds of them, each one imports Drizzle the quick way.
 */
import '../../../scripts/drizzle-imports.ts'
import { shiftDate } from './shift-date.ts'

shiftDate(Number(process.env.CLOCK_SHIFT_MS))
