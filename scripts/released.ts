import { readdirSync, readFileSync } from 'node:fs'
import semver from 'semver'
import { breakingChanges } from '../sdk/openapi/breaking.ts'

/** The folder that keeps the OpenAPI document of each released version. */
export const RELEASED_FOLDER = 'sdk/openapi/released'

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

export const newestRelease = (): string | undefined =>
  semver
    .sort(readdirSync(RELEASED_FOLDER).flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []))
    .at(-1)

/**
 * Lists the changes of the API that break callers of the newest release. The list is empty if there
 * is no release, or if `version` has a new major number.
 */
export const findBreakingChanges = (version: string): string[] => {
  const newest = newestRelease()
  if (newest === undefined || semver.major(version) > semver.major(newest)) return []
  return breakingChanges(
    readJson(`${RELEASED_FOLDER}/${newest}.json`),
    readJson('public/openapi.json'),
  )
}
