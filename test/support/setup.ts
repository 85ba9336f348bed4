import './clock/workerd.ts'
import './derived-bits.ts'
import { afterEach, beforeEach } from 'vitest'
import { resetUsedDatabase } from './database.ts'
import { missingCodes } from './openapi.ts'

beforeEach(resetUsedDatabase)

afterEach(({ task }) => {
  task.meta.missingCodes = [...missingCodes]
  missingCodes.clear()
})

declare module 'vitest' {
  interface TaskMeta {
    /** Read by the CodesReporter. */
    missingCodes?: string[]
  }
}
