import { env } from 'cloudflare:workers'

/** A statement that fails anywhere in a batch. */
const BROKEN = 'INSERT INTO a_fault_was_injected_here VALUES (1)'

/** A database on which some statements fail, alone or in their batch; `failed()` once one has. */
const failWhere = (fails: (index: number) => boolean) => {
  let count = 0
  let failed = false
  const prepare = (text: string): D1PreparedStatement => {
    if (!fails(count++)) return env.DB.prepare(text)
    failed = true
    const broken = env.DB.prepare(BROKEN)
    // Bound values are dropped, so that it fails by itself and not by a wrong parameter count.
    return Object.assign(Object.create(broken), {
      bind: () => broken,
      run: () => broken.run(),
      all: () => broken.all(),
      raw: () => broken.raw(),
      first: () => broken.first(),
    })
  }
  const batch = <T>(statements: D1PreparedStatement[]) => env.DB.batch<T>(statements)
  const session = { prepare, batch }
  const DB = { ...session, withSession: () => session } as unknown as D1Database
  return { DB, failed: () => failed }
}

/** Only the n-th statement of the request fails, counted from 0. */
export const failStatement = (n: number) => failWhere((index) => index === n)

/** Every statement after the n-th fails. */
export const failStatementsAfter = (n: number) => failWhere((index) => index > n)
