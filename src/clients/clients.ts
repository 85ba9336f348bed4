import type { D1 } from '../core/db/query.ts'
import { DomainError } from '../core/errors.ts'
import { findClient, findConfigEntry, listAppModules } from './clients.queries.ts'

/** Every status except "activo" means that the client is inactive or blocked. */
const isActive = (status: string): boolean => /^activo$/i.test(status)

export const listEnabledModules = async (db: D1) => {
  const modules = await listAppModules(db)
  if (modules.length === 0) throw new DomainError('NO_MODULES')
  return modules
}

export const findActiveClient = async (db: D1, code: string) => {
  const client = await findClient(db, code)
  if (!client) throw new DomainError('CLIENT_NOT_FOUND')
  if (!isActive(client.status)) throw new DomainError('CLIENT_INACTIVE')
  return client
}

export const getConfigEntry = async (db: D1, key: string) => {
  const entry = await findConfigEntry(db, key)
  if (!entry) throw new DomainError('CONFIG_NOT_FOUND')
  return entry
}
