import { relative } from 'node:path'
import type { Command, Option } from 'commander'

/**
 * Finds flags that npm has kept. npm passes on only the flags after `--`. It puts all others in the
 * environment as `npm_config_…`. Without this check, `npm run import FILE --dry-run` would write.
 */

/** Whether npm has started this script directly, not through another script. */
const isRunByNpm = (): boolean =>
  process.env.npm_lifecycle_script?.includes(relative('.', process.argv[1] ?? '.')) ?? false

/** If npm has kept the flag, returns how to write it after `--`. Otherwise returns undefined. */
const keptByNpm = (option: Option, args: readonly string[]): string | undefined => {
  const { long, flags, negate } = option
  if (!long || args.some((arg) => arg === long || arg.startsWith(`${long}=`))) return undefined
  const name = long.replace(negate ? /^--no-/ : /^--/, '').replaceAll('-', '_')
  const value = process.env[`npm_config_${name}`]
  // npm represents false as ''.
  if (negate) return value === '' ? long : undefined
  if (!value || value === 'false') return undefined
  if (!option.required) return long
  // npm keeps the value of `--out=x`. For `--out x` it keeps only `true`, and leaves `x` among the
  // arguments.
  return value.startsWith('true') ? flags : `${long} ${value}`
}

export const namedCommand = (program: Command): Command =>
  program.commands.find((command) => command.name() === process.argv[2]) ?? program

/** Returns whether npm has kept a flag. If so, prints the correct command and sets exit code 2. */
export const rejectLostFlags = (options: readonly Option[]): boolean => {
  const args = process.argv.slice(2)
  const kept = isRunByNpm() ? options.flatMap((option) => keptByNpm(option, args) ?? []) : []
  if (kept.length === 0) return false
  const script = process.env.npm_lifecycle_event
  const command = script === 'start' ? 'npm start' : `npm run ${script}`
  // It is unknown which of the arguments is the value of a kept flag.
  const given = kept.some((flag) => flag.includes('<')) ? ['…'] : args
  const line = [command, '--', ...given, ...kept].join(' ')
  console.error(`npm took a flag for itself, so nothing was done. Flags follow --:\n  ${line}`)
  process.exitCode = 2
  return true
}
