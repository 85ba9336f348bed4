import { env } from 'cloudflare:workers'
import { UnreadableFile } from '../../sdk/evidence/unreadable.ts'
import { type VerifyOptions, verifyEvidence } from '../../sdk/evidence/verify.ts'
import { signInAdmin } from './admin.ts'
import { aLog, anEmployee, aUser } from './factories.ts'

async function* linesFrom(text: string): AsyncGenerator<string> {
  const lines = text.split('\n')
  yield* text.endsWith('\n') ? lines.slice(0, -1) : lines
}

/** A file for `verifyEvidence` to compare with the evidence. */
export const namedFile = (name: string, text: string) => ({ name, lines: linesFrom(text) })

export const keptCheckpoint = (name: string, text: string) => ({ name, text })

export const verifyText = (text: string, options: VerifyOptions = {}) =>
  verifyEvidence(linesFrom(text), options)

/** Returns the texts of a file's faults. If the file cannot be read, returns only the reason. */
export const faultsOf = (text: string, options: VerifyOptions = {}): Promise<string[]> =>
  verifyText(text, options).then(
    ({ faults }) => faults.texts,
    (error: unknown) => {
      if (error instanceof UnreadableFile) return [error.message]
      throw error
    },
  )

/** Drops all triggers, as an attacker with access to the database could. */
export const dropTriggers = async (): Promise<void> => {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'trigger'",
  ).all<{ name: string }>()
  await env.DB.batch(results.map(({ name }) => env.DB.prepare(`DROP TRIGGER ${name}`)))
}

/** Creates three logs, approves one with a comment, and rejects one. These are events 1 to 5. */
export const anAdminWithDecisions = async () => {
  const admin = await signInAdmin()
  await aUser()
  const { employee_id } = await anEmployee({ employee_id: 'E-ana' })
  for (const id of [1, 2, 3]) await aLog({ id, employee_id })
  await admin.change({ log_id: 1, status: 'approved', comment: 'Llegó puntual. ñ 🙂' })
  await admin.change({ log_id: 2, status: 'rejected' })
  return admin
}
