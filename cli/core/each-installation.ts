import { Option } from 'commander'
import { installationNames, knownInstallations, readInstallation } from './installation-file.ts'
import { CliError } from './run-cli.ts'

export const installationOption = (description: string): Option =>
  new Option('--installation <name>', description)

export const allOption = (description: string): Option =>
  new Option('--all', description).conflicts('installation')

/** Returns the installations to work on, after all of their files have been checked. */
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
  const names = installation === undefined ? installationNames() : [installation]
  if (names.length === 0) throw new CliError(knownInstallations())
  for (const name of names) readInstallation(name)
  return names.map((name) => ({ installation: name }))
}

/** Works on one target after the other until one fails, then prints the state of each. */
export const inOrder = async <T extends { installation?: string }>(
  targets: readonly T[],
  work: (target: T) => unknown,
): Promise<void> => {
  let done = 0
  try {
    for (const target of targets) {
      if (targets.length > 1) console.log(`\n${target.installation}`)
      await work(target)
      done++
    }
  } finally {
    const states = targets.map(({ installation }, i) => {
      const state = i < done ? 'done' : 'not begun'
      return `  ${installation}: ${i === done ? 'failed' : state}`
    })
    if (targets.length > 1) console.log(['', ...states].join('\n'))
  }
}
