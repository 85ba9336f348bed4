import { env } from 'cloudflare:workers'

/** A statement that fails anywhere in a batch. */
const BROKEN = 'INSERT INTO a_fault_was_injected_here VALUES (1)'

/** A database whose n-th statement (from 0) fails, alone or in its batch; `failed()` once it has. */
export const failStatement = (n: number) => {
  let count = 0
  let failed = false
  const prepare = (text: string): D1PreparedStatement => {
    if (count++ !== n) return env.DB.prepare(text)
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
