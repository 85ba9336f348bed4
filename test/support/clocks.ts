import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import service from '../../src/index.ts'

interface ClockCall {
  body?: string | Uint8Array
  method?: string
  address?: string
  headers?: Record<string, string>
  env?: Partial<Env>
}

/** Sends a request as a clock does: plain text, and no header of a browser. */
export const callAsClock = async (path: string, call: ClockCall = {}) => {
  const { body, address, headers, method = body === undefined ? 'GET' : 'POST' } = call
  const request = new Request<unknown, IncomingRequestCfProperties>(`http://localhost${path}`, {
    method,
    headers: { ...(address && { 'CF-Connecting-IP': address }), ...headers },
    ...(body !== undefined && { body: body as BodyInit }),
  })
  const response = await service.fetch(request, { ...env, ...call.env }, createExecutionContext())
  return { status: response.status, text: await response.text(), headers: response.headers }
}

export const pushPunches = (
  serial: string,
  lines: readonly string[],
  call: Omit<ClockCall, 'body'> & { stamp?: string } = {},
) =>
  callAsClock(`/iclock/cdata?SN=${serial}&table=ATTLOG&Stamp=${call.stamp ?? '9'}`, {
    ...call,
    body: lines.map((line) => `${line}\n`).join(''),
  })

/** A line as most clocks write it. */
export const line = (number: string, time: string, status = '0') =>
  [number, time, status, '1', '', '0', '0'].join('\t')

export const rowsOf = async (table: string) =>
  (await env.DB.prepare(`SELECT * FROM ${table}`).all<Record<string, unknown>>()).results
