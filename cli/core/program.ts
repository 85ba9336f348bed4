import { text } from 'node:stream/consumers'
import { confirm, isCancel, password as prompt } from '@clack/prompts'
import { Command, Option } from 'commander'
import type { D1 } from '../../src/core/db/query.ts'
import { codePoints, isBlank, isStorable } from '../../src/core/values/text.ts'
import { isDate } from '../../src/core/values/time-zone.ts'
import { isCommonPassword } from '../../src/session/common-passwords.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from '../../src/session/passwords.ts'
import { withDatabase } from './database.ts'
import { installationOption } from './each-installation.ts'
import { readInstallation } from './installation-file.ts'
import { collectVariable, notBlank } from './option-parsers.ts'
import { CliError } from './run-cli.ts'
import type { Target } from './target.ts'

/** The arguments of an action: the command's arguments, then its options, then the command. */
type ActionArguments = Parameters<Parameters<Command['action']>[0]>

class DatabaseCommand extends Command {
  /** Sets an action. Its first argument is the open database, which is closed after the action. */
  onDatabase(work: (db: D1, ...args: ActionArguments) => Promise<void>): this {
    return this.action((...args) => {
      const target = args.at(-2)
      const asks = this.options.some(({ long }) => long === '--yes')
      // A deployed database takes seconds to open: what cannot go on ends before.
      if (asks && target.installation !== undefined) {
        readInstallation(target.installation)
        requireAnswer(target)
      }
      return withDatabase(target, (db) => work(db, ...args))
    })
  }
}

const requireAnswer = ({ yes }: { yes?: boolean }): void => {
  if (yes || process.stdin.isTTY) return
  throw new CliError(
    'Nobody can be asked here, so nothing was changed: --yes does it without asking.',
  )
}

export const persistToOption = (): Option =>
  new Option('--persist-to <folder>', 'the folder of local state, as npm start takes it').argParser(
    notBlank,
  )

export const variableOption = (): Option =>
  new Option('--var <name:value>', 'a variable of the local service; may be repeated').argParser(
    collectVariable,
  )

/** Makes a command for the local database, or for the database of a named installation. */
export const databaseCommand = (name: string, description: string): DatabaseCommand =>
  new DatabaseCommand(name)
    .description(description)
    .addOption(
      installationOption('the deployed database of an installation').conflicts([
        'persistTo',
        'var',
      ]),
    )
    .addOption(persistToOption())
    .addOption(variableOption())

/** Makes a command with the option `--yes`. Its action must call `confirmOrFail`. */
export const destructiveCommand = (name: string, description: string): DatabaseCommand =>
  databaseCommand(name, description).option('--yes', 'do it without asking')

/** Makes the command `list`, which prints a table of all rows. */
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

/** Makes a program of several commands, which is run as `npm run NAME -- COMMAND`. */
export const commandGroup = (name: string, description: string, commands: Command[]): Command => {
  const program = new Command(name).description(description)
  for (const command of commands) program.addCommand(command)
  return program
}

/** Describes the database of a command for messages, such as `in the local database`. */
export const placeOf = ({ installation, persistTo }: Target): string => {
  if (installation !== undefined) return `in ${installation}`
  return `in the local database${persistTo ? ` of ${persistTo}` : ''}`
}

export const dayOrFail = (text: string): string => {
  if (!isDate(text)) throw new CliError(`${text} is not a date, YYYY-MM-DD.`)
  return text
}

const NOTHING_CHANGED = 'Nothing was changed.'

/**
 * Asks for confirmation unless `--yes` is given. Fails without a terminal, or if the answer is no.
 */
export const confirmOrFail = async (question: string, options: Target & { yes?: boolean }) => {
  if (options.yes) return
  const message = `${question} ${placeOf(options)}?`
  if (!process.stdin.isTTY) throw new CliError(`${message} Nothing was changed: --yes does it.`)
  if ((await confirm({ message, initialValue: false })) !== true)
    throw new CliError(NOTHING_CHANGED)
}

const passwordError = (password = ''): string | undefined => {
  if (/[\r\n]/.test(password)) return 'The password must be a single line of standard input.'
  const length = codePoints(password)
  if (isBlank(password) || length < PASSWORD_MIN || length > PASSWORD_MAX) {
    return `The password must have ${PASSWORD_MIN} to ${PASSWORD_MAX} characters.`
  }
  if (isCommonPassword(password)) return 'That password is one of the most used: choose another.'
  // Bytes that are no UTF-8 are read as U+FFFD, which nobody can type.
  const isTyped = isStorable(password) && !password.includes('\uFFFD')
  return isTyped ? undefined : 'The password contains an invalid character.'
}

/** Asks for a secret without showing it. Without a terminal, reads it from standard input. */
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

export const askPassword = async (): Promise<string> => {
  const password = await askSecret('New password', passwordError)
  const error = passwordError(password)
  if (error) throw new CliError(error)
  return password
}
