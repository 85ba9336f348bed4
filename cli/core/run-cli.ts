import { type Command, CommanderError } from 'commander'
import { DomainError, type ErrorCode } from '../../src/core/errors.ts'
import { optionsOf, rejectLostFlags } from './npm-flags.ts'

/** An error that the operator can fix. Its message is printed without a stack trace. */
export class CliError extends Error {}

/** Advice for the operator, printed after the service's message for an error. */
const HINTS: Partial<Record<ErrorCode, string>> = {
  FORBIDDEN: 'The user of --as must not be limited to branches.',
  OPENINGS_MISSING: '`preview` lists them; --opening ID=DAY says one, --from DAY all.',
  OPENING_EXISTS: 'Leave it out, or move it to an earlier day: `opening`.',
  PENDING_LOGS: '--leave-pending closes all the same.',
}

/**
 * Returns the message to print. A service's message gets a hint for the operator. Node's message
 * `ENOSPC: no space left on device, write '/x'` becomes a sentence.
 */
const messageOf = (error: unknown): string => {
  if (error instanceof DomainError) return [error.text, HINTS[error.code] ?? []].flat().join('\n')
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(
    /^(E[A-Z]+): (.+), (\w+)(?: (.+))?$/,
    (_, code, reason, call, path = 'a file') => `${path}: ${reason} (${call}, ${code}).`,
  )
}

/** Lets a command go on without printing when its reader, such as `head`, ends early. */
export const ignoreEndOfReader = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE') throw error
}

/** Runs a program. An error is printed and sets exit code 1. Flags kept by npm set exit code 2. */
export const runCli = async (program: Command): Promise<void> => {
  if (rejectLostFlags(optionsOf(program))) return
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreEndOfReader)
  // Commander throws, because ending the process could cut off what is still being printed.
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
