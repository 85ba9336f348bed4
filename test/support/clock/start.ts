/** `npm start` with a moved clock, in its own process and in the Worker. */
import './node.ts'
import { start } from '../../../scripts/start.ts'

const shift = `CLOCK_SHIFT_MS:${process.env.CLOCK_SHIFT_MS}`
await start(['test/support/clock/worker.ts', '--define', shift])
