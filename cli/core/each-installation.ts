import { Option } from 'commander'
import { installationNames, knownInstallations, readInstallation } from './installation-file.ts'
import { notBlank } from './option-parsers.ts'
import { CliError, messageOf } from './run-cli.ts'

export const installationOption = (description: string): Option =>
  new Option('--installation <name>', description).argParser(notBlank)

export const allOption = (description: string): Option =>
  new Option('--all', description).conflicts('installation')

/** Returns the installations to work on. The file of one that is named has been checked. */
export const deployedTargets = ({
  installation,
  all,
}: {
  installation?: string
  all?: true
}): { installation: string }[] => {
  if (installation === undefined && !all) {
    throw new CliError(`Say which: --installation NAME. ${knownInstallations()}`)
  }
  if (installation !== undefined) readInstallation(installation)
  const names = installation === undefined ? installationNames() : [installation]
  if (names.length === 0) throw new CliError(knownInstallations())
  return names.map((name) => ({ installation: name }))
}

/**
 * Works on one target after the other, and then prints the state of each. Fails if one has failed,
 * at once with `stopsAtFirst`, else after the others.
 */
export const inOrder = async <T extends { installation?: string }>(
  targets: readonly T[],
  work: (target: T) => unknown,
  { stopsAtFirst = false } = {},
): Promise<void> => {
  const states = targets.map(() => 'not begun')
  let failure: unknown
  for (const [i, target] of targets.entries()) {
    if (failure && stopsAtFirst) break
    if (targets.length > 1) console.log(`\n${target.installation}`)
    try {
      await work(target)
      states[i] = 'done'
    } catch (error) {
      if (targets.length > 1) console.error(`${target.installation}: ${messageOf(error)}`)
      states[i] = 'failed'
      failure ??= error
    }
  }
  if (targets.length > 1) {
    console.log(['', ...targets.map((one, i) => `  ${one.installation}: ${states[i]}`)].join('\n'))
    const failed = targets.filter((_, i) => states[i] === 'failed')
    if (failure) throw new CliError(`Failed: ${failed.map((one) => one.installation).join(', ')}.`)
  }
  if (failure) throw failure
}
