/**
 * `npm run user -- list`, and
 * `add|role|scope|sources|deactivate|activate|password|revoke|token EMAIL`.
 */
import { Option } from 'commander'
import { withoutCaller } from '../../src/core/db/batch-db.ts'
import type { D1 } from '../../src/core/db/query.ts'
import { emailKey, isEmail } from '../../src/core/email.ts'
import { readSettings } from '../../src/core/http/settings.ts'
import { issueToken } from '../../src/core/http/token.ts'
import { isReservedSource, sourceKey } from '../../src/core/text.ts'
import { listUserRecords, type UserRecord } from '../../src/people/user-records.queries.ts'
import {
  createUser,
  EMPLOYEE_ROLE,
  getUser,
  prepareMachineToken,
  revokeUser,
  setUserPassword,
  updateUser,
} from '../../src/people/user-records.ts'
import { findCredentials } from '../../src/people/users.queries.ts'
import type { Target } from '../core/database.ts'
import { configuredSettings } from '../core/installation-file.ts'
import { collectValues } from '../core/option-parsers.ts'
import {
  askPassword,
  askSecret,
  commandGroup,
  confirmOrFail,
  databaseCommand,
  destructiveCommand,
  listCommand,
  placeOf,
} from '../core/program.ts'
import { CliError, runCli } from '../core/run-cli.ts'
import { localSecret } from '../core/wrangler.ts'
import { isBranchInUse } from './employees.queries.ts'

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

const changeUser = async (
  db: D1,
  email: string,
  fields: Partial<UserRecord>,
  options: Target,
): Promise<void> => {
  const user = await findUser(db, email)
  const record = { ...user, ...fields }
  const saved = await updateUser(withoutCaller(db), user.id, record, operator(options))
  if (saved.password_cleared)
    console.error(`${email} has more power now, and no password any more.`)
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
  .requiredOption('--first-name <text>', 'first name')
  .requiredOption('--last-name <text>', 'last name')
  .option('--mother-last-name <text>', "mother's last name", '')
  .option('--role <text>', 'role; ADMIN_ROLES lists those that may review logs', EMPLOYEE_ROLE)
  .option('--employee-id <id>', "the employee's id, where the user is one")
  .option('--machine', 'a program, which gets a token instead of a password', false)
  .onDatabase(async (db, email, { machine, role, ...options }) => {
    if (!isEmail(email)) throw new CliError('That is not an e-mail address.')
    const user = {
      email,
      first_name: options.firstName,
      last_name: options.lastName,
      mother_last_name: options.motherLastName,
      role,
      active: 1,
      machine,
      employee_id: options.employeeId ?? null,
      scope_branches: null,
      sources: null,
    }
    const password = machine ? '' : await askPassword()
    await createUser(withoutCaller(db), user, { ...operator(options), password })
    console.log(`Added ${email} ${placeOf(options)}.`)
  })

const role = databaseCommand('role', 'give a user another role, and end every token')
  .argument('<email>')
  .argument('<role>')
  .onDatabase(async (db, email, role, options) => {
    await changeUser(db, email, { role }, options)
    console.log(`${email} has the role ${role} ${placeOf(options)}.`)
  })

const scope = databaseCommand('scope', 'limit an approver to branches, from the next request on')
  .argument('<email>')
  .addOption(
    new Option('--branch <name>', 'a branch whose people and logs the user sees; may be repeated')
      .argParser(collectValues)
      .conflicts('all'),
  )
  .option('--all', 'all branches')
  .onDatabase(async (db, email, options) => {
    const branches: string[] | undefined = options.branch && [...new Set(options.branch)].sort()
    if (!branches && !options.all) throw new CliError('Give --branch NAME, or --all.')
    await changeUser(db, email, { scope_branches: branches ?? null }, options)
    for (const branch of branches ?? []) {
      if (!(await isBranchInUse(db, branch))) {
        console.error(`Warning: no employee is in the branch ${branch}.`)
      }
    }
    console.log(`${email} sees ${branches?.join(', ') ?? 'all branches'} ${placeOf(options)}.`)
  })

const sources = databaseCommand('sources', 'limit a machine to sources, from the next request on')
  .argument('<email>')
  .argument('[names...]', 'the sources that it may send logs for; it sees no others')
  .option('--any', 'any source')
  .onDatabase(async (db, email, names: string[], options) => {
    if (names.length > 0 === Boolean(options.any)) {
      throw new CliError('Give the names of sources, or --any.')
    }
    if (names.some(isReservedSource)) throw new CliError('The name of a source has no colon.')
    const keys = options.any ? null : [...new Set(names.map(sourceKey))].sort()
    await changeUser(db, email, { sources: keys }, options)
    console.log(`${email} sends for ${keys?.join(', ') ?? 'any source'} ${placeOf(options)}.`)
  })

const deactivate = destructiveCommand('deactivate', 'deactivate a user, and end every token')
  .argument('<email>')
  .onDatabase(async (db, email, options) => {
    await confirmOrFail(`Deactivate ${email} and end every token`, options)
    await changeUser(db, email, { active: 0 }, options)
    console.log(`Deactivated ${email}, and ended every token, ${placeOf(options)}.`)
  })

const activate = databaseCommand('activate', 'let a user sign in again')
  .argument('<email>')
  .onDatabase(async (db, email, options) => {
    await changeUser(db, email, { active: 1 }, options)
    console.log(`Activated ${email} ${placeOf(options)}.`)
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

const revoke = destructiveCommand('revoke', 'end every token of a user, who may sign in again')
  .argument('<email>')
  .onDatabase(async (db, email, options) => {
    const { id } = await findUser(db, email)
    await confirmOrFail(`End every token of ${email}`, options)
    await revokeUser(withoutCaller(db), id, operator(options))
    console.log(`Every token of ${email} has ended ${placeOf(options)}.`)
  })

const token = destructiveCommand(
  'token',
  'print a token for a machine; TOKEN_TTL_MINUTES does not end it',
)
  .argument('<email>')
  .onDatabase(async (db, email, options) => {
    const { id, machine } = await findUser(db, email)
    if (!machine) throw new CliError(`${email} is a person, and signs in with a password.`)
    // Cloudflare does not let anybody read a secret, so the operator has to enter it.
    const secret = options.installation ? await askSecret('TOKEN_SECRET') : localSecret()
    const settings = readSettings({ TOKEN_SECRET: secret })
    const tokenVersion = await prepareMachineToken(withoutCaller(db), id, operator(options))
    console.log(await issueToken({ id, tokenVersion }, settings, new Date(), { machine: true }))
  })

export const program = commandGroup('user', 'the users of the service', [
  list,
  add,
  role,
  scope,
  sources,
  deactivate,
  activate,
  password,
  revoke,
  token,
])
if (import.meta.main) await runCli(program)
