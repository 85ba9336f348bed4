import { expect } from 'vitest'
import { type CallOptions, failure } from './api.ts'
import { type REQUESTS, send } from './endpoints.ts'
import { failStatementsAfter } from './fault-injection.ts'
import { recordQueries } from './record-queries.ts'

const MESSAGES = {
  401: 'No autenticado.',
  403: 'No tienes permiso para realizar esta acción.',
} as const

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
  const message = MESSAGES[status]
  expect
    .soft([res.status, res.body, res.headers.get('WWW-Authenticate'), recording.calls], name)
    .toEqual([
      status,
      endpoint.route === '/auth/me' ? { message } : failure(message),
      status === 401 ? 'Bearer' : null,
      roundTrips,
    ])
}
