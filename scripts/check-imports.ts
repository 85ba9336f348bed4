/** Fails if a file imports what its noun, its layer or its folder may not. CONTRIBUTING has the laws. */
import { importFaults, readSources } from './imports.ts'

const sources = readSources()
const faults = importFaults(sources)
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
else console.log(`${sources.size} files import what they may.`)
