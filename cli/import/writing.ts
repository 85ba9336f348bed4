import { setTimeout as sleep } from 'node:timers/promises'
import type { D1 } from '../../src/core/db/query.ts'
import type { Settings } from '../../src/core/http/settings.ts'
import { emailKey } from '../../src/core/values/email.ts'
import type { RoleSettings } from '../../src/session/can.ts'
import { inChunks } from '../core/chunks.ts'
import { groupsOf } from './employees.ts'
import {
  type differentStatuses,
  type ImportedUser,
  type ImportFile,
  type ListName,
  logKey,
  rowsOf,
  type StoredLog,
  type StoredUsers,
} from './file.ts'
import { type Comparison, decideLogs, insertLogs, LIST_WRITERS } from './queries.ts'
import { compareUser, hashPasswords, writeUsers } from './users.ts'
import {
  countOf,
  NONE,
  sum,
  writeCompany,
  writeEmployeeRows,
  writeGroupRows,
  writeZoneRows,
} from './writers.ts'

export interface Options {
  /** Overwrites the passwords of existing users, and ends their tokens. */
  resetPasswords?: boolean
  /** Applies the file's decisions to pending logs that nobody has decided in this service. */
  updatePending?: boolean
  /** Compares the file with the database, and writes nothing. */
  dryRun?: boolean
  /** Without settings, the checks that need them are skipped. */
  settings?: Pick<Settings, 'DB_LIMIT_MB'> & RoleSettings
  onProgress?: (done: number, total: number) => void
}

/** What of the database the file is compared with. */
export interface Stored {
  logs: ReadonlyMap<string, StoredLog>
  users: StoredUsers
  /** The email_keys of the administrators before the import. */
  administrators: readonly string[]
}

type Difference = ReturnType<typeof differentStatuses>[number]

/** The pause after each write, in which a running service can use the local database. */
const PAUSE_MS = 5

/** Writes the lists of a file in chunks, and reports the progress. */
export class Writing {
  readonly #db: D1
  readonly #file: ImportFile
  readonly #options: Options
  readonly #dryRun: boolean
  readonly #total: number
  #done = 0

  constructor(db: D1, file: ImportFile, options: Options) {
    this.#db = db
    this.#file = file
    this.#options = options
    this.#dryRun = options.dryRun ?? false
    // Each user counts twice, for hashing the password and for writing the row.
    this.#total = [...Object.values(file), file.users].reduce((sum, { length }) => sum + length, 0)
  }

  readonly #advance = (count: number): void => {
    this.#done += count
    this.#options.onProgress?.(this.#done, this.#total)
  }

  /** Handles rows in chunks, and returns the sum of what each chunk counts. */
  async #inTurn<Row>(
    rows: readonly Row[],
    handle: (json: string, chunk: Row[]) => Promise<Comparison>,
  ): Promise<Comparison> {
    let compared = NONE
    for (const { json, rows: chunk } of inChunks(rows)) {
      compared = sum(compared, await handle(json, chunk))
      this.#advance(chunk.length)
      await sleep(PAUSE_MS)
    }
    return compared
  }

  #writeList(name: keyof typeof LIST_WRITERS): Promise<Comparison> {
    const { compare, write } = LIST_WRITERS[name]
    return this.#inTurn(rowsOf<unknown>(this.#file[name]), async (json) => {
      const compared = await compare(this.#db, json)
      if (!this.#dryRun) await write(this.#db, json)
      return compared
    })
  }

  async #writePeople(
    stored: Stored,
    roles: RoleSettings,
    clearsPassword: (user: ImportedUser) => boolean,
  ): Promise<Comparison> {
    const people = rowsOf(this.#file.users)
    const { resetPasswords = false } = this.#options
    const storedOf = ({ email }: ImportedUser) => stored.users.get(emailKey(email))
    if (this.#dryRun) this.#advance(2 * people.length)
    else {
      const keeps = (user: ImportedUser) => !resetPasswords && storedOf(user) !== undefined
      const hashed = await hashPasswords(people, keeps, this.#advance)
      const writing = { settings: roles, resetPasswords, clearsPassword, advance: this.#advance }
      await writeUsers(this.#db, hashed, writing)
    }
    return countOf(people.map((user) => compareUser(user, storedOf(user), { resetPasswords })))
  }

  async #writeLogs(stored: Stored, decided: readonly Difference[]): Promise<Comparison> {
    const logs = rowsOf(this.#file.logs).filter((row) => !stored.logs.has(logKey(row)))
    const kept = this.#file.logs.length - logs.length - decided.length
    this.#advance(kept)
    const decisions = decided.map(({ log, status }) => ({ id: log.id, status }))
    await this.#inTurn(decisions, async (json) => {
      if (!this.#dryRun) await decideLogs(this.#db, json, new Date())
      return NONE
    })
    await this.#inTurn(logs, async (json) => {
      if (!this.#dryRun) await insertLogs(this.#db, json, new Date())
      return NONE
    })
    return { created: logs.length, changed: decided.length, kept }
  }

  /** Writes all lists. What refers to others comes after them. */
  async writeAll(
    stored: Stored,
    roles: RoleSettings,
    {
      clearsPassword,
      decided,
    }: { clearsPassword: (user: ImportedUser) => boolean; decided: readonly Difference[] },
  ): Promise<Record<ListName, Comparison>> {
    const [db, file] = [this.#db, this.#file]
    const options = { dryRun: this.#dryRun }
    return {
      clients: await this.#writeList('clients'),
      modules: await this.#writeList('modules'),
      config: await this.#writeList('config'),
      company: await this.#inTurn(rowsOf(file.company), () => writeCompany(db, file, options)),
      branches: await this.#inTurn(file.branches, (_, rows) => writeZoneRows(db, rows, options)),
      payroll_groups: await this.#inTurn(rowsOf(file.payroll_groups), (_, rows) =>
        writeGroupRows(db, rows, options),
      ),
      employees: await this.#inTurn(rowsOf(file.employees), (_, rows) =>
        writeEmployeeRows(db, rows, { ...options, newGroups: groupsOf(file) }),
      ),
      users: await this.#writePeople(stored, roles, clearsPassword),
      logs: await this.#writeLogs(stored, decided),
    }
  }
}
