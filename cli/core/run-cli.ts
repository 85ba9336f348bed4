import { type Command, CommanderError } from 'commander'
import { DomainError } from '../../src/core/errors.ts'
import { operatorMessage } from './error-messages.ts'
import { namedCommand, rejectLostFlags } from './npm-flags.ts'
import { rejectRepeatedOptions } from './option-parsers.ts'
import { printableLines } from './printable.ts'

/** An error that the operator can fix. Its message is printed without a stack trace. */
export class CliError extends Error {}

const CORRUPTED = /disk image is malformed|file is not a database|SQLITE_(CORRUPT|NOTADB)/

/** Whether an error of Node, SQLite or D1 says that a disk has no space left. */
export const isDiskFull = (error: unknown): boolean =>
  /ENOSPC|SQLITE_FULL|database or disk is full|DATABASE_FULL/.test(String(error))

/**
 * Returns the message to print. Node's message `EACCES: permission denied, open '/x'` becomes a
 * sentence.
 */
export const messageOf = (error: unknown): string => {
  if (error instanceof DomainError) return operatorMessage(error)
  const message = error instanceof Error ? error.message : String(error)
  if (CORRUPTED.test(message)) return `The database is corrupted: docs/bad-night.md. (${message})`
  if (isDiskFull(error)) return `The disk is full: make room, then run it again. (${message})`
  return message.replace(
    /^(E[A-Z]+): (.+), (\w+)(?: (.+))?$/,
    (_, code, reason, call, path = 'a file') => `${path}: ${reason} (${call}, ${code}).`,
  )
}

/** Ignores that the reader of the output, such as `head`, has ended. The command then goes on. */
const ignoreEndOfReader = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE') throw error
}

const DEFAULT_COLUMNS = 80

/** Runs a program. An error is printed and sets exit code 1. Flags kept by npm set exit code 2. */
export const runCli = async (program: Command): Promise<void> => {
  const named = namedCommand(program)
  if (rejectLostFlags(named.options)) return
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreEndOfReader)
  // A terminal of unknown width has 0 columns, where prompts would wrap after each character.
  if (process.stdout.columns === 0) process.stdout.columns = DEFAULT_COLUMNS
  // Commander would end the process, which could cut off output that is still being printed.
  for (const command of [program, ...program.commands]) command.exitOverride()
  try {
    rejectRepeatedOptions(named)
    await program.parseAsync()
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode
      return
    }
    const message = printableLines(messageOf(error))
    const notMigrated = message.includes('no such table')
    console.error(notMigrated ? 'The database has no tables yet: run npm run db:migrate.' : message)
    process.exitCode = 1
  }
}
