import { text } from 'node:stream/consumers'
import { confirm, isCancel, password as prompt } from '@clack/prompts'
import { Command } from 'commander'
import type { D1 } from '../../src/core/db/query.ts'
import { codePoints, isBlank, isStorable } from '../../src/core/text.ts'
import { isDate } from '../../src/core/time-zone.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from '../../src/people/passwords.ts'
import { openDatabase, type Target } from './database.ts'
import { installationOption } from './each-installation.ts'
import { CliError } from './run-cli.ts'

/** The arguments of an action: the command's own, its options, and the command. */
type ActionArguments = Parameters<Parameters<Command['action']>[0]>

class DatabaseCommand extends Command {
  /** Sets an action that gets the open database first; it is closed afterwards. */
  onDatabase(work: (db: D1, ...args: ActionArguments) => Promise<void>): this {
    return this.action((...args) => withDatabase(args.at(-2), (db) => work(db, ...args)))
  }
}

/** A command that works on a database: the local one, unless an installation is named. */
export const databaseCommand = (name: string, description: string): DatabaseCommand =>
  new DatabaseCommand(name)
    .description(description)
    .addOption(
      installationOption('the deployed database of an installation').conflicts('persistTo'),
    )
    .option('--persist-to <folder>', 'the folder of local state, as npm start takes it')

/** A command that asks before it changes what cannot be changed back, or takes `--yes`. */
export const destructiveCommand = (name: string, description: string): DatabaseCommand =>
  databaseCommand(name, description).option('--yes', 'do it without asking')

/** `list`: prints a table of all rows. */
export const listCommand = (
  description: string,
  things: string,
  readRows: (db: D1) => Promise<object[]>,
): Command =>
  databaseCommand('list', description).onDatabase(async (db) => {
    const rows = await readRows(db)
    if (rows.length === 0) console.log(`No ${things} yet.`)
    else console.table(rows)
  })

/** A program of several commands: `npm run NAME -- COMMAND`. */
export const commandGroup = (name: string, description: string, commands: Command[]): Command => {
  const program = new Command(name).description(description)
  for (const command of commands) program.addCommand(command)
  return program
}

/** Names the database of a command. */
export const placeOf = ({ installation, persistTo }: Target): string => {
  if (installation !== undefined) return `in ${installation}`
  return `in the local database${persistTo ? ` of ${persistTo}` : ''}`
}

/** Returns a day that was given, if it is one. */
export const dayOrFail = (text: string): string => {
  if (!isDate(text)) throw new CliError(`${text} is not a date, YYYY-MM-DD.`)
  return text
}

const NOTHING_CHANGED = 'Nothing was changed.'

/** Asks on a terminal; elsewhere only `--yes` goes on. */
export const confirmOrFail = async (question: string, options: Target & { yes?: boolean }) => {
  if (options.yes) return
  const message = `${question} ${placeOf(options)}?`
  if (!process.stdin.isTTY) throw new CliError(`${message} Nothing was changed: --yes does it.`)
  if ((await confirm({ message, initialValue: false })) !== true)
    throw new CliError(NOTHING_CHANGED)
}

/** Opens the command's database, works on it, and closes it again. */
export const withDatabase = async (target: Target, work: (db: D1) => Promise<void>) => {
  const { db, close } = await openDatabase(target)
  try {
    await work(db)
  } finally {
    await close()
  }
}

const passwordError = (password = ''): string | undefined => {
  const length = codePoints(password)
  if (isBlank(password) || length < PASSWORD_MIN || length > PASSWORD_MAX) {
    return `The password must have ${PASSWORD_MIN} to ${PASSWORD_MAX} characters.`
  }
  return isStorable(password) ? undefined : 'The password contains an invalid character.'
}

/** Asks for a secret, hidden; reads it from standard input where that is not a terminal. */
export const askSecret = async (
  message: string,
  validate?: (value: string | undefined) => string | undefined,
): Promise<string> => {
  const value = process.stdin.isTTY
    ? await prompt({ message, ...(validate && { validate }) })
    : (await text(process.stdin)).replace(/\r?\n$/, '')
  if (isCancel(value)) throw new CliError(NOTHING_CHANGED)
  return value
}

/** Asks for a new password. */
export const askPassword = async (): Promise<string> => {
  const password = await askSecret('New password', passwordError)
  const error = passwordError(password)
  if (error) throw new CliError(error)
  return password
}
