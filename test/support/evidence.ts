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

/**
 * The files in which tests flip single bits, and a pattern for the unsigned parts. The time of the
 * export and the times of seals are unsigned. In a file of people, the file's period and the number
 * and count of a seal are unsigned too.
 */
export const ATTACKED_FILES = [
  { name: 'the whole file', query: '', unsigned: /"(exported_at|at)":"[^"]+"/g },
  {
    name: 'a file of one person',
    query: 'employee_id=E-ana&from=2026-11-01&to=2026-11-30&comments=true',
    unsigned: /"(exported_at|at|from|before|count|seal)":"?[^",}]+"?/g,
  },
]

/**
 * Flips a bit in every `step`-th byte that is signed. Returns the text around each flip that the
 * verifier does not notice.
 */
export const acceptedFlips = async (
  text: string,
  unsigned: RegExp,
  step: number,
): Promise<string[]> => {
  const bytes = new TextEncoder().encode(text)
  const ranges = [...text.matchAll(unsigned)]
    .filter(([match]) => !match.includes('\\'))
    .map(({ index, 0: match }) => [index, index + match.length] as const)
  const offset = new Map<number, number>()
  let byte = 0
  for (let i = 0; i < text.length; i++) {
    offset.set(byte, i)
    byte += new TextEncoder().encode(text[i]).length
  }
  const accepted: string[] = []
  for (let i = 0; i < bytes.length; i += step) {
    const flipped = bytes.slice()
    flipped[i] = (flipped[i] ?? 0) ^ 1
    const place = offset.get(i) ?? -1
    if (ranges.some(([start, end]) => place >= start && place < end)) continue
    const faults = await faultsOf(new TextDecoder().decode(flipped)).catch(() => ['unreadable'])
    if (faults.length === 0) accepted.push(text.slice(Math.max(0, place - 20), place + 20))
  }
  return accepted
}
