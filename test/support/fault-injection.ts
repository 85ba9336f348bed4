import { env } from 'cloudflare:workers'

/** A statement that the database refuses, wherever it stands in a batch. */
const BROKEN = 'INSERT INTO a_fault_was_injected_here VALUES (1)'

/**
 * The database, except that its n-th statement (from 0) fails: alone, or inside its batch. Says
 * whether it came to that.
 */
export const faultAt = (n: number) => {
  let count = 0
  let struck = false
  const prepare = (text: string): D1PreparedStatement => {
    if (count++ !== n) return env.DB.prepare(text)
    struck = true
    const broken = env.DB.prepare(BROKEN)
    // Whatever is bound to it is dropped: the fault must be the fault, not a wrong parameter count.
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
  return { DB, struck: () => struck }
}
