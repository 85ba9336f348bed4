import { env } from 'cloudflare:workers'

const MISSING_TABLE = 'a_fault_was_injected_here'

const FAILING_STATEMENT = `INSERT INTO ${MISSING_TABLE} VALUES (1)`

/**
 * A database on which the chosen statements fail, also within a batch. `failed()` tells whether any
 * of them has failed. If a statement of a batch raises an error, the later statements of the batch
 * never run, so they do not fail.
 */
const failWhere = (fails: (index: number) => boolean) => {
  let count = 0
  let failed = false
  const brokenOf = new Map<D1PreparedStatement, D1PreparedStatement>()
  const watch = async <Out>(running: Promise<Out>): Promise<Out> => {
    try {
      return await running
    } catch (error) {
      failed ||= String(error).includes(MISSING_TABLE)
      throw error
    }
  }
  const prepare = (text: string): D1PreparedStatement => {
    if (!fails(count++)) return env.DB.prepare(text)
    const broken = env.DB.prepare(FAILING_STATEMENT)
    const watched: D1PreparedStatement = Object.assign(Object.create(broken), {
      // Bound values are dropped, since a wrong number of them would be a different error.
      bind: () => watched,
      run: () => watch(broken.run()),
      all: () => watch(broken.all()),
      raw: () => watch(broken.raw()),
      first: () => watch(broken.first()),
    })
    brokenOf.set(watched, broken)
    return watched
  }
  const batch = <T>(statements: D1PreparedStatement[]) =>
    watch(env.DB.batch<T>(statements.map((statement) => brokenOf.get(statement) ?? statement)))
  const session = { prepare, batch }
  const DB = { ...session, withSession: () => session } as unknown as D1Database
  return { DB, failed: () => failed }
}

/** Only the n-th statement of the request fails, counted from 0. */
export const failStatement = (n: number) => failWhere((index) => index === n)

/** Every statement of the request after the n-th fails, counted from 0. */
export const failStatementsAfter = (n: number) => failWhere((index) => index > n)

export const actBeforeBatches = (act: () => Promise<unknown>): D1Database => {
  const batch = async <T>(statements: D1PreparedStatement[]) => {
    await act()
    return env.DB.batch<T>(statements)
  }
  const session = { prepare: env.DB.prepare.bind(env.DB), batch }
  return { ...session, withSession: () => session } as unknown as D1Database
}

/** A database that waits for `act` before one of its batches. The first batch is number 1. */
export const actBeforeBatch = (batchNumber: number, act: () => Promise<unknown>): D1Database => {
  let count = 0
  return actBeforeBatches(async () => {
    if (++count === batchNumber) await act()
  })
}
