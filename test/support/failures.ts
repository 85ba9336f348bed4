import { expect } from 'vitest'
import { type DetailsOf, ERRORS, type ErrorCode, messageOfAny } from '../../src/core/errors.ts'

/** The contract's six endpoints, under any method. Their failures have only the contract's fields. */
const OF_CONTRACT =
  /^\/(auth\/(login|me)|v2\/(clients\/(modules_enabled|validate-code|config\/[^/]+)|incidents\/change_log_status))\/?$/

const ENVELOPE = ['success', 'message', 'data', 'errors']
const FIELDS = [...ENVELOPE, 'code', 'details', 'current']

/** These have one message for each log. */
const OF_LOGS = ['STATUS_MOVED', 'LOG_CLOSED']

/** The failure of a code without details, on any path but the contract's six. */
export const failureOf = <Code extends ErrorCode>(code: Code, details?: DetailsOf<Code>) => ({
  success: false,
  message: messageOfAny({ code, details }),
  data: null,
  code,
  ...(details !== undefined && { details }),
})

/**
 * Fails unless a failed answer has the fields of its kind in their order: the contract's six
 * endpoints no code, and all others the code of its status, with the details in its message.
 */
export const expectCode = (path: string, { status, text }: { status: number; text: string }) => {
  if (status < 400 || text === '') return
  const body = JSON.parse(text)
  const summary = `${path} returned ${status} with ${text}`
  const isOfContract = OF_CONTRACT.test(path)
  const allowed = isOfContract ? ENVELOPE : FIELDS
  expect(Object.keys(body), summary).toEqual(allowed.filter((name) => name in body))
  if (isOfContract) return
  const statuses: Record<string, number> = { INVALID_INPUT: 422 }
  for (const [code, entry] of Object.entries(ERRORS)) statuses[code] = entry.status
  expect([body.code, statuses[body.code]], summary).toEqual([body.code, status])
  if (!('details' in body) || OF_LOGS.includes(body.code)) return
  const texts = [body.message, ...Object.values(body.errors ?? {}).flat()]
  expect(texts, summary).toContain(messageOfAny(body))
}
