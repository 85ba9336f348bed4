import { type Command, CommanderError } from 'commander'
import { DomainError, type ErrorCode } from '../../src/core/errors.ts'
import { optionsOf, rejectLostFlags } from './npm-flags.ts'

/** An error that the operator can fix: printed without a stack. */
export class CliError extends Error {}

/** What an operator can do about an error; the service has its message. */
const HINTS: Partial<Record<ErrorCode, string>> = {
  FORBIDDEN: 'The user of --as must not be limited to branches.',
  OPENINGS_MISSING: '`preview` lists them; --opening ID=DAY says one, --from DAY all.',
  OPENING_EXISTS: 'Leave it out, or move it to an earlier day: `opening`.',
  PENDING_LOGS: '--leave-pending closes all the same.',
}

/**
 * The service's message with a hint for operators. Node's `ENOSPC: no space left on device, write
 * '/x'` becomes a sentence.
 */
const messageOf = (error: unknown): string => {
  if (error instanceof DomainError) return [error.text, HINTS[error.code] ?? []].flat().join('\n')
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(
    /^(E[A-Z]+): (.+), (\w+)(?: (.+))?$/,
    (_, code, reason, call, path = 'a file') => `${path}: ${reason} (${call}, ${code}).`,
  )
}

/** A reader such as `head` may end early. The command then goes on without printing. */
export const ignoreEndOfReader = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE') throw error
}

/** Runs a program. An error sets the exit code 1 and prints its message; kept flags set 2. */
export const runCli = async (program: Command): Promise<void> => {
  if (rejectLostFlags(optionsOf(program))) return
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreEndOfReader)
  // Commander then throws instead of ending the process, which could cut what was printed.
  for (const command of [program, ...program.commands]) command.exitOverride()
  try {
    await program.parseAsync()
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode
      return
    }
    const message = messageOf(error)
    const notMigrated = message.includes('no such table')
    console.error(notMigrated ? 'The database has no tables yet: run npm run db:migrate.' : message)
    process.exitCode = 1
  }
}
