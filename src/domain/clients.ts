import { findClient, findConfigEntry, listAppModules } from '../db/clients.ts'
import type { D1 } from '../db/query.ts'
import { Refused } from './errors.ts'

/** Active is exactly "activo" in any ASCII letter case; all else is inactive or blocked. */
const isActive = (status: string): boolean => /^activo$/i.test(status)

export const enabledModules = async (db: D1) => {
  const modules = await listAppModules(db)
  if (modules.length === 0) throw new Refused('NO_MODULES')
  return modules
}

export const activeClient = async (db: D1, code: string) => {
  const client = await findClient(db, code)
  if (!client) throw new Refused('CLIENT_NOT_FOUND')
  if (!isActive(client.status)) throw new Refused('CLIENT_INACTIVE')
  return client
}

export const configEntry = async (db: D1, key: string) => {
  const entry = await findConfigEntry(db, key)
  if (!entry) throw new Refused('CONFIG_NOT_FOUND')
  return entry
}
