import { Option } from 'commander'
import { installationNames, knownInstallations, readInstallation } from './installation-file.ts'
import { notBlank } from './option-parsers.ts'
import { printableLines } from './printable.ts'
import { CliError, messageOf } from './run-cli.ts'

export const installationOption = (description: string): Option =>
  new Option('--installation <name>', description).argParser(notBlank)

export const allOption = (description: string): Option =>
  new Option('--all', description).conflicts('installation')

/**
 * Returns the named installation, or with `all` every installation. Fails if neither is given, if
 * the named one has no valid file, or if there are no installations.
 */
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
 * Works on one target after another. If there are several targets, goes on after a failure unless
 * `stopsAtFirst`, and prints the state of each target at the end. Fails if any target has failed.
 */
export const inOrder = async <T extends { installation?: string }>(
  targets: readonly T[],
  work: (target: T) => unknown,
  { stopsAtFirst = false } = {},
): Promise<void> => {
  const [only, ...others] = targets
  if (only && others.length === 0) return void (await work(only))
  const states = new Map(targets.map(({ installation = '' }) => [installation, 'not begun']))
  const failed: string[] = []
  for (const target of targets) {
    const { installation = '' } = target
    console.log(`\n${installation}`)
    try {
      await work(target)
      states.set(installation, 'done')
    } catch (error) {
      console.error(`${installation}: ${printableLines(messageOf(error))}`)
      states.set(installation, 'failed')
      failed.push(installation)
      if (stopsAtFirst) break
    }
  }
  console.log(['', ...[...states].map(([name, state]) => `  ${name}: ${state}`)].join('\n'))
  if (failed.length > 0) throw new CliError(`Failed: ${failed.join(', ')}.`)
}
