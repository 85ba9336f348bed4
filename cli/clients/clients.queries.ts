import type { D1 } from '../../src/core/db/query.ts'
import { readRows } from '../core/rows.ts'

export const listClients = (db: D1) =>
  readRows(db, 'SELECT code, name, status, url_base FROM clients ORDER BY code')

/** Returns false if there is no such client. */
export const setClientStatus = async (db: D1, code: string, status: string): Promise<boolean> => {
  const text = 'UPDATE clients SET status = ?2 WHERE code = ?1 RETURNING id'
  return (await readRows(db, text, code, status)).length > 0
}

export const listConfig = (db: D1) =>
  readRows(db, 'SELECT key, tipo, nombre, valor FROM config_entries ORDER BY key')
