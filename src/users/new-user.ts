import {
  changesOf,
  type FieldChange,
  type PeopleChange,
} from '../core/db/people-changes.queries.ts'
import { emailKey } from '../core/values/email.ts'
import { EMPLOYEE_ROLE } from '../session/can.ts'
import { createActor } from './actor.ts'
import { createInvitation } from './invitations.ts'
import { type LegacyFields, USER_FIELDS, type UserRecord } from './users.queries.ts'

/**
 * Makes a link for a user, and the change to record. The link opens the page that the user works
 * with.
 * @param others changes that are recorded with the new link
 */
export const newLink = (
  { email_key, role }: { email_key: string; role: string },
  { origin, now }: { origin: string; now: Date },
  others: readonly FieldChange[] = [],
) => {
  const page = `${origin}/${role === EMPLOYEE_ROLE ? 'mi' : 'revision'}/`
  const { link, invitation } = createInvitation(email_key, page, now)
  const changes = [...others, { field: 'invitation', before: null, after: link.expires_at }]
  return { link, invitation, change: { subject: 'user', email_key, changes } as PeopleChange }
}

/** A record as callers give it. Fields of the legacy API that are left out stay as they are. */
export type GivenRecord = UserRecord & Partial<LegacyFields>

export type NewRecord = GivenRecord & { email: string }

const NEW_LEGACY: LegacyFields = { external: 0, type_user: 'interno', status_user: 'activo' }

/** A user without a password, and the fields for the record of changes. */
export const newUser = ({ email, ...given }: NewRecord) => {
  const record = { ...NEW_LEGACY, ...given }
  const givenFields = USER_FIELDS.filter((field) => field in given)
  const address = email.trim()
  const email_key = emailKey(address)
  return {
    user: { email: address, email_key, ...createActor(email_key), ...record },
    changes: [
      { field: 'email', before: null, after: address },
      ...changesOf(givenFields, record, undefined),
    ],
  }
}
