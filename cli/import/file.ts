import * as z from 'zod'
import type { users } from '../../src/core/tables/users.ts'
import { emailKey, isEmail } from '../../src/core/values/email.ts'
import {
  FIRST_SERVICE_ID,
  LOG_KINDS,
  LOG_STATUSES,
  SOURCE_MAX,
} from '../../src/core/values/log-values.ts'
import {
  codePoints,
  isBlank,
  isInvisible,
  isReservedSource,
  isStorable,
  sourceKey,
} from '../../src/core/values/text.ts'
import { ADDRESS_MAX, NAME_MAX, TEXT_MAX } from '../../src/core/values/text-limits.ts'
import { DAY_MS, isTimeZone, LAST_DAY } from '../../src/core/values/time-zone.ts'
import { parseCalendar } from '../../src/payroll/rules/calendar.ts'
import { isGroupName } from '../../src/payroll/rules/groups.ts'
import { isSupportedHash, PASSWORD_MAX } from '../../src/session/passwords.ts'
import { printable } from '../core/printable.ts'

const mustBe = (rule: string) => ({
  error: (issue: { input?: unknown }) =>
    issue.input === undefined ? 'is missing' : `must be ${rule}`,
})

const text = z
  .string(mustBe('text'))
  .refine(isStorable, { error: 'contains NUL or half a surrogate pair' })
const limited = (max: number) =>
  text.refine((value) => codePoints(value) <= max, { error: `must have at most ${max} characters` })
/** A name is stored composed (NFC), as the API stores it: other systems write accents apart. */
const nameText = (max: number) => limited(max).normalize('NFC')
const filled = text.refine((value) => !isBlank(value), { error: 'must not be blank' })
const flag = z.literal([0, 1], mustBe('0 or 1'))
const toggle = z.boolean(mustBe('true or false'))

/** ISO 8601 as clocks and databases write it. Seconds are optional, and so are offset minutes. */
const ISO_8601 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(Z|[+-]\d{2})(?::?(\d{2}))?$/

const withAllParts = (value: unknown): unknown =>
  typeof value === 'string'
    ? value.replace(ISO_8601, (_, minute, second = ':00', zone, offsetMinutes = '00') =>
        zone === 'Z' ? `${minute}${second}Z` : `${minute}${second}${zone}:${offsetMinutes}`,
      )
    : value

const moment = z
  .preprocess(withAllParts, z.iso.datetime({ offset: true, ...mustBe('ISO 8601 with an offset') }))
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

const day = z.iso
  .date(mustBe('a date, YYYY-MM-DD'))
  .refine((value) => value <= LAST_DAY, { error: `must be ${LAST_DAY} at most` })

const paidDay = day.refine((value) => value >= '2000-01-01' && value < '2100-01-01', {
  error: 'must be of the years 2000 to 2099',
})

const zoneName = text.refine(isTimeZone, { error: 'must be a time zone such as America/Tijuana' })

const SHIFT_RULE = mustBe('a whole number of hours, 1 to 36')
const shiftHours = z.int(SHIFT_RULE).min(1, SHIFT_RULE).max(36, SHIFT_RULE)

const Branch = row({
  branch_office: filled,
  time_zone: zoneName,
  valid_from: day.optional(),
})

const PayrollGroup = row({
  payroll_group: limited(TEXT_MAX).refine(isGroupName, {
    error: 'must not begin or end with a space, nor have invisible characters',
  }),
  calendar: text.refine((value) => parseCalendar(value) !== undefined, {
    error: 'must be a calendar such as week monday, half month, month or 14 days 2026-01-05',
  }),
  pays_from: paidDay.optional(),
})

/** The rules of hours of everybody, valid on all days, and the company's name. */
const Company = row({
  name: nameText(NAME_MAX).optional(),
  time_zone: zoneName.optional(),
  max_shift_hours: shiftHours.optional(),
})

const Employee = row({
  employee_id: filled,
  full_name: nameText(NAME_MAX),
  rfc: limited(TEXT_MAX),
  phone: limited(TEXT_MAX),
  cellphone: limited(TEXT_MAX),
  started_at: day,
  job_position: nameText(TEXT_MAX),
  department: nameText(TEXT_MAX),
  branch_office: limited(TEXT_MAX),
  profile_image: limited(TEXT_MAX),
  payroll_group: limited(TEXT_MAX).optional(),
  ended_at: day.nullable().optional(),
  paid_from: paidDay.nullable().optional(),
  max_shift_hours: shiftHours.optional(),
})

const WITHOUT = 'leave it out: the user comes without a password, and gets a link'

/** Says what is wrong with a hash. Those of other systems are well formed, but too slow here. */
const hashError = (hash: string): string => {
  const [, cost] = /^\$2[aby]\$(\d\d)\$/.exec(hash) ?? []
  if (cost && Number(cost) > 13) {
    return `is bcrypt of cost ${cost}, and at most 13 is taken, since a sign-in would take seconds: ${WITHOUT}`
  }
  const [, rounds] = /^\$pbkdf2-sha512\$(\d+)\$/.exec(hash) ?? []
  if (rounds) {
    return `is pbkdf2 of ${rounds} rounds in one call, and Workers take 100000: ${WITHOUT}`
  }
  return `must be a bcrypt hash ($2y$, $2b$) of cost 4 to 13, or one of this service; else ${WITHOUT}`
}

const User = row({
  email: limited(ADDRESS_MAX)
    .refine(isEmail, { error: 'must be an e-mail address' })
    .transform((v) => v.trim()),
  password: filled
    .refine((value) => codePoints(value) <= PASSWORD_MAX, {
      error: `must have at most ${PASSWORD_MAX} characters`,
    })
    .optional(),
  password_hash: z
    .string()
    .refine(isSupportedHash, { error: ({ input }) => hashError(String(input)) })
    .optional(),
  first_name: nameText(NAME_MAX),
  last_name: nameText(NAME_MAX),
  mother_last_name: nameText(NAME_MAX),
  role: limited(TEXT_MAX),
  active: flag,
  external: flag,
  type_user: limited(TEXT_MAX),
  status_user: limited(TEXT_MAX),
  employee_id: filled.nullable(),
  machine: toggle.optional(),
}).refine(
  ({ machine, password, password_hash }) =>
    Number(password !== undefined) + Number(password_hash !== undefined) <= (machine ? 0 : 1),
  {
    path: ['password'],
    error: 'needs at most one of password and password_hash; a machine has none',
  },
)

const wholeNumber = mustBe('a whole number, 1 or more')

const TOO_LONG = { error: `must have at most ${SOURCE_MAX} characters` }

const sourceName = filled
  .refine((value) => !isInvisible(value), { error: 'must not be blank' })
  .refine((value) => codePoints(value) <= SOURCE_MAX, TOO_LONG)

const Log = row({
  log_id: z
    .int(wholeNumber)
    .positive(wholeNumber)
    .lt(FIRST_SERVICE_ID, {
      error: `must be below ${FIRST_SERVICE_ID}, where the service numbers its own`,
    })
    .optional(),
  source: sourceName
    .refine((source) => !isReservedSource(source), {
      error: 'must not have a colon or begin with "clock "',
    })
    .transform(sourceKey)
    .refine((source) => codePoints(source) <= SOURCE_MAX, TOO_LONG)
    .optional(),
  source_id: sourceName.optional(),
  employee_id: filled,
  kind: z.enum(LOG_KINDS, mustBe(LOG_KINDS.join(' or '))),
  recorded_at: moment,
  status: z.enum(LOG_STATUSES, mustBe(LOG_STATUSES.join(', '))).default('pending'),
}).refine(
  ({ log_id, source, source_id }) =>
    log_id === undefined
      ? source !== undefined && source_id !== undefined
      : source === undefined && source_id === undefined,
  { path: ['log_id'], error: 'needs either log_id, or source and source_id' },
)

const LISTS = {
  clients: { row: Client, key: 'code' },
  modules: { row: Module, key: 'slug' },
  config: { row: ConfigEntry, key: 'key' },
  company: { row: Company, key: 'name' },
  branches: { row: Branch, key: 'branch_office' },
  payroll_groups: { row: PayrollGroup, key: 'payroll_group' },
  employees: { row: Employee, key: 'employee_id' },
  users: { row: User, key: 'email' },
  logs: { row: Log, key: 'log_id' },
} as const

export type ListName = keyof typeof LISTS
type Parsed<Name extends ListName> = z.output<(typeof LISTS)[Name]['row']>

/** A valid row, and its place in the file for error messages, such as `users[3] (ana@x.mx)`. */
export interface PlacedRow<Row> {
  place: string
  row: Row
}

export type ImportFile = { [Name in ListName]: PlacedRow<Parsed<Name>>[] }
export type ImportedUser = Parsed<'users'>

/** Whether the file has a password of the user. Who has none gets a link. */
export const hasPassword = ({ password, password_hash }: ImportedUser): boolean =>
  (password ?? password_hash) !== undefined

type ImportedLog = Parsed<'logs'>

const shown = (text: string): string => printable(text.slice(0, 100))

const pathText = (path: readonly PropertyKey[]): string =>
  path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${shown(String(step))}`)).join('')

const issueErrors = (place: string, { issues }: z.ZodError): string[] =>
  issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `${place}${pathText([...issue.path, key])}: unknown field`)
      : [`${place}${pathText(issue.path)}: ${issue.message}`],
  )

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns `users[3] (ana@x.mx)`, or `users[3]` if the row has no readable key. */
const placeOf = (list: ListName, index: number, row: unknown): string => {
  if (list === 'company') return list
  const key = isObject(row) ? row[LISTS[list].key] : undefined
  const isKey = typeof key === 'number' || (typeof key === 'string' && !isBlank(key))
  return `${list}[${index}]${isKey ? ` (${shown(String(key).trim())})` : ''}`
}

/** D1 stores rows of 2 MB at most. */
const ROW_BYTES_MAX = 2_000_000

const isTooLarge = (row: unknown): boolean => Buffer.byteLength(JSON.stringify(row)) > ROW_BYTES_MAX

/** Returns an error for each repeated key: a later row would silently overwrite an earlier one. */
const repeatedKeys = <Row>(
  field: string,
  rows: PlacedRow<Row>[],
  keyOf: (row: Row) => unknown,
): string[] => {
  const first = new Map<unknown, string>()
  return rows.flatMap(({ place, row }) => {
    const key = keyOf(row)
    const earlier = first.get(key)
    if (earlier !== undefined) return [`${place}.${field}: repeats ${earlier.replace(/ .*/s, '')}`]
    if (key !== null) first.set(key, place)
    return []
  })
}

/** Returns the valid rows of a list. Adds an error for each invalid row. */
const parseList = (name: ListName, content: unknown, errors: string[]): PlacedRow<unknown>[] => {
  if (content === undefined) return []
  // The company is one object.
  const rows = name === 'company' ? [content] : content
  if (!Array.isArray(rows)) {
    errors.push(`${name}: must be a list`)
    return []
  }
  return rows.flatMap((value, index) => {
    const place = placeOf(name, index, value)
    const { success, data, error } = LISTS[name].row.safeParse(value)
    if (!success) errors.push(...issueErrors(place, error))
    else if (isTooLarge(value)) errors.push(`${place}: is larger than a row of D1 (2 MB)`)
    else return [{ place, row: data }]
    return []
  })
}

export interface ParsedFile {
  file: ImportFile
  /** Messages such as `users[3] (ana@x.mx).role: must be text`. They quote only a row's key. */
  errors: string[]
  /**
   * The ids of the employees in all rows, valid or not. So a user or a log of an invalid employee
   * causes no further error.
   */
  employeeIds: ReadonlySet<unknown>
}

const idsOf = (employees: unknown): ReadonlySet<unknown> =>
  new Set(Array.isArray(employees) ? employees.filter(isObject).map((row) => row.employee_id) : [])

/** Parses a whole file. Returns its valid rows and all of its errors. */
export const parseImport = (content: unknown): ParsedFile => {
  const lists = isObject(content) ? content : {}
  const errors = isObject(content) ? [] : ['the file: must be an object of lists']
  for (const name of Object.keys(lists)) {
    if (!Object.hasOwn(LISTS, name)) errors.push(`${shown(name)}: unknown field`)
  }
  const names = Object.keys(LISTS) as ListName[]
  const parsed = names.map((name) => [name, parseList(name, lists[name], errors)])
  const file: ImportFile = Object.fromEntries(parsed)
  errors.push(
    ...repeatedKeys('code', file.clients, (row) => row.code),
    ...repeatedKeys('slug', file.modules, (row) => row.slug),
    ...repeatedKeys('key', file.config, (row) => row.key),
    ...repeatedKeys('valid_from', file.branches, ({ branch_office, valid_from }) =>
      JSON.stringify([branch_office, valid_from]),
    ),
    ...repeatedKeys('payroll_group', file.payroll_groups, (row) => row.payroll_group),
    ...repeatedKeys('employee_id', file.employees, (row) => row.employee_id),
    ...repeatedKeys('email', file.users, (row) => emailKey(row.email)),
    ...repeatedKeys('employee_id', file.users, (row) => row.employee_id),
    ...repeatedKeys('log_id', file.logs, (row) => row.log_id ?? null),
    ...repeatedKeys('source_id', file.logs, (row) =>
      row.log_id === undefined ? logKey(row) : null,
    ),
  )
  return { file, errors, employeeIds: idsOf(lists.employees) }
}

/** Returns an error for each row whose employee is neither in the file nor in the database. */
export const unknownEmployees = (
  { file, employeeIds }: ParsedFile,
  stored: ReadonlySet<string>,
): string[] => {
  const isUnknown = (id: string | null) => id !== null && !employeeIds.has(id) && !stored.has(id)
  return [...file.users, ...file.logs].flatMap(({ place, row }) =>
    isUnknown(row.employee_id) ? [`${place}.employee_id: no such employee`] : [],
  )
}

/** Returns an error for each user whose employee belongs to a stored user outside the file. */
export const takenEmployees = (
  file: ImportFile,
  usersByEmployee: ReadonlyMap<string, string>,
): string[] => {
  const moving = new Set(file.users.map(({ row }) => emailKey(row.email)))
  return file.users.flatMap(({ place, row }) => {
    const linked = row.employee_id === null ? undefined : usersByEmployee.get(row.employee_id)
    return linked === undefined || moving.has(linked)
      ? []
      : [`${place}.employee_id: another user already has this employee`]
  })
}

export interface StoredLog {
  id: number
  source: string
  source_id: string | null
  employee_id: string
  kind: string
  recorded_at: string
  status: string
  /** 1 if a decision on the log is stored, even an imported one. Otherwise 0. */
  is_decided: number
}

/** Returns the key that identifies a log: its number, or its source and its id at the source. */
export const logKey = ({ log_id, source, source_id }: Partial<ImportedLog>): string =>
  JSON.stringify(log_id ?? [source, source_id])

const LOG_FACTS = ['employee_id', 'kind'] as const

/**
 * Returns an error for each fact that differs from the stored log: the number is of another log. A
 * time that was corrected is none.
 */
export const changedLogs = (file: ImportFile, stored: ReadonlyMap<string, StoredLog>): string[] =>
  file.logs.flatMap(({ place, row }) => {
    const log = stored.get(logKey(row))
    const differing = log ? LOG_FACTS.filter((fact) => log[fact] !== row[fact]) : []
    return differing.map((fact) => `${place}.${fact}: differs from the stored log`)
  })

/** Returns a notice for each log whose time differs from the stored one, which is never changed. */
export const differentTimes = (file: ImportFile, stored: ReadonlyMap<string, StoredLog>) =>
  file.logs.flatMap(({ place, row }) => {
    const log = stored.get(logKey(row))
    return log && log.recorded_at !== row.recorded_at
      ? [`${place}.recorded_at: ${row.recorded_at} in the file, ${log.recorded_at} here`]
      : []
  })

/** The logs of the same time whose status differs. A decision on another time is not taken. */
export const differentStatuses = (file: ImportFile, stored: ReadonlyMap<string, StoredLog>) =>
  file.logs.flatMap(({ place, row }) => {
    const log = stored.get(logKey(row))
    const isSame = log?.recorded_at === row.recorded_at
    return log && isSame && log.status !== row.status ? [{ place, status: row.status, log }] : []
  })

/** Returns a notice for each user whose stored password hash differs from the one in the file. */
export const differentPasswords = (file: ImportFile, storedUsers: StoredUsers): string[] =>
  file.users.flatMap(({ place, row: { email, password_hash } }) => {
    const stored = storedUsers.get(emailKey(email))?.password_hash
    if (password_hash === undefined || stored === undefined || stored === password_hash) return []
    // A sign-in replaces a hash of an outdated format, so the password may still be the same.
    const reason = stored.startsWith('$2') ? 'differs' : 'is older than a sign-in or a change here'
    return [`${place}.password_hash: ${reason}; the stored one stays`]
  })

/** Matches signs of UTF-8 that was read as Latin-1 and encoded again, such as `Ã©`. */
const DOUBLE_ENCODED = /[ÂÃ][\u0080-\u00bf‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ€]/

const doubleEncoded = ({ place, row }: PlacedRow<object>): string[] =>
  Object.entries(row).flatMap(([field, value]) =>
    typeof value === 'string' && DOUBLE_ENCODED.test(value)
      ? [`${place}.${field}: looks like text that was encoded twice`]
      : [],
  )

const withoutCase = (id: string): string => id.replace(/\s/g, '').toLowerCase()

/**
 * Returns a warning for each id that differs only by case or blanks from an earlier id of the file,
 * or from a stored id.
 */
export const similarIds = ({ employees }: ImportFile, stored: readonly string[]): string[] => {
  const ids = new Map(stored.map((id) => [withoutCase(id), id]))
  return employees.flatMap(({ place, row: { employee_id } }) => {
    const other = ids.get(withoutCase(employee_id)) ?? employee_id
    ids.set(withoutCase(employee_id), other)
    if (other === employee_id) return []
    return [`${place}.employee_id: differs from ${shown(other)} only by case or blanks`]
  })
}

export const rowsOf = <Row>(list: readonly PlacedRow<Row>[]): Row[] => list.map(({ row }) => row)

/** A stored user of the file. */
export interface StoredUser extends Omit<typeof users.$inferSelect, 'scope_branches' | 'sources'> {
  scope_branches: string[] | null
  sources: string[] | null
  /** Whether the password may stay if the user gets more power. */
  is_trusted: boolean
}

export type StoredUsers = ReadonlyMap<string, StoredUser>

/** Returns errors for machines with an employee, a role that reviews or pays, or a new password. */
export const wrongMachines = (
  { users }: ImportFile,
  stored: StoredUsers,
  roles: readonly string[],
  resetPasswords: boolean,
): string[] =>
  users.flatMap(({ place, row }) => {
    const { email, machine, employee_id, role } = row
    const isStored = stored.get(emailKey(email))?.machine
    if (!(machine ?? isStored)) return []
    return [
      ...(employee_id === null ? [] : [`${place}.employee_id: a machine is not an employee`]),
      ...(roles.includes(role) ? [`${place}.role: a machine neither reviews nor pays`] : []),
      ...(isStored && !machine && resetPasswords && hasPassword(row)
        ? [`${place}.password: a machine has no password`]
        : []),
    ]
  })

/** Returns a warning for each user with a role that no setting names. */
export const unnamedRoles = ({ users }: ImportFile, named: readonly string[]): string[] =>
  users.flatMap(({ place, row: { role } }) =>
    named.includes(role)
      ? []
      : [`${place}.role: no setting names it, so its users may do no more than any employee`],
  )

/**
 * Whether the import leaves an active user who administers all branches and has a password.
 * @param administrators the email_keys of such users before the import
 * @param clearsPassword whether the import clears a stored user's password
 */
export const leavesAdministrator = (
  { users }: ImportFile,
  roles: readonly string[],
  stored: StoredUsers,
  administrators: readonly string[],
  clearsPassword: (user: ImportedUser) => boolean,
): boolean => {
  const imported = new Set(users.map(({ row }) => emailKey(row.email)))
  return (
    administrators.some((key) => !imported.has(key)) ||
    users.some(({ row }) => {
      const known = stored.get(emailKey(row.email))
      const password = known ? known.password_hash !== '' : hasPassword(row)
      const canSignIn = password && !row.machine && !clearsPassword(row)
      return row.active === 1 && roles.includes(row.role) && canSignIn && !known?.scope_branches
    })
  )
}

export const isWebUrl = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

/** Apps add paths such as /api/auth/login to a `url_base`, which is answered as it is stored. */
const urlBaseWarnings = (text: string): string[] => {
  if (!isWebUrl(text)) return ['is not a URL']
  return /^[^:]+:\/\/[^/?#]+$/.test(text)
    ? []
    : ['has a path or a last slash before the /api of apps']
}

/** Returns warnings for valid values that look like mistakes. They do not stop the import. */
export const suspiciousValues = (file: ImportFile, now: Date): string[] => {
  const tomorrow = new Date(now.getTime() + DAY_MS).toISOString()
  const { logs: _, ...texts } = file
  return [
    ...Object.values<PlacedRow<object>[]>(texts).flat().flatMap(doubleEncoded),
    ...file.clients.flatMap(({ place, row }) => [
      ...urlBaseWarnings(row.url_base).map((warning) => `${place}.url_base: ${warning}`),
      ...(/activ/i.test(row.status) && !/^(in)?activo$/i.test(row.status)
        ? [`${place}.status: is not "activo", so the client counts as inactive`]
        : []),
    ]),
    ...file.logs.flatMap(({ place, row }) =>
      row.recorded_at > tomorrow || row.recorded_at < '2000'
        ? [`${place}.recorded_at: lies in the future or before 2000`]
        : [],
    ),
  ]
}
