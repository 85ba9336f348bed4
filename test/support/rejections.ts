import { expect } from 'vitest'
import type { CallOptions } from './api.ts'
import { type REQUESTS, send } from './endpoints.ts'
import { failureOf } from './failures.ts'
import { failStatementsAfter } from './fault-injection.ts'
import { recordQueries } from './record-queries.ts'

/** The 401 and 403 of the contract's endpoints have no code. */
const CONTRACT_SHAPES: Record<string, (body: object & { message: string }) => object> = {
  '/auth/me': ({ message }) => ({ message }),
  '/v2/incidents/change_log_status': (body) => body,
}

const CODES = { 401: 'UNAUTHENTICATED', 403: 'FORBIDDEN' } as const

/**
 * Expects that a request is rejected after at most one statement, which identifies the caller. A
 * later statement would fail and cause a 500. `roundTrips` is 0 if no query identifies the caller.
 */
export const expectRejection = async (
  { name, endpoint, request }: (typeof REQUESTS)[number],
  options: CallOptions,
  { status, roundTrips = 1 }: { status: 401 | 403; roundTrips?: number },
) => {
  const { recording, DB } = recordQueries(failStatementsAfter(0).DB)
  const res = await send(endpoint, request, { ...options, env: { ...options.env, DB } })
  const { code, ...contract } = failureOf(CODES[status])
  expect
    .soft([res.status, res.body, res.headers.get('WWW-Authenticate'), recording.calls], name)
    .toEqual([
      status,
      CONTRACT_SHAPES[endpoint.route]?.(contract) ?? { ...contract, code },
      status === 401 ? 'Bearer' : null,
      roundTrips,
    ])
}
