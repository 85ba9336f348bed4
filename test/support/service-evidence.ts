import { expect } from 'vitest'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { createApiClient } from './console-api.ts'
import type { Service } from './server.ts'

/**
 * Signs in the demo's administrator. Returns functions that send requests. Each one except `decide`
 * expects the status 200.
 */
export const signInToService = async ({ api }: Service) => {
  const { token } = await createApiClient(api, DEMO_ADMIN, DEMO_PASSWORD)
  const headers = { Authorization: `Bearer ${token}` }
  const text = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${api}${path}`, { headers, ...init })
    const read = await response.text()
    expect(response.status, read).toBe(200)
    return read
  }
  return {
    get: (path: string) => text(path),
    /** Reads every event of the feed, in order. */
    changes: async <Change>(query = ''): Promise<Change[]> => {
      const all: Change[] = []
      let after = 0
      for (;;) {
        const page = await text(`/v2/incidents/changes?limit=500&after=${after}${query}`)
        const { changes, next_after } = JSON.parse(page).data
        all.push(...changes)
        if (next_after === after) return all
        after = next_after
      }
    },
    post: (path: string, json: unknown) =>
      text(path, { method: 'POST', body: JSON.stringify(json) }),
    evidence: (query = '') => text(`/v2/audit/evidence?${query}`),
    checkpoint: () => text('/v2/audit/checkpoint'),
    payroll: () => text('/v2/incidents/export?format=ndjson'),
    /** Decides a log, and returns the response even if it is an error. */
    decide: (log_id: number, status: string, comment?: string) =>
      fetch(`${api}/v2/incidents/change_log_status`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ log_id, status, ...(comment && { comment }) }),
      }).then((response) => response.text()),
  }
}
