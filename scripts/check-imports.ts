/**
 * Fails if an import breaks the rules for nouns, layers and folders in CONTRIBUTING.md, or if the
 * console reads a text of the service or computes a zone.
 */
import { textFaults } from './console-texts.ts'
import { zoneFaults } from './console-zones.ts'
import { importFaults, readSources } from './imports.ts'

const sources = readSources()
const faults = [...importFaults(sources), ...textFaults(sources), ...zoneFaults(sources)]
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
else
  console.log(
    `${sources.size} files import what they may, and no page reads a text or computes a zone.`,
  )
