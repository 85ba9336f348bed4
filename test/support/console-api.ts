import {
  type ClosingBody,
  createClient,
  dataOf,
  type EmployeeBody,
  type LogRow,
  type UserBody,
} from '../../sdk/api-client.ts'
import { restDayOf } from '../../src/payroll/hours/rest-days.ts'

/** The demo's second administrator. */
export const OTHER_ADMIN = 'maria.hernandez@demo.mx'

const NEW_EMPLOYEE = {
  rfc: '',
  phone: '',
  cellphone: '',
  started_at: '2020-01-01',
  job_position: '',
  department: '',
  branch_office: 'Centro',
  profile_image: '',
  payroll_group: '',
  ended_at: null,
  paid_from: null,
}

/** The API requests that the tests of the console need, sent by the console's typed client. */
export const createApiClient = async (api: string, email: string, password: string) => {
  let token: string | undefined
  const client = createClient(new URL(api).origin, { token: () => token })
  const signedIn = await dataOf(client.auth.login.$post({ json: { email, password } }))
  token = signedIn.token
  const { incidents, people, agreements } = client.v2

  const userOf = async (userEmail: string) => {
    const { users } = await dataOf(people.users.$get({ query: { q: userEmail } }))
    const user = users.find((one) => one.email === userEmail)
    if (!user) throw new Error(`There is no user ${userEmail}.`)
    return user
  }

  /** Changes some fields of an employee, and leaves the others as they are. */
  const changeEmployee = async (employee_id: string, fields: Partial<EmployeeBody>) => {
    const own = people.employees[':employee_id']
    const { employee } = await dataOf(own.$get({ param: { employee_id } }))
    const { employee_id: _, version: expected_version, user, ...stored } = employee
    const json = { ...stored, ...fields, expected_version }
    await dataOf(own.$put({ param: { employee_id }, json }))
  }
  const close = (json: ClosingBody) => dataOf(incidents.closings.$post({ json }))

  return {
    token,
    /** Changes some fields of a user, and leaves the others as they are. */
    changeUser: async (userEmail: string, fields: Partial<UserBody>) => {
      const { id, version: expected_version, ...user } = await userOf(userEmail)
      const { has_password, password_through, invitation_expires_at, ...stored } = user
      const active = stored.active === 1 ? 1 : 0
      const json = { ...stored, active, ...fields, expected_version } as const
      await dataOf(people.users[':id'].$put({ param: { id: String(id) }, json }))
    },
    changeEmployee,
    addEmployee: (employee_id: string, full_name: string) => {
      const json = { ...NEW_EMPLOYEE, full_name, expected_version: 0 }
      return dataOf(people.employees[':employee_id'].$put({ param: { employee_id }, json }))
    },
    /** Makes a token for a machine. */
    machineToken: async (userEmail: string): Promise<string> => {
      const { id } = await userOf(userEmail)
      return (await dataOf(people.users[':id'].token.$post({ param: { id: String(id) } }))).token
    },
    labelSource: (source: string, label: string) =>
      dataOf(
        incidents.sources[':source'].$put({ param: { source }, json: { label, retired: false } }),
      ),
    people,
    clocks: incidents.clocks,
    agreements,
    /** Records logs of one employee as a clock does, and returns their ids in order. */
    record: async (
      employee_id: string,
      logs: { kind: LogRow['kind']; at: string }[],
      source = 'reloj-prueba',
    ): Promise<number[]> => {
      const ids: number[] = []
      for (let start = 0; start < logs.length; start += 100) {
        const items = logs.slice(start, start + 100).map(({ kind, at }) => ({
          source_id: `${employee_id} ${kind} ${at}`,
          employee_id,
          kind,
          recorded_at: at,
        }))
        const json = { source, logs: items }
        for (const { log_id, result } of await dataOf(incidents.logs.$post({ json }))) {
          if (log_id === null) throw new Error(`A log was not recorded: ${result}`)
          ids.push(log_id)
        }
      }
      return ids
    },
    change: (log_ids: number[], status: LogRow['status'], comment?: string) =>
      dataOf(
        incidents.change_logs_status.$post({
          json: { log_ids, status, comment: comment ?? null },
        }),
      ),
    /** Reads the ids of an employee's pending logs from every source, the oldest first. */
    pendingOf: async (employee_id: string): Promise<number[]> => {
      const query = { employee_id, status: 'pending' as const }
      const { logs } = await dataOf(incidents.logs.$get({ query }))
      return logs.map(({ log_id }) => log_id)
    },
    /** Returns a person's logs of a local day, the oldest first. */
    logsOf: async (employee_id: string, day: string) => {
      const query = { employee_id, from: day, to: day }
      return (await dataOf(incidents.logs.$get({ query }))).logs
    },
    read: (log_id: number) =>
      dataOf(incidents.logs[':log_id'].$get({ param: { log_id }, query: {} })),
    count: async (query: { employee_id?: string; kind?: LogRow['kind'] }) =>
      (await dataOf(incidents.logs.summary.$get({ query }))).total,
    addByHand: (employee_id: string, kind: LogRow['kind'], recorded_at: string) => {
      const comment = 'Olvidó checar.'
      const json = { client_id: crypto.randomUUID(), employee_id, kind, recorded_at, comment }
      return dataOf(incidents.manual_logs.$post({ json }))
    },
    /** Asks for a log of the signed-in user's employee. */
    ask: (kind: 'entrada' | 'salida', recorded_at: string, comment: string) => {
      const json = { client_id: crypto.randomUUID(), kind, recorded_at, comment }
      return dataOf(incidents.my_requests.$post({ json }))
    },
    close,
    /** Sets the zone of a branch, or of the company if it is null. */
    nameCompany: async (name: string) => {
      const { version: expected_version } = await dataOf(client.v2.company.$get())
      return dataOf(client.v2.company.$put({ json: { name, expected_version } }))
    },
    setZone: (branch_office: string | null, time_zone: string, from: string | null = null) => {
      const rule = { branch_office, time_zone, valid_from: from }
      return dataOf(client.v2.company.zones.$post({ json: rule }))
    },
    /** Sets the first day that the service pays the group General. */
    paysFrom: async (pays_from: string) => {
      const { groups } = await dataOf(incidents.payroll_groups.$get({ query: {} }))
      const group = groups.find(({ payroll_group }) => payroll_group === '')
      if (!group) throw new Error('There is no group General.')
      const { payroll_group, calendar, version: expected_version } = group
      const json = { payroll_group, calendar, pays_from, expected_version }
      await dataOf(incidents.payroll_groups.$put({ json }))
    },
    /** Adds a payroll group without a first day. */
    addGroup: (payroll_group: string, calendar = 'month') => {
      const group = { payroll_group, calendar, pays_from: null }
      return dataOf(incidents.payroll_groups.$put({ json: { ...group, expected_version: 0 } }))
    },
    /** Closes one person's days from a first day on, with any log pending. */
    closeFrom: async (paid_from: string, closing: { employee_id: string; before: string }) => {
      await changeEmployee(closing.employee_id, { paid_from })
      return close({ ...closing, payroll_group: null, leave_pending: true })
    },
    /** Signs the user's own lines of a closing. A comment makes the signature an objection. */
    sign: async (id: number, comment?: string) => {
      const own = incidents.my_closings[':id']
      const { hash } = await dataOf(own.$get({ param: { id } }))
      const words = { agrees: comment === undefined, comment: comment ?? null }
      return dataOf(own.sign.$post({ param: { id }, json: { hash, password, ...words } }))
    },
    endSessions: () => dataOf(client.auth.logout_all.$post()),
    isSignedIn: async (other: string): Promise<boolean> => {
      const headers = { Authorization: `Bearer ${other}` }
      return (await fetch(`${api}/auth/me`, { headers })).ok
    },
  }
}

export type ApiClient = Awaited<ReturnType<typeof createApiClient>>

/** The demo's branches are six hours behind UTC. */
const ZONE_MS = 6 * 3_600_000

/** A UTC time on a recent day: `daysAgo(3, '14:00')` is 08:00 in the demo's zone three days ago. */
export const daysAgo = (days: number, time: string): string => {
  const day = new Date(Date.now() - ZONE_MS - days * 86_400_000).toISOString().slice(0, 10)
  return `${day}T${time}:00.000Z`
}

/** The date in the demo's zone, a number of days ago. */
export const dateDaysAgo = (days: number): string => daysAgo(days, '00:00').slice(0, 10)

/** What the pages say about a day without logs, a number of days ago. */
export const emptyDayText = (days: number): string => {
  const holiday = restDayOf(dateDaysAgo(days))
  return holiday ? `Descanso obligatorio: ${holiday}` : 'Sin checadas'
}

/** The two logs of a recent day, for `record`. They are nine hours apart unless times are given. */
export const aWorkDay = (days: number, start = '14:00', end = '23:00') => [
  { kind: 'entrada' as const, at: daysAgo(days, start) },
  { kind: 'salida' as const, at: daysAgo(days, end) },
]

/** Records an entrada at 08:00 on each day, and a salida at 17:00 except on days in `lacking`. */
export const recordDays = (
  client: ApiClient,
  employee_id: string,
  days: number[],
  lacking: number[] = [],
) =>
  client.record(
    employee_id,
    days.flatMap((day) => aWorkDay(day).slice(0, lacking.includes(day) ? 1 : 2)),
  )

/** Closes a day of Sofía Castañeda, who objects to it in these words. Returns the closing's id. */
export const recordObjection = async (client: ApiClient, worker: ApiClient, words: string) => {
  await client.change(await client.record('E-007', aWorkDay(20)), 'approved')
  const whom = { employee_id: 'E-007', before: dateDaysAgo(15) }
  const { id } = await client.closeFrom(dateDaysAgo(25), whom)
  await worker.sign(id, words)
  return id
}

/** The first `count` minutes from 14:00 UTC on, on a recent day. */
export const recentMoments = (days: number, count: number): string[] => {
  const start = Date.parse(daysAgo(days, '14:00'))
  return Array.from({ length: count }, (_, i) => new Date(start + i * 60_000).toISOString())
}
