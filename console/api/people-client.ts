import type { ClientResponse } from 'hono/client'
import type { InstallationSettings, LogSource } from '../../sdk/api-types.ts'
import { api } from './api.ts'
import { sessionApi } from './client.ts'
import { signedIn } from './session.ts'

type Reply<Data> = Promise<ClientResponse<{ data: Data }, 200, 'json'>>

export interface UserRecord {
  id: number
  email: string
  first_name: string
  last_name: string
  mother_last_name: string
  role: string
  active: number
  machine: boolean
  employee_id: string | null
  scope_branches: string[] | null
  sources: string[] | null
  has_password: boolean
  invitation_expires_at: string | null
  version: number
}

export interface InvitationLink {
  url: string
  expires_at: string
}

export interface EmployeeInvitation extends InvitationLink {
  employee_id: string
  email: string
}

export interface InvitationCheck {
  full_name: string
  email: string
  expires_at: string
}

export interface UserFields {
  first_name: string
  last_name: string
  mother_last_name: string
  role: string
  machine: boolean
  employee_id: string | null
  scope_branches: string[] | null
  sources: string[] | null
}

export interface UsersQuery {
  q?: string | undefined
  role?: string | undefined
  active?: 'true' | 'false' | undefined
  cursor?: string | undefined
}

interface FieldChange {
  field: string
  before: unknown
  after: unknown
}

interface PeopleChange {
  id: number
  at: string
  user: { id: number; full_name: string } | null
  changes: FieldChange[]
}

interface IdParam {
  param: { id: string }
}

interface PeopleApi {
  users: {
    $get(input: { query: UsersQuery }): Reply<{ users: UserRecord[]; next_cursor: string | null }>
    $post(input: { json: UserFields & { email: string } }): Reply<{
      user: UserRecord
      invitation: InvitationLink | null
    }>
    ':id': {
      $get(input: IdParam): Reply<{ user: UserRecord }>
      $put(
        input: IdParam & { json: UserFields & { active: 0 | 1; expected_version: number } },
      ): Reply<{ user: UserRecord }>
      revoke: { $post(input: IdParam): Reply<null> }
      invitation: { $post(input: IdParam): Reply<InvitationLink> }
      token: { $post(input: IdParam): Reply<{ token: string }> }
    }
  }
  invitations: {
    $post(input: { json: { employee_ids: string[] } }): Reply<{
      invitations: EmployeeInvitation[]
    }>
  }
  changes: {
    $get(input: { query: { subject: string; subject_id: string; limit: number } }): Reply<{
      changes: PeopleChange[]
      next_after: number
    }>
  }
}

interface InvitationApi {
  $post(input: { json: { token: string; password: string } }): Reply<{ token: string }>
  check: { $post(input: { json: { token: string } }): Reply<InvitationCheck> }
}

interface SourcesApi {
  $get(input: { query: { retired?: 'true' } }): Reply<LogSource[]>
  ':source': {
    $put(input: {
      param: { source: string }
      json: { label: string | null; retired: boolean }
    }): Reply<unknown>
    problems: {
      ':id': {
        dismiss: {
          $post(input: {
            param: { source: string; id: string }
            json: { reason: string }
          }): Reply<null>
        }
      }
    }
  }
}

interface PeopleSettings {
  user: InstallationSettings['user'] & { may_keep_people: boolean; may_keep_users: boolean }
  roles: string[] | null
  machine_roles: string[] | null
}

export const sources = api.v2.incidents.sources as unknown as SourcesApi
export const people = api.v2.people as unknown as PeopleApi
export const invitationApi = (sessionApi.auth as unknown as { invitation: InvitationApi })
  .invitation
export const peopleSettings = () => signedIn() as InstallationSettings & PeopleSettings
