/** `npm run user -- list` and `npm run user -- add|password|deactivate EMAIL` */
import { withoutCaller } from '../../src/core/db/batch-db.ts'
import type { D1 } from '../../src/core/db/query.ts'
import { emailKey, isEmail } from '../../src/core/values/email.ts'
import { setUserPassword } from '../../src/session/new-password.ts'
import { hashPassword } from '../../src/session/passwords.ts'
import { findCredentials } from '../../src/session/session.queries.ts'
import { listUserRecords } from '../../src/users/users.queries.ts'
import { createUserWithPassword, getUser, updateUser } from '../../src/users/users.ts'
import { configuredSettings } from '../core/installation-file.ts'
import {
  askPassword,
  commandGroup,
  confirmOrFail,
  databaseCommand,
  destructiveCommand,
  listCommand,
  placeOf,
} from '../core/program.ts'
import { CliError, runCli } from '../core/run-cli.ts'
import type { Target } from '../core/target.ts'

/** The context of a change by an operator. The same rules apply as for an administrator. */
const operator = (target: Target) => ({
  userId: null,
  settings: configuredSettings(target),
  now: new Date(),
})

const findUser = async (db: D1, email: string) => {
  const account = await findCredentials(db, emailKey(email))
  if (!account) throw new CliError('No user has that address.')
  return getUser(withoutCaller(db), account.user.id, new Date())
}

const list = listCommand('list the users', 'users', async (db) => {
  const all = { limit: 1_000_000, now: new Date() }
  const users = await listUserRecords(withoutCaller(db), {}, all)
  return users.map(({ email, role, active, machine, employee_id, ...user }) => ({
    email,
    name: `${user.first_name} ${user.last_name}`,
    role,
    active,
    machine,
    employee_id,
    scope: user.scope_branches?.join(', ') ?? '',
    sources: user.sources?.join(', ') ?? '',
  }))
})

const add = databaseCommand('add', 'add a user, active; the password is asked for')
  .argument('<email>')
  .requiredOption('--first-name <text>', 'required: first name')
  .requiredOption('--last-name <text>', 'required: last name')
  .option('--mother-last-name <text>', "mother's last name", '')
  .requiredOption('--role <text>', 'required: a role that a setting names, such as admin')
  .onDatabase(async (db, email, { role, ...options }) => {
    if (!isEmail(email)) throw new CliError('That is not an e-mail address.')
    const user = {
      email,
      first_name: options.firstName,
      last_name: options.lastName,
      mother_last_name: options.motherLastName,
      role,
      active: 1,
      machine: false,
      employee_id: null,
      scope_branches: null,
      sources: null,
    }
    const hash = await hashPassword(await askPassword())
    await createUserWithPassword(withoutCaller(db), user, hash, operator(options))
    console.log(`Added ${email} ${placeOf(options)}.`)
  })

const deactivate = destructiveCommand('deactivate', 'deactivate a user, and end every token')
  .argument('<email>')
  .onDatabase(async (db, email, options) => {
    const user = await findUser(db, email)
    await confirmOrFail(`Deactivate ${email} and end every token`, options)
    await updateUser(withoutCaller(db), user.id, { ...user, active: 0 }, operator(options))
    console.log(`Deactivated ${email}, and ended every token, ${placeOf(options)}.`)
  })

const password = destructiveCommand('password', 'give a user a new password, and end every token')
  .argument('<email>')
  .onDatabase(async (db, email, options) => {
    const { id } = await findUser(db, email)
    await confirmOrFail(`Change the password of ${email} and end every token`, options)
    const anyHash = { ...operator(options), oldHash: null }
    await setUserPassword(withoutCaller(db), id, await askPassword(), anyHash)
    console.log(`${email} has a new password, and every token has ended, ${placeOf(options)}.`)
  })

export const program = commandGroup('user', 'the users of the service', [
  list,
  add,
  password,
  deactivate,
])
if (import.meta.main) await runCli(program)
