import { isCancel, password as prompt } from '@clack/prompts'
import { Command } from 'commander'
import type { D1 } from '../src/db/query.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from '../src/domain/passwords.ts'
import { codePoints, isBlank, isStorable } from '../src/shared/text.ts'
import { openDatabase, type Target } from './database.ts'
import { importInto } from './import/run.ts'
import { Fault } from './wrangler.ts'

export { Fault }

/** A command that speaks to a database, the local one unless told otherwise. */
export const onDatabase = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .option('--remote', 'the deployed database instead of the local one')
    .option('--env <name>', 'with --remote: the environment, such as staging')
    .option('--persist-to <folder>', 'the folder of local state, as npm start takes it')

/** Opens the command's database, works, and closes it again. */
export const withDatabase = async (target: Target, work: (db: D1) => Promise<void>) => {
  if (target.env !== undefined && !target.remote) throw new Fault('--env needs --remote.')
  const { db, close } = await openDatabase(target)
  try {
    await work(db)
  } finally {
    await close()
  }
}

/** Writes through the import, so that every rule of the file holds for a command too. */
export const importOrFail = async (db: D1, content: unknown): Promise<void> => {
  const result = await importInto(db, content)
  if ('faults' in result) {
    throw new Fault(result.faults.map((fault) => fault.replace(/^\w+\[0\]\./, '')).join('\n'))
  }
}

const passwordFault = (password: string): string | undefined => {
  const length = codePoints(password)
  if (isBlank(password) || length < PASSWORD_MIN || length > PASSWORD_MAX) {
    return `The password must have ${PASSWORD_MIN} to ${PASSWORD_MAX} characters.`
  }
  return isStorable(password) ? undefined : 'The password holds a character that is not valid.'
}

const readStdin = async (): Promise<string> => {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk
  return text.replace(/\r?\n$/, '')
}

/** Asks for a new password, hidden; reads it from standard input where that is no terminal. */
export const askPassword = async (): Promise<string> => {
  const answer = process.stdin.isTTY
    ? await prompt({ message: 'New password', validate: (text) => passwordFault(text ?? '') })
    : await readStdin()
  if (isCancel(answer)) throw new Fault('Nothing was changed.')
  const fault = passwordFault(answer)
  if (fault) throw new Fault(fault)
  return answer
}

/** A table for people, its columns aligned. */
export const printTable = (rows: readonly Record<string, string>[]): void => {
  const [first] = rows
  if (!first) return
  const names = Object.keys(first)
  const lines = [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))]
  const widths = names.map((_, i) => Math.max(...lines.map((line) => codePoints(line[i] ?? ''))))
  const pad = (cell: string, i: number) => cell + ' '.repeat((widths[i] ?? 0) - codePoints(cell))
  for (const line of lines) console.log(line.map(pad).join('  ').trimEnd())
}

/** Runs a program: a fault is told in its own words, anything else by its message; both exit 1. */
export const start = async (program: Command): Promise<void> => {
  try {
    await program.parseAsync()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const unmigrated = message.includes('no such table')
    console.error(unmigrated ? 'The database has no tables yet: run npm run db:migrate.' : message)
    process.exitCode = 1
  }
}
