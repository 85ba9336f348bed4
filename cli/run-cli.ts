import type { Command } from 'commander'
import { optionsOf, rejectLostFlags } from './npm-flags.ts'

/** An error that the operator can fix: printed without a stack. */
export class CliError extends Error {}

/** Node's `ENOSPC: no space left on device, write '/x'` as a sentence. */
const messageOf = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(
    /^(E[A-Z]+): (.+), (\w+)(?: (.+))?$/,
    (_, code, reason, call, path = 'a file') => `${path}: ${reason} (${call}, ${code}).`,
  )
}

/**
 * Runs a program: of an error, prints the message without a stack, and sets the exit code 1; 2 if
 * npm has kept some of its flags.
 */
export const runCli = async (program: Command): Promise<void> => {
  if (rejectLostFlags(optionsOf(program))) return
  try {
    await program.parseAsync()
  } catch (error) {
    const message = messageOf(error)
    const notMigrated = message.includes('no such table')
    console.error(notMigrated ? 'The database has no tables yet: run npm run db:migrate.' : message)
    process.exitCode = 1
  }
}
