import { join } from 'node:path'

/** Flags of Node that give a process the clock of the tests. */
export const CLOCK_FLAGS = ['--import', join(import.meta.dirname, 'node.ts')]
