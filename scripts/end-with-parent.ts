/**
 * Wrangler loads this file. Without it, wrangler would go on and keep its port if `npm start` is
 * killed (SIGKILL).
 */
import { descendantsOf, killAll } from './processes.ts'

const WATCH_MS = 1_000
const parent = process.ppid

setInterval(() => {
  if (process.ppid !== parent) killAll([...descendantsOf(process.pid), process.pid])
}, WATCH_MS).unref()
