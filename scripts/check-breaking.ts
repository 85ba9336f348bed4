/** Fails if a change breaks callers of the newest release, unless the major version is new. */
import { readFileSync } from 'node:fs'
import { findBreakingChanges, newestRelease } from './released.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const changes = findBreakingChanges(version)
for (const change of changes) console.error(change)
if (changes.length > 0) {
  console.error(
    `These break callers of ${newestRelease()}: docs/upgrading.md says what may be done.`,
  )
  process.exitCode = 1
} else {
  console.log(`Nothing breaks callers of ${newestRelease() ?? 'a release: there is none yet'}.`)
}
