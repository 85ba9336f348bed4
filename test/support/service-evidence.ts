import { expect } from 'vitest'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import type { Service } from './server.ts'

/** Signs the demo's administrator in, with the requests that evidence takes. */
export const signInToService = async ({ api }: Service) => {
  const body = JSON.stringify({ email: DEMO_ADMIN, password: DEMO_PASSWORD })
  const res = await fetch(`${api}/auth/login`, { method: 'POST', body })
  const { data } = (await res.json()) as { data: { token: string } }
  const headers = { Authorization: `Bearer ${data.token}` }
  const text = async (path: string) => {
    const response = await fetch(`${api}${path}`, { headers })
    const read = await response.text()
    expect(response.status, read).toBe(200)
    return read
  }
  return {
    get: text,
    evidence: (query = '') => text(`/v2/audit/evidence?${query}`),
    checkpoint: () => text('/v2/audit/checkpoint'),
    payroll: () => text('/v2/incidents/export?format=ndjson'),
    decide: (log_id: number, status: string, comment?: string) =>
      fetch(`${api}/v2/incidents/change_log_status`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ log_id, status, ...(comment && { comment }) }),
      }).then((response) => response.text()),
  }
}
