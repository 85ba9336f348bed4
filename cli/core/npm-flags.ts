import { relative } from 'node:path'
import type { Command, Option } from 'commander'

/**
 * Flags before `--` never reach a command: npm keeps them as its own settings, `npm_config_…` in
 * the environment. `npm run import FILE --dry-run` would write.
 */

/** Whether npm has started this script itself. */
const isRunByNpm = (): boolean =>
  process.env.npm_lifecycle_script?.includes(relative('.', process.argv[1] ?? '.')) ?? false

/** A flag that npm has kept, as it should have been written. */
const keptByNpm = (option: Option, args: readonly string[]): string | undefined => {
  const { long, flags, negate } = option
  if (!long || args.some((arg) => arg === long || arg.startsWith(`${long}=`))) return undefined
  const name = long.replace(negate ? /^--no-/ : /^--/, '').replaceAll('-', '_')
  const value = process.env[`npm_config_${name}`]
  // npm writes '' for false.
  if (negate) return value === '' ? long : undefined
  if (!value || value === 'false') return undefined
  if (!option.required) return long
  // npm leaves the value of `--out x` among the arguments, and only keeps that of `--out=x`.
  return value.startsWith('true') ? flags : `${long} ${value}`
}

/** The options of the command that the arguments name. */
export const optionsOf = (program: Command, args = process.argv.slice(2)): readonly Option[] =>
  (program.commands.find((command) => args.includes(command.name())) ?? program).options

/**
 * Prints the right line and sets the exit code 2 if npm has kept a flag; returns whether it has.
 */
export const rejectLostFlags = (options: readonly Option[]): boolean => {
  const args = process.argv.slice(2)
  const kept = isRunByNpm() ? options.flatMap((option) => keptByNpm(option, args) ?? []) : []
  if (kept.length === 0) return false
  const script = process.env.npm_lifecycle_event
  const command = script === 'start' ? 'npm start' : `npm run ${script}`
  // Nothing shows which of the arguments is the value of a kept flag.
  const given = kept.some((flag) => flag.includes('<')) ? ['…'] : args
  const line = [command, '--', ...given, ...kept].join(' ')
  console.error(`npm took a flag for itself, so nothing was done. Flags follow --:\n  ${line}`)
  process.exitCode = 2
  return true
}
