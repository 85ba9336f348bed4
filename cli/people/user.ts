/**
 * `npm run user -- list`, and
 * `add|role|scope|sources|deactivate|activate|password|revoke|token EMAIL`.
 */
import { Option } from 'commander'
import type { D1 } from '../../src/core/db/query.ts'
import { emailKey } from '../../src/core/email.ts'
import { readSettings } from '../../src/core/http/settings.ts'
import { issueToken } from '../../src/core/http/token.ts'
import { isNewSourceName, sourceKey } from '../../src/core/text.ts'
import { hashPassword } from '../../src/people/passwords.ts'
import { findCredentials } from '../../src/people/users.queries.ts'
import type { Target } from '../core/database.ts'
import { configuredSettings, settingsFile } from '../core/installation-file.ts'
import { collect } from '../core/option-parsers.ts'
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
import { importOrFail } from '../import/import-or-fail.ts'
import { listSources } from '../intake/sources.queries.ts'
import { isInUse } from './employees.queries.ts'
import {
  endTokens,
  listUsers,
  othersHaveRole,
  setActive,
  setPassword,
  setRole,
  setScope,
  setSources,
} from './users.queries.ts'

const NO_USER = 'No user has that address.'
const DEFAULT_ROLE = 'employee'

const findUserOrFail = async (db: D1, email: string) => {
  const found = await findCredentials(db, emailKey(email))
  if (!found) throw new CliError(NO_USER)
  return found
}

/** Warns that a role may be a typing error if no other user has it and no setting contains it. */
const warnOfUnknownRole = async (
  db: D1,
  role: string,
  email: string,
  { installation }: Target,
): Promise<void> => {
  const {
    ADMIN_ROLES,
    PAYROLL_ROLES,
    INTAKE_ROLES,
    PEOPLE_ROLES = [],
  } = configuredSettings(installation)
  const listed = [DEFAULT_ROLE, ...ADMIN_ROLES, ...PAYROLL_ROLES, ...INTAKE_ROLES, ...PEOPLE_ROLES]
  if (listed.includes(role) || (await othersHaveRole(db, role, emailKey(email)))) return
  const unseen = installation === undefined ? ' (what npm start gets by --var is not seen)' : ''
  console.error(
    `Warning: no other user has the role ${role}, and the settings that list roles in ` +
      `${settingsFile(installation)} do not list it. Add it there${unseen}, or correct it: ` +
      `npm run user -- role ${email} ROLE.`,
  )
}

const add = databaseCommand('add', 'add a user, active; the password is asked for')
  .argument('<email>')
  .requiredOption('--first-name <text>', 'first name')
  .requiredOption('--last-name <text>', 'last name')
  .option('--mother-last-name <text>', "mother's last name", '')
  .option('--role <text>', 'role; ADMIN_ROLES lists those that may review logs', DEFAULT_ROLE)
  .option('--employee-id <id>', "the employee's id, where the user is one")
  .option('--external', 'the user is external', false)
  .option('--type-user <text>', 'kind of user', 'interno')
  .option('--status-user <text>', 'status of the user', 'activo')
  .onDatabase(async (db, email, options) => {
    if (await findCredentials(db, emailKey(email))) throw new CliError('That user exists already.')
    const user = {
      email,
      password: await askPassword(),
      first_name: options.firstName,
      last_name: options.lastName,
      mother_last_name: options.motherLastName,
      role: options.role,
      active: 1,
      external: options.external ? 1 : 0,
      type_user: options.typeUser,
      status_user: options.statusUser,
      employee_id: options.employeeId ?? null,
    }
    await importOrFail(db, { users: [user] })
    await warnOfUnknownRole(db, options.role, email, options)
    console.log(`Added ${email} ${placeOf(options)}.`)
  })

const role = databaseCommand('role', 'give a user another role, from the next request on')
  .argument('<email>')
  .argument('<role>')
  .onDatabase(async (db, email, role, options) => {
    if (!(await setRole(db, emailKey(email), role))) throw new CliError(NO_USER)
    await warnOfUnknownRole(db, role, email, options)
    console.log(`${email} has the role ${role} ${placeOf(options)}.`)
  })

const scope = databaseCommand('scope', 'limit an approver to branches, from the next request on')
  .argument('<email>')
  .addOption(
    new Option('--branch <name>', 'a branch whose people and logs the user sees; may be repeated')
      .argParser(collect)
      .conflicts('all'),
  )
  .option('--all', 'all branches')
  .onDatabase(async (db, email, options) => {
    const branches: string[] | undefined = options.branch && [...new Set(options.branch)].sort()
    if (!branches && !options.all) throw new CliError('Give --branch NAME, or --all.')
    if (!(await setScope(db, emailKey(email), branches ?? null))) throw new CliError(NO_USER)
    for (const branch of branches ?? []) {
      if (!(await isInUse(db, 'branch_office', branch))) {
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
    const stored = (await listSources(db)).map(({ source }) => source)
    const wrong = names.find((name) => {
      const key = sourceKey(name)
      return !isNewSourceName(key) && !stored.includes(key)
    })
    if (wrong !== undefined) throw new CliError(`No machine sends as ${JSON.stringify(wrong)}.`)
    const keys = names.length > 0 ? [...new Set(names.map(sourceKey))].sort() : null
    if (!(await setSources(db, emailKey(email), keys))) throw new CliError(NO_USER)
    console.log(`${email} sends for ${keys?.join(', ') ?? 'any source'} ${placeOf(options)}.`)
  })

const deactivate = destructiveCommand('deactivate', 'deactivate a user, and end every token')
  .argument('<email>')
  .onDatabase(async (db, email, options) => {
    await confirmOrFail(`Deactivate ${email} and end every token`, options)
    if (!(await setActive(db, emailKey(email), false))) throw new CliError(NO_USER)
    console.log(`Deactivated ${email}, and ended every token, ${placeOf(options)}.`)
  })

const activate = databaseCommand('activate', 'let a user sign in again')
  .argument('<email>')
  .onDatabase(async (db, email, options) => {
    if (!(await setActive(db, emailKey(email), true))) throw new CliError(NO_USER)
    console.log(`Activated ${email} ${placeOf(options)}.`)
  })

const password = destructiveCommand('password', 'give a user a new password, and end every token')
  .argument('<email>')
  .onDatabase(async (db, email, options) => {
    await findUserOrFail(db, email)
    await confirmOrFail(`Change the password of ${email} and end every token`, options)
    await setPassword(db, emailKey(email), await hashPassword(await askPassword()))
    console.log(`${email} has a new password, and every token has ended, ${placeOf(options)}.`)
  })

const revoke = destructiveCommand('revoke', 'end every token of a user, who may sign in again')
  .argument('<email>')
  .onDatabase(async (db, email, options) => {
    await findUserOrFail(db, email)
    await confirmOrFail(`End every token of ${email}`, options)
    await endTokens(db, emailKey(email))
    console.log(`Every token of ${email} has ended ${placeOf(options)}.`)
  })

const token = databaseCommand(
  'token',
  'print a token for a machine; TOKEN_TTL_MINUTES does not end it',
)
  .argument('<email>')
  .onDatabase(async (db, email, options) => {
    const { user, token_version } = await findUserOrFail(db, email)
    // Cloudflare does not let anybody read a secret, so the operator has to enter it.
    const secret = options.installation ? await askSecret('TOKEN_SECRET') : localSecret()
    const settings = readSettings({ TOKEN_SECRET: secret })
    const owner = { id: user.id, tokenVersion: token_version }
    console.log(await issueToken(owner, settings, new Date(), { machine: true }))
  })

export const program = commandGroup('user', 'the users of the service', [
  listCommand('list the users', 'users', listUsers),
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
