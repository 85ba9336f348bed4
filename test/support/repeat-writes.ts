import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { isUnused } from './database.ts'

type Method = 'run' | 'all' | 'raw' | 'first'
const METHODS: readonly PropertyKey[] = ['run', 'all', 'raw', 'first'] satisfies Method[]

/** Runs `write` and returns its result and every statement that it ran, in their order. */
const recordStatements = async <Result>(write: () => Promise<Result>) => {
  const statements: D1PreparedStatement[] = []
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>()
  const { prepare, batch } = env.DB
  const recorded = (statement: D1PreparedStatement): D1PreparedStatement => {
    const proxy = new Proxy(statement, {
      get: (target, name) => {
        if (name === 'bind') return (...values: unknown[]) => recorded(target.bind(...values))
        const value = Reflect.get(target, name)
        if (!METHODS.includes(name)) return value
        return (...values: unknown[]) => {
          statements.push(target)
          return value.apply(target, values)
        }
      },
    })
    originals.set(proxy, statement)
    return proxy
  }
  Object.assign(env.DB, {
    prepare: (text: string) => recorded(prepare.call(env.DB, text)),
    batch: (given: D1PreparedStatement[]) => {
      const own = given.map((statement) => originals.get(statement) ?? statement)
      statements.push(...own)
      return batch.call(env.DB, own)
    },
  })
  try {
    return { result: await write(), statements }
  } finally {
    Object.assign(env.DB, { prepare, batch })
  }
}

/**
 * Returns a function that calls `write`. In unused databases, later calls of the same test file with
 * the same arguments run the statements of the first call again, in one batch, which is faster.
 */
export const repeatWrites = <Values extends unknown[], Result>(
  write: (...values: Values) => Promise<Result>,
) => {
  const recordings = new Map<string, { result: Result; statements: D1PreparedStatement[] }>()
  return async (...values: Values): Promise<Result> => {
    if (!isUnused()) return write(...values)
    // The clock of another file may differ.
    const key = JSON.stringify([expect.getState().testPath, values])
    const known = recordings.get(key)
    if (known) {
      await env.DB.batch(known.statements)
      return known.result
    }
    const recording = await recordStatements(() => write(...values))
    recordings.set(key, recording)
    return recording.result
  }
}
