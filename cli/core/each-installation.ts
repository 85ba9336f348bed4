import { Option } from 'commander'
import { installationNames, knownInstallations, readInstallation } from './installation-file.ts'
import { CliError } from './run-cli.ts'

export const installationOption = (description: string): Option =>
  new Option('--installation <name>', description)

export const allOption = (description: string): Option =>
  new Option('--all', description).conflicts('installation')

interface Chosen {
  installation?: string
  all?: true
}

/** The installations that a command is for. Their files are read: an error in one stops it here. */
export const deployedTargets = ({ installation, all }: Chosen): { installation: string }[] => {
  if (installation === undefined && !all) {
    throw new CliError(`Say which: --installation NAME. ${knownInstallations()}`)
  }
  const names = installation === undefined ? installationNames() : [installation]
  if (names.length === 0) throw new CliError(knownInstallations())
  for (const name of names) readInstallation(name)
  return names.map((name) => ({ installation: name }))
}

/** Works on one after the other; stops at the first that fails, and says where each stands. */
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
