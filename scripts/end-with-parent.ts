/**
 * Wrangler loads this file. It ends wrangler when `npm start` has ended. Otherwise wrangler would
 * keep running, and keep its port, after `npm start` is killed (SIGKILL).
 */
import { descendantsOf, killAll } from './processes.ts'

const WATCH_MS = 1_000
const parent = process.ppid

setInterval(() => {
  if (process.ppid !== parent) killAll([...descendantsOf(process.pid), process.pid])
}, WATCH_MS).unref()
