import { type CallOptions, call } from './api.ts'

/** Paths, records and functions for tests of employees and users. */

export const PEOPLE_PATH = '/v2/people/employees'
export const USERS_PATH = '/v2/people/users'
export const INVITATIONS_PATH = '/v2/people/invitations'
/** The roles that an installation names for clocks, payroll and human resources. */
export const ROLE_SETTINGS = { INTAKE_ROLES: 'reloj', PAYROLL_ROLES: 'nomina', PEOPLE_ROLES: 'rh' }

export const EMPLOYEE = {
  full_name: 'Luis Mendoza Peña',
  rfc: 'MEPL900115QX3',
  phone: '',
  cellphone: '',
  started_at: '2026-10-01',
  job_position: 'Almacenista',
  department: 'Almacén',
  branch_office: 'Norte',
  profile_image: '',
  payroll_group: '',
  ended_at: null as string | null,
  paid_from: null as string | null,
}

export const USER_NAMES = { first_name: 'Luis', last_name: 'Mendoza', mother_last_name: 'Peña' }
/** The access of a user who is a person and sees all branches and sources. */
export const USER_ACCESS = {
  machine: false,
  employee_id: null,
  scope_branches: null,
  sources: null,
}

export type Caller = (method: string, path: string, body?: unknown) => ReturnType<typeof call>

/** Returns a function that sends requests with a token, to an installation with these settings. */
export const as =
  (token: string, env: CallOptions['env'] = ROLE_SETTINGS): Caller =>
  (method, path, body) =>
    call(method, path, { body, token, env })

export interface PeopleChange {
  subject_id: string
  user: { id: number } | null
  changes: { field: string; before: unknown; after: unknown }[]
}

/** The recorded changes that a caller sees, the oldest first. */
export const changesOf = async (
  caller: Caller,
  subject: 'employee' | 'user' = 'employee',
  subject_id?: number | string,
): Promise<PeopleChange[]> => {
  const query = new URLSearchParams({ subject, ...(subject_id && { subject_id: `${subject_id}` }) })
  return (await caller('GET', `/v2/people/changes?${query}`)).body.data.changes
}

/** The token of an invitation's link. */
export const tokenOf = (url: string): string => url.split('/').at(-1) ?? ''
