import * as z from 'zod'
import { LOG_KINDS, LOG_STATUSES } from '../../src/db/schema.ts'
import { isKnownHash, PASSWORD_MAX } from '../../src/domain/passwords.ts'
import { emailKey, isEmail } from '../../src/shared/email.ts'
import { codePoints, isBlank, isStorable } from '../../src/shared/text.ts'

/** The import file: one object of lists, each optional. Its faults name list, index and field. */

const must = (rule: string) => ({
  error: (issue: { input?: unknown }) =>
    issue.input === undefined ? 'is missing' : `must be ${rule}`,
})

const text = z
  .string(must('text'))
  .refine(isStorable, { error: 'holds NUL or half a surrogate pair' })
const filled = text.refine((value) => !isBlank(value), { error: 'must not be blank' })
const flag = z.literal([0, 1], must('0 or 1'))
const toggle = z.boolean(must('true or false'))

const moment = z.iso
  .datetime({ offset: true, ...must('ISO 8601 with an offset') })
  .transform((value) => new Date(value).toISOString())
  .refine((value) => /^\d{4}-/.test(value), { error: 'must lie in the years 0000 to 9999' })

const row = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape, must('an object'))

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
  started_at: z.iso.date(must('a date, YYYY-MM-DD')),
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
    .refine(isKnownHash, { error: 'must be a pbkdf2-sha512 or bcrypt ($2y$, $2b$) hash' })
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

const wholeNumber = must('a whole number, 1 or more')

const Log = row({
  log_id: z.int(wholeNumber).positive(wholeNumber),
  employee_id: filled,
  kind: z.enum(LOG_KINDS, must(LOG_KINDS.join(' or '))),
  recorded_at: moment,
  status: z.enum(LOG_STATUSES, must(LOG_STATUSES.join(', '))).default('pending'),
})

const listOf = <Row extends z.ZodType>(of: Row) => z.array(of, must('a list')).default([])

const ImportFile = z.strictObject(
  {
    clients: listOf(Client),
    modules: listOf(Module),
    config: listOf(ConfigEntry),
    employees: listOf(Employee),
    users: listOf(User),
    logs: listOf(Log),
  },
  must('an object of lists'),
)

export type ImportFile = z.output<typeof ImportFile>
export type ImportedUser = ImportFile['users'][number]

/** What is wrong and where, never a value: `users[3].email: must be an e-mail address`. */
export type Fault = string

const place = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .slice(1)

const faultsOf = ({ issues }: z.ZodError): Fault[] =>
  issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `${place([...issue.path, key])}: unknown field`)
      : [`${place(issue.path) || 'the file'}: ${issue.message}`],
  )

/** Rows of one list that share a key: the later one would silently overwrite the earlier. */
const repeats = <Row>(list: string, field: string, rows: Row[], keyOf: (row: Row) => unknown) => {
  const first = new Map<unknown, number>()
  return rows.flatMap((row, index): Fault[] => {
    const key = keyOf(row)
    const earlier = first.get(key)
    if (key === null) return []
    if (earlier === undefined) first.set(key, index)
    return earlier === undefined ? [] : [`${list}[${index}].${field}: repeats ${list}[${earlier}]`]
  })
}

/** Reads a whole file: its rows, or every fault in it. */
export const readImport = (content: unknown): { file?: ImportFile; faults: Fault[] } => {
  const { success, data: file, error } = ImportFile.safeParse(content)
  if (!success) return { faults: faultsOf(error) }

  const faults = [
    ...repeats('clients', 'code', file.clients, (row) => row.code),
    ...repeats('modules', 'slug', file.modules, (row) => row.slug),
    ...repeats('config', 'key', file.config, (row) => row.key),
    ...repeats('employees', 'employee_id', file.employees, (row) => row.employee_id),
    ...repeats('users', 'email', file.users, (row) => emailKey(row.email)),
    ...repeats('users', 'employee_id', file.users, (row) => row.employee_id),
    ...repeats('logs', 'log_id', file.logs, (row) => row.log_id),
  ]
  return { file, faults }
}

/** Rows that speak of an employee who is neither in the file nor among those already stored. */
export const unknownEmployees = (file: ImportFile, stored: ReadonlySet<string>): Fault[] => {
  const known = new Set(file.employees.map((row) => row.employee_id))
  const unknown = (id: string | null) => id !== null && !known.has(id) && !stored.has(id)
  const faults = (list: string, rows: { employee_id: string | null }[]) =>
    rows.flatMap((row, index): Fault[] =>
      unknown(row.employee_id) ? [`${list}[${index}].employee_id: no such employee`] : [],
    )
  return [...faults('users', file.users), ...faults('logs', file.logs)]
}

/** Users who claim an employee that a stored user, one the file leaves alone, already has. */
export const claimedTwice = (file: ImportFile, holders: ReadonlyMap<string, string>): Fault[] => {
  const moving = new Set(file.users.map((row) => emailKey(row.email)))
  return file.users.flatMap((row, index): Fault[] => {
    const holder = row.employee_id === null ? undefined : holders.get(row.employee_id)
    return holder === undefined || moving.has(holder)
      ? []
      : [`users[${index}].employee_id: another user already has this employee`]
  })
}
