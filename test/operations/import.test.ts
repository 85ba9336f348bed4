import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import demo from '../../cli/demo/demo.json' with { type: 'json' }
import { importInto } from '../../cli/import/run.ts'
import { modules } from '../../src/core/tables/clients.ts'
import { branch_zones, company } from '../../src/core/tables/company.ts'
import { attendance_logs, log_events } from '../../src/core/tables/logs.ts'
import { employee_shifts } from '../../src/core/tables/payroll.ts'
import { employees, payroll_groups } from '../../src/core/tables/people.ts'
import { people_changes, users } from '../../src/core/tables/users.ts'
import { signInAdmin } from '../support/admin.ts'
import { get, post } from '../support/api.ts'
import { faultsOf } from '../support/evidence.ts'
import {
  anAdmin,
  anEmployee,
  aUser,
  db,
  failWritesTo,
  hideTable,
  PASSWORD,
  paysFrom,
} from '../support/factories.ts'
import { payrollOf } from '../support/payroll.ts'
import { tokenOf } from '../support/people.ts'
import { seal } from '../support/seals.ts'

const BCRYPT = '$2y$04$abcdefghijklmnopqrstuux0H/LK88mkAWUkNPH0MTvfVRWjt/w36'

const client = {
  code: 'ÑANDÚ 01',
  name: 'El Ñandú',
  status: 'Activo',
  url_base: 'https://nandu.example.com',
}
const module = {
  slug: 'checador',
  name: 'Checador',
  description: '',
  icon: '',
  enabled: false,
  enabled_app: true,
}
const entry = { key: 'logo', tipo: 'archivo', nombre: 'Logo', valor: ' a.png\n' }
const employee = {
  employee_id: '007',
  full_name: "Itzel O'Farrill 🌵",
  rfc: '',
  phone: '0055',
  cellphone: '',
  started_at: '2024-02-29',
  job_position: '',
  department: 'Ventas',
  branch_office: 'Sur',
  profile_image: '',
}
const user = {
  email: ' Itzel@Empresa.mx ',
  password: 'una clave',
  first_name: 'Itzel',
  last_name: 'O’Farrill',
  mother_last_name: '',
  role: 'admin',
  active: 1,
  external: 0,
  type_user: '',
  status_user: '',
  employee_id: '007',
}
const log = {
  log_id: 41,
  employee_id: '007',
  kind: 'entrada',
  recorded_at: '2026-11-02T08:00:00.5-06:00',
}
const zone = { branch_office: 'Sur', time_zone: 'America/Tijuana' }
const whole = {
  company: { name: 'Comercial del Centro', time_zone: 'America/Cancun', max_shift_hours: 26 },
  clients: [client],
  modules: [module],
  config: [entry],
  branches: [zone],
  employees: [employee],
  users: [user],
  logs: [log],
}

const counts = (created: number, changed: number, kept: number) => ({ created, changed, kept })

const importing = (content: unknown, options = {}) => importInto(env.DB, content, options)

/** The errors of a file. Checks that the import wrote nothing. */
const errorsIn = async (content: unknown): Promise<string[]> => {
  const before = await dump()
  const result = await importing(content)
  expect(await dump()).toEqual(before)
  return 'errors' in result ? result.errors : expect.unreachable('imported')
}

const dump = async () =>
  Promise.all(
    [
      ...['clients', 'modules', 'config_entries', 'branch_zones', 'employees', 'employee_shifts'],
      ...['users', 'attendance_logs', 'company'],
    ].map(async (table) => (await env.DB.prepare(`SELECT * FROM ${table}`).all()).results),
  )

const login = (password: string, email = 'itzel@empresa.mx') =>
  post('/auth/login', { email, password })

describe('an import file', () => {
  it('is served at once, byte for byte', async () => {
    const one = counts(1, 0, 0)
    const reported: [number, number][] = []
    const onProgress = (done: number, total: number) => reported.push([done, total])
    expect(await importing(whole, { onProgress })).toMatchObject({
      imported: {
        ...{ clients: one, modules: one, config: one, employees: one, users: one, logs: one },
        company: counts(0, 1, 0),
      },
    })
    expect(reported.at(-1)).toEqual([9, 9])

    const { body } = await login('una clave')
    const { token } = body.data
    const me = await get('/auth/me', { token })
    expect(me.body.data.user.email).toBe('Itzel@Empresa.mx')
    expect(me.body.data.employee).toEqual(employee)
    const found = await post('/v2/clients/validate-code', { code: 'ÑANDÚ 01' })
    expect(found.body.data).toEqual({ id: 1, ...client })
    expect((await get('/v2/clients/config/logo')).body.data).toEqual(entry)
    const { slug: _, ...shown } = module
    expect((await get('/v2/clients/modules_enabled')).body.data).toEqual([{ id: 1, ...shown }])
    const [stored] = await db.select().from(attendance_logs)
    expect(stored).toMatchObject({
      id: 41,
      status: 'pending',
      recorded_at: '2026-11-02T14:00:00.500Z',
    })
  })

  it('has its names saved composed, as the API does', async () => {
    const name = 'Íñigo Muñiz'
    const apart = name.normalize('NFD')
    const names = { full_name: apart, department: apart, job_position: apart }
    const ofUser = { first_name: apart, last_name: apart, mother_last_name: apart }
    await importing({
      company: { name: apart },
      employees: [{ ...employee, ...names }],
      users: [{ ...user, ...ofUser }],
    })
    const [stored] = await db.select().from(employees)
    expect(stored).toMatchObject({ full_name: name, department: name, job_position: name })
    const [person] = await db.select().from(users)
    expect(person).toMatchObject({ first_name: name, last_name: name, mother_last_name: name })
    expect(await db.select().from(company)).toMatchObject([{ name }])
  })

  it('changes nothing when it is imported again', async () => {
    await importing(whole)
    const once = await dump()
    expect(await importing(whole)).toMatchObject({ imported: { company: counts(0, 0, 1) } })
    expect(await dump()).toEqual(once)
  })

  it('updates the rows that it names and leaves the others', async () => {
    const other = await anEmployee()
    await importing(whole)
    await importing({
      employees: [{ ...employee, department: 'Compras' }],
      modules: [{ ...module, enabled: true, enabled_app: false }],
    })
    const stored = await db.select().from(employees)
    expect(stored).toContainEqual(other)
    expect(stored).toContainEqual({
      ...employee,
      department: 'Compras',
      payroll_group: '',
      ended_at: null,
      paid_from: null,
      version: 2,
    })
    expect((await db.select().from(modules))[0]).toMatchObject({
      enabled: true,
      enabled_app: false,
    })
  })

  it('may be empty', async () => {
    expect(await importing({})).toHaveProperty('imported.logs.created', 0)
  })

  it('numbers logs of a source from 1,000,000,000 on, and only once', async () => {
    const { log_id: _, ...rest } = log
    const logs = ['a', 'b'].map((source_id) => ({ ...rest, source: 'reloj', source_id }))
    const file = { employees: [employee], logs: [log, ...logs] }
    expect(await importing(file)).toHaveProperty('imported.logs.created', 3)
    expect(await importing(file)).toMatchObject({
      imported: { logs: counts(0, 0, 3) },
    })
    const stored = await db.select().from(attendance_logs)
    expect(stored.map(({ id, source, source_id }) => [id, source, source_id])).toEqual([
      [41, '', null],
      [1_000_000_000, 'reloj', 'a'],
      [1_000_000_001, 'reloj', 'b'],
    ])
    const events = await db.select().from(log_events)
    expect(events.map(({ event, source, actor }) => [event, source, actor])).toEqual([
      ['recorded', '', 'import'],
      ['recorded', 'reloj', 'import'],
      ['recorded', 'reloj', 'import'],
    ])
  })

  it('adds and changes payroll groups, and keeps a first day that the file does not have', async () => {
    const weekly = { payroll_group: 'semanal', calendar: 'week monday', pays_from: '2026-11-02' }
    const file = {
      payroll_groups: [weekly],
      employees: [{ ...employee, payroll_group: 'semanal' }],
    }
    const groupsOf = async (content: object, options = {}) => {
      const result = await importing(content, options)
      return 'imported' in result ? result.imported.payroll_groups : result.errors
    }
    expect(await groupsOf(file, { dryRun: true })).toEqual(counts(1, 0, 0))
    expect(await groupsOf(file)).toEqual(counts(1, 0, 0))
    expect(await groupsOf(file)).toEqual(counts(0, 0, 1))
    const general = { payroll_group: '', calendar: 'half month', pays_from: '2026-11-01' }
    const monthly = { payroll_group: 'semanal', calendar: 'month' }
    expect(await groupsOf({ payroll_groups: [general, monthly] })).toEqual(counts(0, 2, 0))
    expect(await db.select().from(payroll_groups)).toEqual([
      { name: '', calendar: 'half month', pays_from: '2026-11-01', version: 2 },
      { name: 'semanal', calendar: 'month', pays_from: '2026-11-02', version: 2 },
    ])
  })

  it('refuses a group that is neither stored nor in the file, and an invalid calendar', async () => {
    const member = { ...employee, payroll_group: 'semanal' }
    expect(await errorsIn({ employees: [member] })).toEqual([
      'employees[0] (007).payroll_group: There is no payroll group semanal.',
    ])
    const group = { payroll_group: 'semanal', calendar: 'week lunes' }
    expect(await errorsIn({ payroll_groups: [group, { ...group, calendar: 'month' }] })).toEqual([
      'payroll_groups[0] (semanal).calendar: must be a calendar such as week monday, half month, month or 14 days 2026-01-05',
    ])
    const twice = { ...group, calendar: 'month' }
    expect(
      await errorsIn({ payroll_groups: [twice, { ...twice, payroll_group: ' x' }, twice] }),
    ).toEqual([
      'payroll_groups[1] (x).payroll_group: must not begin or end with a space, nor have invisible characters',
      'payroll_groups[2] (semanal).payroll_group: repeats payroll_groups[0]',
    ])
  })

  it('keeps an employee’s payroll group and days if the file has none of them', async () => {
    const [left, none] = [
      { payroll_group: 'Semanal', ended_at: '2026-11-30', paid_from: '2026-11-02' },
      { payroll_group: '', ended_at: null, paid_from: null },
    ]
    const payroll_groups = [{ payroll_group: 'Semanal', calendar: 'week monday' }]
    await importing({ payroll_groups, employees: [{ ...employee, ...left }] })
    await importing({ employees: [{ ...employee, department: 'Compras' }] })
    expect(await db.select().from(employees)).toMatchObject([{ department: 'Compras', ...left }])
    await importing({ employees: [{ ...employee, ...none }] })
    expect(await db.select().from(employees)).toMatchObject([none])
  })

  it('adds a zone and a longest shift only if the newest one differs', async () => {
    const dated = { ...zone, time_zone: 'America/Mexico_City', valid_from: '2026-11-16' }
    const file = { branches: [zone, dated], employees: [{ ...employee, max_shift_hours: 26 }] }
    expect(await importing(file)).toMatchObject({
      imported: { branches: counts(2, 0, 0), employees: counts(1, 0, 0) },
    })
    const changed = {
      branches: [{ ...zone, time_zone: 'America/Cancun' }, dated],
      employees: [{ ...employee, max_shift_hours: 30 }],
    }
    expect(await importing(changed)).toMatchObject({
      imported: { branches: counts(0, 1, 1), employees: counts(0, 1, 0) },
    })
    expect(await importing(changed)).toMatchObject({ imported: { branches: { kept: 2 } } })
    // A file without a longest shift does not change it.
    expect(await importing({ employees: [employee] })).toMatchObject({
      imported: { employees: { kept: 1 } },
    })
    const rules = await db.select().from(branch_zones)
    expect(rules.map(({ valid_from, time_zone }) => [valid_from, time_zone])).toEqual([
      ['', 'America/Mexico_City'],
      ['', 'America/Tijuana'],
      ['2026-11-16', 'America/Mexico_City'],
      ['', 'America/Cancun'],
    ])
    const shifts = await db.select().from(employee_shifts)
    expect(shifts).toMatchObject([
      { employee_id: null, valid_from: '', max_shift_hours: 16 },
      { employee_id: '007', valid_from: '', max_shift_hours: 26 },
      { employee_id: '007', valid_from: '', max_shift_hours: 30 },
    ])
  })

  it('changes no rule and no last day that would change paid days of the branch', async () => {
    const { token } = await anAdmin()
    await importing({
      employees: [{ ...employee, max_shift_hours: 26 }],
      logs: [
        { ...log, status: 'approved' },
        {
          ...log,
          log_id: 42,
          kind: 'salida',
          recorded_at: '2026-11-02T17:00Z',
          status: 'approved',
        },
      ],
    })
    await paysFrom('2026-11-01')
    const payroll = payrollOf(token)
    const { id } = await payroll.closed({ before: '2026-11-16' })
    await importing({ employees: [{ ...employee, branch_office: 'Norte' }] })
    const at = (valid_from: string) => ({ ...zone, valid_from })
    const reason = 'may not change days before 2026-11-16, which are paid'
    expect(
      await errorsIn({
        branches: [zone, at('2026-11-03'), { ...at('2026-11-15'), branch_office: 'Norte' }],
        employees: [{ ...employee, max_shift_hours: 25, ended_at: '2026-11-01' }],
      }),
    ).toEqual([
      `employees[0] (007).ended_at: Closing ${id} has paid 2026-11-02, which is later: correct such ` +
        'days first.',
      `branches[0] (Sur).valid_from: ${reason}`,
      `branches[1] (Sur).valid_from: ${reason}`,
      `branches[2] (Norte).valid_from: ${reason}`,
      `employees[0] (007).max_shift_hours: ${reason}`,
    ])
    // Nobody in the closing has worked in Sur since the 4th, or ever in Este.
    const free = [at('2026-11-04'), at('2026-11-16'), { ...zone, branch_office: 'Este' }]
    const same = { ...employee, branch_office: 'Norte', max_shift_hours: 26 }
    expect(await importing({ branches: free, employees: [same] })).toMatchObject({
      imported: { branches: { created: 3 }, employees: { kept: 1 } },
    })
    await payroll.cancel(id)
    expect(await importing({ branches: [zone] })).toMatchObject({
      imported: { branches: { created: 1 } },
    })
  })

  it('counts what is new, changed and kept, and writes nothing on a dry run', async () => {
    await importing(whole)
    const file = {
      ...whole,
      clients: [client, { ...client, code: 'B' }],
      employees: [{ ...employee, department: 'Compras' }],
      users: [{ ...user, password: 'otra clave' }],
    }
    const before = await dump()
    const kept = counts(0, 0, 1)
    const imported = {
      clients: counts(1, 0, 1),
      modules: kept,
      config: kept,
      employees: counts(0, 1, 0),
      branches: kept,
      users: kept,
      logs: kept,
    }

    expect(await importing(file, { dryRun: true })).toMatchObject({ imported })
    expect(await dump()).toEqual(before)
    expect(await importing(file)).toMatchObject({ imported })
    expect(await importing(file)).toMatchObject({ imported: { employees: kept } })
  })

  it.each([
    ['2026-11-02T08:00Z', '2026-11-02T08:00:00.000Z'],
    ['2026-11-02T08:00:05-06', '2026-11-02T14:00:05.000Z'],
    ['2026-11-02T08:00-0600', '2026-11-02T14:00:00.000Z'],
    ['2026-11-02T08:00:00.25+05:30', '2026-11-02T02:30:00.250Z'],
  ])('takes %s, which is ISO 8601', async (recorded_at, stored) => {
    await importing({ employees: [employee], logs: [{ ...log, recorded_at }] })
    expect((await db.select().from(attendance_logs))[0]?.recorded_at).toBe(stored)
  })

  it('warns of values that look like mistakes', async () => {
    const result = await importing({
      clients: [
        { ...client, url_base: 'nandu.example.com', status: 'Activo ' },
        { ...client, code: 'B', status: 'inactivo' },
        { ...client, code: 'C', status: 'Inactivo' },
      ],
      employees: [employee, { ...employee, employee_id: '8', full_name: 'JOÃO MarÃ­a NÃºÃ±ez' }],
      logs: [{ ...log, recorded_at: '2099-01-01T00:00:00Z' }],
    })
    expect(result).toHaveProperty('warnings', [
      'employees[1] (8).full_name: looks like text that was encoded twice',
      'clients[0] (ÑANDÚ 01).url_base: is not a URL',
      'clients[0] (ÑANDÚ 01).status: is not "activo", so the client counts as inactive',
      'logs[0] (41).recorded_at: lies in the future or before 2000',
    ])
  })
})

it('warns of an id that differs from another only by case or blanks', async () => {
  const named = (employee_id: string) => ({ ...employee, employee_id })
  await importing({ employees: [named('E-1')] })
  const result = await importing({
    employees: [named('E-1'), named('e-1'), named('X 2'), named('X2')],
  })
  expect(result).toHaveProperty('warnings', [
    'employees[1] (e-1).employee_id: differs from E-1 only by case or blanks',
    'employees[3] (X2).employee_id: differs from X 2 only by case or blanks',
  ])
})

describe('an import after which nobody can review', () => {
  const roles = {
    settings: {
      ADMIN_ROLES: ['admin', 'jefe'],
      PAYROLL_ROLES: ['nomina'],
      INTAKE_ROLES: [],
      DB_LIMIT_MB: 10_000,
    },
  }
  const warning =
    'users: nobody who is active, sees all branches and has a password has a role of ADMIN_ROLES ' +
    '(admin, jefe), so nobody can review all logs: add their role to the setting, or npm run user ' +
    '-- add EMAIL'
  const warningsOf = async (people: object[], options = {}) => {
    const result = await importing({ employees: [employee], users: people }, options)
    return 'warnings' in result ? result.warnings : expect.unreachable('errors')
  }

  it('warns, also on a dry run', async () => {
    const legacy = { ...user, role: 'Administrador' }
    const unnamed =
      'users[0] (Itzel@Empresa.mx).role: no setting names it, so its users may do no more than any employee'
    expect(await warningsOf([legacy], { ...roles, dryRun: true })).toEqual([unnamed, warning])
    expect(
      await warningsOf([legacy, { ...user, email: 'b@b.mx', employee_id: null, active: 0 }], roles),
    ).toEqual([unnamed, warning])
    expect(await warningsOf([legacy])).toEqual([])
    expect(await warningsOf([{ ...legacy, role: 'jefe' }], roles)).toEqual([])
  })

  it('warns of an administrator who comes without a password', async () => {
    const { password: _, ...without } = { ...user, role: 'admin' }
    expect(await warningsOf([without], roles)).toEqual([
      expect.stringMatching(/^users: 1 new without a password/),
      warning,
    ])
  })

  it('counts the stored users after the import, and refuses to remove the last one', async () => {
    await anAdmin({ email: 'Ana@Empresa.mx', email_key: 'ana@empresa.mx' })
    const legacy = { ...user, role: 'employee' }
    expect(await warningsOf([legacy], roles)).toEqual([])
    const ana = { ...legacy, email: 'ana@empresa.mx', employee_id: null }
    expect(await importing({ users: [ana] }, roles)).toEqual({ errors: [warning] })
    expect(await importing({ users: [{ ...ana, role: 'jefe', active: 0 }] }, roles)).toEqual({
      errors: [warning],
    })
    expect(await warningsOf([{ ...ana, role: 'jefe' }], roles)).toEqual([])
    const nobodyNamed = await importing({ clients: [client] }, roles)
    expect(nobodyNamed).toHaveProperty('warnings', [])
  })

  it('lets a new administrator take the place of the last one in one file', async () => {
    await anAdmin({ email: 'ana@empresa.mx', email_key: 'ana@empresa.mx' })
    const ana = { ...user, email: 'ana@empresa.mx', employee_id: null, role: 'employee' }
    expect(await warningsOf([ana, user], roles)).toEqual([])
    const stored = await db.select().from(users).orderBy(users.id)
    expect(stored.map(({ email, role }) => [email, role])).toEqual([
      ['ana@empresa.mx', 'employee'],
      ['Itzel@Empresa.mx', 'admin'],
    ])
  })
})

describe('the record of changes', () => {
  /** Reads the changes as `before → after`, by field. `now` is the moment of the change. */
  const readChanges = async () =>
    (await db.select().from(people_changes).orderBy(people_changes.id)).map((row) => {
      expect(row.user_id).toBeNull()
      const fields: { field: string; before: unknown; after: unknown }[] = JSON.parse(row.changes)
      const changes = fields.map(({ field, before, after }) => {
        return [field, [before, after === row.at ? 'now' : after]]
      })
      return { subject: `${row.subject} ${row.subject_id}`, ...Object.fromEntries(changes) }
    })
  const added = (row: object) =>
    Object.fromEntries(Object.entries(row).map(([field, value]) => [field, [null, value]]))

  it('has everything of new people but no secret, and of others what differs', async () => {
    await importing(whole)
    const { employee_id, ...fields } = employee
    const none = { machine: false, scope_branches: null, sources: null }
    const { password: _, ...shown } = { ...user, email: user.email.trim(), ...none }
    const days = { payroll_group: '', ended_at: null, paid_from: null }
    expect(await readChanges()).toEqual([
      { subject: `employee ${employee_id}`, ...added({ ...fields, ...days }) },
      { subject: 'user 1', ...added({ ...shown, password_set: 'now' }) },
    ])
    const text = JSON.stringify(await db.select().from(people_changes))
    const [stored] = await db.select().from(users)
    for (const secret of [stored?.password_hash, stored?.actor_salt, stored?.actor_hash]) {
      expect(text).not.toContain(secret)
    }

    const other = { ...user, email: 'otra@empresa.mx', employee_id: null }
    const file = {
      employees: [{ ...employee, rfc: 'A"\\', ended_at: '2026-11-30' }],
      // The employee is taken from one user, and given to the other.
      users: [
        { ...user, active: 0, role: 'jefe', employee_id: null },
        { ...other, employee_id: '007' },
      ],
    }
    await importing({ users: [other] })
    await importing(file)
    await importing(file)
    await importing({ users: [file.users[0]] }, { resetPasswords: true })
    expect((await readChanges()).slice(3)).toEqual([
      { subject: 'employee 007', rfc: ['', 'A"\\'], ended_at: [null, '2026-11-30'] },
      { subject: 'user 1', employee_id: ['007', null] },
      { subject: 'user 1', role: ['admin', 'jefe'], active: [1, 0] },
      { subject: 'user 2', employee_id: [null, '007'], password_cleared: [null, 'now'] },
      { subject: 'user 1', password_set: [null, 'now'] },
    ])
  })

  it('is empty after a dry run, and is not written if the rows are not', async () => {
    await importing(whole, { dryRun: true })
    expect(await readChanges()).toEqual([])
    await failWritesTo('employees')
    await expect(importing(whole)).rejects.toThrow('employees writes fail')
    expect(await readChanges()).toEqual([])
  })
})

describe('imported users', () => {
  it('can sign in with a bcrypt hash of the legacy API', async () => {
    const { password: _, ...rest } = user
    await importing({ employees: [employee], users: [{ ...rest, password_hash: BCRYPT }] })
    expect((await login('Añeja 🔑')).status).toBe(200)
  })

  it('come in without a password, and set one by their link', async () => {
    const { token } = await anAdmin()
    const { password: _, ...without } = { ...user, role: 'employee' }
    const file = { employees: [employee], users: [without] }
    expect(await importing(file)).toMatchObject({
      imported: { users: counts(1, 0, 0) },
      warnings: [
        'users: 1 new without a password: make their links in Usuarios, or by POST /v2/people/invitations',
      ],
    })
    expect((await login('')).status).not.toBe(200)

    const invited = await post('/v2/people/invitations', { employee_ids: ['007'] }, { token })
    const accepted = {
      token: tokenOf(invited.body.data.invitations[0].url),
      password: 'la suya, larga',
    }
    expect((await post('/auth/invitation', accepted)).status).toBe(200)
    expect((await login('la suya, larga')).status).toBe(200)

    // A later import without a password leaves it, also with --reset-passwords.
    expect(await importing(file, { resetPasswords: true })).toMatchObject({
      imported: { users: counts(0, 0, 1) },
      warnings: [],
    })
    expect((await login('la suya, larga')).status).toBe(200)
  })

  it('who exist keep their limits, the password and the tokens, unless these are reset', async () => {
    const limits = { scope_branches: '["Norte"]', sources: '["reloj-norte"]' }
    const known = await aUser({ email: 'itzel@empresa.mx', role: 'admin', ...limits })
    const file = { users: [{ ...user, employee_id: null, first_name: 'Otra' }] }

    await importing(file)
    expect((await db.select().from(users))[0]).toMatchObject(limits)
    expect((await login(PASSWORD)).body.data.user.first_name).toBe('Otra')
    expect((await get('/auth/me', { token: known.token })).status).toBe(200)

    await importing(file, { resetPasswords: true })
    expect((await login(PASSWORD)).status).toBe(401)
    expect((await login('una clave')).status).toBe(200)
    expect((await get('/auth/me', { token: known.token })).status).toBe(401)
  })

  it('who are machines stay machines, without employee, password or reviewing role', async () => {
    await anEmployee({ employee_id: '007' })
    const known = await aUser({ email: 'itzel@empresa.mx', machine: true, password_hash: '' })
    const roles = { ADMIN_ROLES: ['admin'], PAYROLL_ROLES: ['nomina'], INTAKE_ROLES: ['reloj'] }
    const settings = { ...roles, DB_LIMIT_MB: 10_000 }
    const row = { ...user, role: 'reloj', employee_id: null }
    expect(await importing({ users: [row] }, { settings })).toHaveProperty('imported')
    expect((await db.select().from(users))[0]).toMatchObject({ machine: true, password_hash: '' })
    const wrong = { ...row, role: 'nomina', employee_id: '007' }
    const place = 'users[0] (Itzel@Empresa.mx)'
    expect(await importing({ users: [wrong] }, { settings, resetPasswords: true })).toEqual({
      errors: [
        `${place}.employee_id: a machine is not an employee`,
        `${place}.role: a machine neither reviews nor pays`,
        `${place}.password: a machine has no password`,
      ],
    })
    expect((await get('/auth/me', { token: known.token })).status).toBe(401)
  })

  it('may be machines, which have no password', async () => {
    const { password, ...machine } = { ...user, machine: true, employee_id: null, role: 'reloj' }
    expect(await errorsIn({ users: [{ ...machine, password }] })).toEqual([
      'users[0] (Itzel@Empresa.mx).password: needs at most one of password and password_hash; ' +
        'a machine has none',
    ])
    await importing({ users: [machine] })
    expect((await db.select().from(users))[0]).toMatchObject({ machine: true, password_hash: '' })
  })

  it('may exchange their employees in one file', async () => {
    const [one, two] = [await anEmployee(), await anEmployee()]
    const named = (email: string, employee_id: string | null) => ({ ...user, email, employee_id })
    await importing({
      users: [named('a@b.mx', one.employee_id), named('c@d.mx', two.employee_id)],
    })
    await importing({
      users: [named('a@b.mx', two.employee_id), named('c@d.mx', one.employee_id)],
    })
    const pairs = (await db.select().from(users)).map((row) => [row.email, row.employee_id])
    expect(pairs).toEqual([
      ['a@b.mx', two.employee_id],
      ['c@d.mx', one.employee_id],
    ])
  })
})

describe('an import file with errors', () => {
  const UNREADABLE = 'contains NUL or half a surrogate pair'
  const branches = (...rows: object[]) => ({ branches: rows.map((row) => ({ ...zone, ...row })) })
  const logs = (...rows: object[]) => ({
    employees: [employee],
    logs: rows.map((row) => ({ ...log, ...row })),
  })
  const users = (...rows: object[]) => ({
    employees: [employee],
    users: rows.map((row) => ({ ...user, ...row })),
  })

  it.each<[error: string | string[], content: unknown]>([
    ['the file: must be an object of lists', []],
    ['empleados: unknown field', { empleados: [] }],
    ['clients[0] (ÑANDÚ 01).id: unknown field', { clients: [{ ...client, id: 1 }] }],
    ['clients[0] (ÑANDÚ 01).name: is missing', { clients: [{ ...client, name: undefined }] }],
    ['clients[0].code: must not be blank', { clients: [{ ...client, code: ' ' }] }],
    [
      'branches[0].branch_office: must not be blank',
      { branches: [{ ...zone, branch_office: '' }] },
    ],
    [`config[0] (logo).valor: ${UNREADABLE}`, { config: [{ ...entry, valor: 'a\0' }] }],
    [`config[0] (logo).nombre: ${UNREADABLE}`, { config: [{ ...entry, nombre: '\ud800' }] }],
    [
      'modules[0] (checador).enabled: must be true or false',
      { modules: [{ ...module, enabled: 1 }] },
    ],
    [
      'employees[0] (007).started_at: must be a date, YYYY-MM-DD',
      { employees: [{ ...employee, started_at: '2025-02-29' }] },
    ],
    [
      'employees[0] (007).max_shift_hours: must be a whole number of hours, 1 to 36',
      { employees: [{ ...employee, max_shift_hours: 37 }] },
    ],
    [
      'branches[0] (Sur).time_zone: must be a time zone such as America/Tijuana',
      branches({ time_zone: 'America/Tijuna' }),
    ],
    [
      'branches[0] (Sur).valid_from: must be a date, YYYY-MM-DD',
      branches({ valid_from: '2026-02-30' }),
    ],
    [
      'branches[1] (Sur).valid_from: repeats branches[0]',
      branches({ valid_from: '2026-11-16' }, { valid_from: '2026-11-16' }),
    ],
    [
      'users[0] (Itzel@Empresa.mx).password: needs at most one of password and password_hash; a machine has none',
      users({ password_hash: BCRYPT }),
    ],
    [
      'users[0] (Itzel@Empresa.mx).password_hash: must be a bcrypt hash ($2y$, $2b$) of cost 4 to 13, ' +
        'or one of this service; else leave it out: the user comes without a password, and gets a link',
      users({ password: undefined, password_hash: 'md5' }),
    ],
    [
      'users[0] (Itzel@Empresa.mx).password_hash: must be a bcrypt hash ($2y$, $2b$) of cost 4 to 13, ' +
        'or one of this service; else leave it out: the user comes without a password, and gets a link',
      users({
        password: undefined,
        password_hash: `$pbkdf2-sha512$r=3,i=70000$AAAAA$${'A'.repeat(86)}`,
      }),
    ],
    [
      'users[0] (Itzel@Empresa.mx).password_hash: is bcrypt of cost 14, and at most 13 is taken, since a ' +
        'sign-in would take seconds: leave it out: the user comes without a password, and gets a link',
      users({ password: undefined, password_hash: BCRYPT.replace('$04$', '$14$') }),
    ],
    [
      'users[0] (Itzel@Empresa.mx).password_hash: is pbkdf2 of 600000 rounds in one call, and Workers ' +
        'take 100000: leave it out: the user comes without a password, and gets a link',
      users({
        password: undefined,
        password_hash: `$pbkdf2-sha512$600000$AAAAAAAAAAAAAAAAAAAAAA$${'A'.repeat(86)}`,
      }),
    ],
    [
      'users[1] (ITZEL@EMPRESA.MX).email: repeats users[0]',
      users({}, { email: 'ITZEL@EMPRESA.MX', employee_id: null }),
    ],
    ['users[0] (Itzel@Empresa.mx).employee_id: no such employee', { users: [user] }],
    [
      'logs[0] (41).recorded_at: must be ISO 8601 with an offset',
      logs({ recorded_at: '2026-11-02T08:00:00' }),
    ],
    ['logs[0] (0).log_id: must be a whole number, 1 or more', logs({ log_id: 0 })],
    ['logs[1] (41).log_id: repeats logs[0]', logs({}, {})],
    ['logs[0] (41).employee_id: no such employee', { logs: [log] }],
    [
      'employees[0] (007).employee_id: A new id has 1 to 50 visible characters, and no blanks before or after them.',
      { employees: [{ ...employee, employee_id: '007 ' }] },
    ],
    [
      'employees[1] (007).employee_id: repeats employees[0]',
      { employees: [employee, { ...employee, full_name: 'Otra' }] },
    ],
    // A code in different letter case is a different code.
    [
      'clients[1] (ÑANDÚ 01).code: repeats clients[0]',
      { clients: [client, { ...client, name: 'Otro' }, { ...client, code: 'ñandú 01' }] },
    ],
    // Every kind of error is reported in one round.
    [
      [
        'clients[2] (B).name: must be text',
        'clients[1] (ÑANDÚ 01).code: repeats clients[0]',
        'logs[0] (41).employee_id: no such employee',
      ],
      { clients: [client, client, { ...client, code: 'B', name: 5 }], logs: [log] },
    ],
    // A wrong employee is reported once, and not again in their logs and users.
    [
      'employees[0] (007).phone: must be text',
      { employees: [{ ...employee, phone: 55 }], users: [user], logs: [log] },
    ],
    [
      [
        'logs[0] (1000000000).log_id: must be below 1000000000, where the service numbers its own',
        'logs[1].source: must not have a colon or begin with "clock "',
        'logs[2].log_id: needs either log_id, or source and source_id',
        'logs[3] (41).log_id: needs either log_id, or source and source_id',
      ],
      logs(
        { log_id: 1_000_000_000 },
        { log_id: undefined, source: 'app:7', source_id: '1' },
        { log_id: undefined, source: 'reloj' },
        { source: 'reloj', source_id: '1' },
      ),
    ],
    [
      'config[0] (logo): is larger than a row of D1 (2 MB)',
      { config: [{ ...entry, valor: 'ñ'.repeat(1_000_001) }] },
    ],
    // Control characters could command a terminal.
    [
      'clients[0] (a�[31m).�[2J: unknown field',
      { clients: [{ ...client, code: 'a\u001b[31m', '\u001b[2J': 1 }] },
    ],
  ])('reports %j, and writes nothing', async (error, content) => {
    expect(await errorsIn(content)).toEqual([error].flat())
  })

  it('takes an unusual id that is stored, byte for byte', async () => {
    await anEmployee({ employee_id: '007 ' })
    await importing({ employees: [{ ...employee, employee_id: '007 ' }] })
    const stored = await db.select().from(employees)
    expect(stored).toMatchObject([{ employee_id: '007 ', full_name: employee.full_name }])
  })

  it('reports an employee of another user, and writes nothing', async () => {
    const { employee_id } = await anEmployee()
    await aUser({ employee_id })
    expect(await errorsIn({ users: [{ ...user, employee_id }] })).toEqual([
      'users[0] (Itzel@Empresa.mx).employee_id: another user already has this employee',
    ])
  })

  it('keeps a stored time that the file has otherwise, names it, and takes the other rows', async () => {
    await importing({ employees: [employee], logs: [log, { ...log, log_id: 42 }] })
    const corrected = { ...log, recorded_at: '2026-11-02T09:00:00-06:00', status: 'approved' }
    const decided = { ...log, log_id: 42, status: 'approved' }
    const added = { ...log, log_id: 43 }
    const result = await importing({ logs: [corrected, decided, added] }, { updatePending: true })
    expect(result).toMatchObject({
      imported: { logs: counts(1, 1, 1) },
      kept: [
        'logs[0] (41).recorded_at: 2026-11-02T15:00:00.000Z in the file, 2026-11-02T14:00:00.500Z here',
      ],
    })
    const stored = await db.select().from(attendance_logs)
    expect(stored.map(({ id, recorded_at, status }) => [id, recorded_at, status])).toEqual([
      [41, '2026-11-02T14:00:00.500Z', 'pending'],
      [42, '2026-11-02T14:00:00.500Z', 'approved'],
      [43, '2026-11-02T14:00:00.500Z', 'pending'],
    ])
  })

  it('reports a log that is stored with other facts', async () => {
    await importing({ employees: [employee], logs: [log] })
    const later = { ...log, kind: 'salida', recorded_at: '2026-11-02T09:00:00-06:00' }
    expect(await errorsIn({ logs: [later] })).toEqual([
      'logs[0] (41).kind: differs from the stored log',
    ])
  })

  it('is reported without any of its values', async () => {
    const secret = 's3cr3t0'
    const errors = await errorsIn({
      clients: [{ code: 5, name: [secret], status: secret, url_base: { [secret]: 1 } }],
      users: [{ ...user, password: secret, active: secret, role: 5 }],
      logs: [{ ...log, kind: secret, recorded_at: secret, status: secret }],
    })
    expect(errors.length).toBeGreaterThan(6)
    expect(errors.join()).not.toContain(secret)
  })
})

it('can be run again after an interruption', async () => {
  await hideTable('attendance_logs')
  await expect(importing(whole)).rejects.toThrow('no such table: attendance_logs')
  await env.DB.prepare('ALTER TABLE hidden_attendance_logs RENAME TO attendance_logs').run()
  await importing(whole)
  expect(await db.select().from(attendance_logs)).toHaveLength(1)
  expect((await login('una clave')).status).toBe(200)
})

it('imports more rows than fit in one statement', async () => {
  const many = Array.from({ length: 5000 }, (_, i) => ({ ...log, log_id: i + 1 }))
  await importing({ employees: [employee], logs: many })
  expect(await db.$count(attendance_logs)).toBe(5000)
})

it('imports into an empty database the demo data, the example of the guide', async () => {
  expect(await importing(demo, { dryRun: true })).not.toHaveProperty('errors')
})

describe('the final import', () => {
  const file = (...statuses: string[]) => ({
    employees: [employee],
    logs: statuses.map((status, i) => ({
      ...log,
      log_id: i + 1,
      recorded_at: `2026-11-0${i + 1}T08:00:00-06:00`,
      status,
    })),
  })

  const hashed = (password_hash: string) => ({ ...user, password: undefined, password_hash })
  const other = { email: 'otra@x.mx', employee_id: null }

  it('names each kept log whose status differs, and each user whose password does', async () => {
    await importing({
      ...file('pending', 'approved', 'pending'),
      users: [hashed(BCRYPT), { ...user, ...other }],
    })
    const later = {
      ...file('approved', 'approved', 'pending'),
      users: [hashed(BCRYPT.replace('$04$', '$05$')), { ...hashed(BCRYPT), ...other }],
    }
    const before = await dump()
    const result = await importing(later)
    expect(result).toMatchObject({
      imported: { logs: counts(0, 0, 3) },
      kept: [
        'logs[0] (1).status: approved in the file, pending here',
        'users[0] (Itzel@Empresa.mx).password_hash: differs; the stored one stays',
        'users[1] (otra@x.mx).password_hash: is older than a sign-in or a change here; the stored one stays',
      ],
    })
    expect(await dump()).toEqual(before)
    expect(await importing(later, { resetPasswords: true })).toMatchObject({
      kept: ['logs[0] (1).status: approved in the file, pending here'],
    })
  })

  it('takes over decisions on logs that are undecided here, as events of the import', async () => {
    await importing(file('pending', 'pending', 'pending', 'approved', 'pending'))
    const admin = await signInAdmin()
    for (const [log_id, status] of [
      [2, 'rejected'],
      [3, 'approved'],
      [3, 'pending'],
    ]) {
      expect((await admin.change({ log_id, status })).status).toBe(200)
    }
    const later = file('approved', 'approved', 'rejected', 'rejected', 'pending')
    const before = await dump()
    const expected = {
      imported: { logs: counts(0, 1, 4) },
      kept: [
        'logs[1] (2).status: approved in the file, rejected here',
        'logs[2] (3).status: rejected in the file, pending here',
        'logs[3] (4).status: rejected in the file, approved here',
      ],
    }
    expect(await importing(later, { updatePending: true, dryRun: true })).toMatchObject(expected)
    expect(await dump()).toEqual(before)

    expect(await importing(later, { updatePending: true })).toMatchObject(expected)

    const stored = await db.select().from(attendance_logs).orderBy(attendance_logs.id)
    const statuses = ['approved', 'rejected', 'pending', 'approved', 'pending']
    expect(stored.map(({ status }) => status)).toEqual(statuses)
    const [newest] = (await admin.get('/logs/1')).body.data.history
    expect(newest).toMatchObject({
      event: 'decided',
      from_status: 'pending',
      to_status: 'approved',
      user: { full_name: 'Importación' },
    })
    const events = await db.select().from(log_events)
    const importer = (await db.select().from(users)).find(({ role }) => role === 'import')
    expect(events.at(-1)).toMatchObject({ log_id: 1, actor: importer?.actor_hash })
    await seal()
    const evidence = (await get('/v2/audit/evidence', { token: admin.token })).text
    expect(await faultsOf(evidence)).toEqual([])
    const again = await importing(later, { updatePending: true })
    expect(again).toMatchObject({ imported: { logs: counts(0, 0, 5) } })
  })
})
