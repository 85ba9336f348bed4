import * as z from 'zod'
import { isSupportedHash, PASSWORD_MAX } from '../../src/domain/passwords.ts'
import { emailKey, isEmail } from '../../src/shared/email.ts'
import { LOG_KINDS, LOG_STATUSES } from '../../src/shared/log-values.ts'
import { codePoints, isBlank, isStorable } from '../../src/shared/text.ts'

/** The import file: one object of lists, each optional. Errors name the list, index and field. */

const mustBe = (rule: string) => ({
  error: (issue: { input?: unknown }) =>
    issue.input === undefined ? 'is missing' : `must be ${rule}`,
})

const text = z
  .string(mustBe('text'))
  .refine(isStorable, { error: 'contains NUL or half a surrogate pair' })
const filled = text.refine((value) => !isBlank(value), { error: 'must not be blank' })
const flag = z.literal([0, 1], mustBe('0 or 1'))
const toggle = z.boolean(mustBe('true or false'))

const moment = z.iso
  .datetime({ offset: true, ...mustBe('ISO 8601 with an offset') })
  .transform((value) => new Date(value).toISOString())
  .refine((value) => /^\d{4}-/.test(value), { error: 'must be in the years 0000 to 9999' })

const row = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, mustBe('an object'))

const Client = row({ code: filled, name: text, status: text, url_base: text })

const Module = row({
  slug: filled,
  name: text,
  description: text,
  icon: text,
  enabled: toggle,
  enabled_app: toggle,
})

const ConfigEntry = row({ key: filled, tipo: text, nombre: text, valor: text })

const Employee = row({
  employee_id: filled,
  full_name: text,
  rfc: text,
  phone: text,
  cellphone: text,
  started_at: z.iso.date(mustBe('a date, YYYY-MM-DD')),
  job_position: text,
  department: text,
  branch_office: text,
  profile_image: text,
})

const User = row({
  email: text.refine(isEmail, { error: 'must be an e-mail address' }).transform((v) => v.trim()),
  password: filled
    .refine((value) => codePoints(value) <= PASSWORD_MAX, {
      error: `must have at most ${PASSWORD_MAX} characters`,
    })
    .optional(),
  password_hash: z
    .string()
    .refine(isSupportedHash, { error: 'must be a pbkdf2-sha512 or bcrypt ($2y$, $2b$) hash' })
    .optional(),
  first_name: text,
  last_name: text,
  mother_last_name: text,
  role: text,
  active: flag,
  external: flag,
  type_user: text,
  status_user: text,
  employee_id: filled.nullable(),
}).refine((user) => (user.password === undefined) !== (user.password_hash === undefined), {
  path: ['password'],
  error: 'needs exactly one of password and password_hash',
})

const wholeNumber = mustBe('a whole number, 1 or more')

const Log = row({
  log_id: z.int(wholeNumber).positive(wholeNumber),
  employee_id: filled,
  kind: z.enum(LOG_KINDS, mustBe(LOG_KINDS.join(' or '))),
  recorded_at: moment,
  status: z.enum(LOG_STATUSES, mustBe(LOG_STATUSES.join(', '))).default('pending'),
})

const listOf = <Row extends z.ZodType>(of: Row) => z.array(of, mustBe('a list')).default([])

const ImportFile = z.strictObject(
  {
    clients: listOf(Client),
    modules: listOf(Module),
    config: listOf(ConfigEntry),
    employees: listOf(Employee),
    users: listOf(User),
    logs: listOf(Log),
  },
  mustBe('an object of lists'),
)

export type ImportFile = z.output<typeof ImportFile>
export type ImportedUser = ImportFile['users'][number]

/** What is wrong and where, never a value: `users[3].email: must be an e-mail address`. */
export type ImportError = string

const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .slice(1)

const importErrors = ({ issues }: z.ZodError): ImportError[] =>
  issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `${pathText([...issue.path, key])}: unknown field`)
      : [`${pathText(issue.path) || 'the file'}: ${issue.message}`],
  )

/** Rows that repeat a key of their list: the later one would silently overwrite the earlier. */
const repeatedKeys = <Row>(
  list: string,
  field: string,
  rows: Row[],
  keyOf: (row: Row) => unknown,
) => {
  const first = new Map<unknown, number>()
  return rows.flatMap((row, index): ImportError[] => {
    const key = keyOf(row)
    const earlier = first.get(key)
    if (key === null) return []
    if (earlier === undefined) first.set(key, index)
    return earlier === undefined ? [] : [`${list}[${index}].${field}: repeats ${list}[${earlier}]`]
  })
}

/** Parses a whole file: its rows, or every error in it. */
export const parseImport = (content: unknown): { file?: ImportFile; errors: ImportError[] } => {
  const { success, data: file, error } = ImportFile.safeParse(content)
  if (!success) return { errors: importErrors(error) }

  const errors = [
    ...repeatedKeys('clients', 'code', file.clients, (row) => row.code),
    ...repeatedKeys('modules', 'slug', file.modules, (row) => row.slug),
    ...repeatedKeys('config', 'key', file.config, (row) => row.key),
    ...repeatedKeys('employees', 'employee_id', file.employees, (row) => row.employee_id),
    ...repeatedKeys('users', 'email', file.users, (row) => emailKey(row.email)),
    ...repeatedKeys('users', 'employee_id', file.users, (row) => row.employee_id),
    ...repeatedKeys('logs', 'log_id', file.logs, (row) => row.log_id),
  ]
  return { file, errors }
}

/** Rows that refer to an employee who is neither in the file nor stored. */
export const unknownEmployees = (file: ImportFile, stored: ReadonlySet<string>): ImportError[] => {
  const known = new Set(file.employees.map((row) => row.employee_id))
  const isUnknown = (id: string | null) => id !== null && !known.has(id) && !stored.has(id)
  const errorsIn = (list: string, rows: { employee_id: string | null }[]) =>
    rows.flatMap((row, index): ImportError[] =>
      isUnknown(row.employee_id) ? [`${list}[${index}].employee_id: no such employee`] : [],
    )
  return [...errorsIn('users', file.users), ...errorsIn('logs', file.logs)]
}

/** Users linked to an employee of a stored user who is not in the file. */
export const takenEmployees = (
  file: ImportFile,
  usersByEmployee: ReadonlyMap<string, string>,
): ImportError[] => {
  const moving = new Set(file.users.map((row) => emailKey(row.email)))
  return file.users.flatMap((row, index): ImportError[] => {
    const linked = row.employee_id === null ? undefined : usersByEmployee.get(row.employee_id)
    return linked === undefined || moving.has(linked)
      ? []
      : [`users[${index}].employee_id: another user already has this employee`]
  })
}
