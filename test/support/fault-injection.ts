import { env } from 'cloudflare:workers'

const MISSING_TABLE = 'a_fault_was_injected_here'

/** A statement that fails anywhere in a batch. */
const BROKEN = `INSERT INTO ${MISSING_TABLE} VALUES (1)`

/**
 * A database on which some statements fail, alone or in their batch; `failed()` once one has. One after
 * a statement that raises never runs.
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
    const broken = env.DB.prepare(BROKEN)
    const watched: D1PreparedStatement = Object.assign(Object.create(broken), {
      // Bound values are dropped, so that it fails by itself and not by a wrong parameter count.
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

/** Every statement after the n-th fails. */
export const failStatementsAfter = (n: number) => failWhere((index) => index > n)
