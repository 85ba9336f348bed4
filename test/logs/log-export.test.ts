import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { users } from '../../src/core/tables/users.ts'
import { at, useAdmin } from '../support/admin.ts'
import { call } from '../support/api.ts'
import { app } from '../support/app.ts'
import {
  aLog,
  aLogOf,
  allDecisions,
  anEmployee,
  anEmployeeWithLogs,
  aUser,
  db,
} from '../support/factories.ts'
import { failStatement } from '../support/fault-injection.ts'
import { parseLines } from '../support/lines.ts'
import { useLoggedLines } from '../support/logged-lines.ts'
import { recordQueries } from '../support/record-queries.ts'

const admin = useAdmin()
const lines = useLoggedLines()
const lastLine = () => JSON.parse(lines.at(-1) ?? '')

/** Requests a file. Returns the response without reading its body. */
const download = (more: Record<string, string> = {}, DB = env.DB) => {
  const headers = { Authorization: `Bearer ${admin.token}`, ...more }
  return app.request('/api/v2/incidents/export?format=csv', { headers }, { ...env, DB })
}

describe('GET /v2/incidents/export', () => {
  it('streams CSV that a spreadsheet reads, with the last decision', async () => {
    const person = { full_name: 'Peña, "Lalo"', department: '=1+1', branch_office: '' }
    const { employee_id } = await anEmployee(person)
    const log = await aLog({ employee_id, recorded_at: at('02T14:00') })
    const other = await aLog({ employee_id, recorded_at: at('03T14:00') })
    await admin.change({ log_id: log.id, status: 'rejected', comment: 'primero' })
    await admin.change({ log_id: log.id, status: 'approved', comment: '-2\nlíneas' })

    const res = await admin.get('/export?format=csv&from=2026-11-01&to=2026-11-30')

    expect(res.status).toBe(200)
    expect(res.headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present')
    expect(res.headers.get('Content-Disposition')).toBe(
      'attachment; filename="checadas_2026-11-01_2026-11-30.csv"',
    )
    const decided = (await allDecisions())[1]?.created_at
    expect(res.text).toBe(
      [
        'log_id,employee_id,full_name,department,branch_office,kind,recorded_at,local_at,received_at,source,status,decided_at,decided_by,comment,request_comment',
        `1,${employee_id},"Peña, ""Lalo""",'=1+1,,entrada,2026-11-02T14:00:00.000Z,2026-11-02T08:00:00-06:00,${log.created_at},,approved,${decided},Ana Torres,"'-2\nlíneas",`,
        `2,${employee_id},"Peña, ""Lalo""",'=1+1,,entrada,2026-11-03T14:00:00.000Z,2026-11-03T08:00:00-06:00,${other.created_at},,pending,,,,`,
        '',
      ].join('\r\n'),
    )
  })

  it('begins with a byte order mark, for spreadsheets', async () => {
    const res = await download()
    const bytes = new Uint8Array(await res.arrayBuffer())
    expect([...bytes.slice(0, 4)]).toEqual([0xef, 0xbb, 0xbf, 'l'.charCodeAt(0)])
  })

  it('fails the transfer when the caller loses access between pages', async () => {
    await anEmployeeWithLogs(15_001)
    const res = await download()
    expect(res.status).toBe(200)
    await db.update(users).set({ active: 0 })
    await expect(res.text()).rejects.toThrow('The export failed.')
    expect(lastLine()).toMatchObject({ user_id: admin.id, status: 401 })
  })

  it('fails the transfer when a later page fails', async () => {
    await anEmployeeWithLogs(5001)
    const res = await download({}, failStatement(4).DB)
    expect(res.status).toBe(200)
    await expect(res.text()).rejects.toThrow('The export failed.')
    expect(lastLine()).toMatchObject({
      ...{ request_id: res.headers.get('X-Request-Id'), route: '/api/v2/incidents/export' },
      status: 500,
      error: { message: expect.stringContaining('a_fault_was_injected_here') },
    })
  })

  it('fails the transfer when the client stops reading for a minute', async () => {
    await anEmployeeWithLogs(15_000)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const res = await download()
    const reader = res.body?.getReader()
    for (let chunk = 0; chunk < 2; chunk++) await reader?.read()
    while (vi.getTimerCount() === 0) await scheduler.wait(10)

    await vi.advanceTimersByTimeAsync(60_000)
    vi.useRealTimers()

    const rest = async () => {
      while (!(await reader?.read())?.done);
    }
    await expect(rest()).rejects.toThrow('The export failed.')
    expect(lastLine()).toMatchObject({ status: 408 })
  })

  it('reads a page for HEAD, which may refuse it, and has the same headers', async () => {
    await aLog()
    const { recording, DB } = recordQueries(env.DB)
    const options = { token: admin.token, env: { DB } }
    const head = await call('HEAD', '/v2/incidents/export?format=csv', options)
    expect([head.status, head.text, recording.calls]).toEqual([200, '', 2])
    const got = await admin.get('/export?format=csv')
    for (const name of ['Content-Type', 'Content-Disposition', 'Vary']) {
      expect(head.headers.get(name)).toBe(got.headers.get(name))
    }
  })

  it.each([
    ['gzip', 'gzip'],
    ['br, gzip;q=0.8', 'gzip'],
    ['*', 'gzip'],
    ['br', null],
    ['gzip;q=0', null],
    ['identity', null],
  ])('to a client that accepts %s has the encoding %s', async (accepted, encoding) => {
    const res = await download({ 'Accept-Encoding': accepted })
    expect(res.headers.get('Content-Encoding')).toBe(encoding)
    expect(res.headers.get('Vary')).toContain('Accept-Encoding')
    await res.text()
  })

  it.each([
    ['ok;=HYPERLINK("x")', `"ok;'=HYPERLINK(""x"")"`],
    ['a\t+1', `"a\t'+1"`],
    ['\n=1', `"'\n'=1"`],
    ['hola\n=1+1', `"hola\n'=1+1"`],
    ['a; b', '"a; b"'],
    ['uno, dos', '"uno, dos"'],
    ['a-b', 'a-b'],
    ['\ttexto', `"'\ttexto"`],
    ['\rtexto', `"'\rtexto"`],
    ...[' =1', '\u00a0+1', '\ufeff-1', '\u200b@x', '＝1'].map((text) => [text, `'${text}`]),
  ])('writes %j so that no cell and no separator begins a formula', async (department, cell) => {
    await aLogOf({ department })
    expect((await admin.get('/export?format=csv')).text).toContain(`,${cell},`)
  })

  it('exports every page, former employees included', async () => {
    const employee_id = await anEmployeeWithLogs(12_001)
    await aUser({ employee_id, active: 0 })
    const { text } = await admin.get('/export?format=ndjson')
    const ids = parseLines(text).map(({ log_id }) => log_id)
    expect(ids).toEqual(Array.from({ length: 12_001 }, (_, i) => i + 1))
  })

  it('streams one JSON object per line, without escaping formulas', async () => {
    await aLogOf({ department: '=1+1' })
    const res = await admin.get('/export?format=ndjson')
    expect(res.headers.get('Content-Type')).toBe('application/x-ndjson')
    expect(res.headers.get('Content-Disposition')).toMatch(/"checadas_\d{4}-\d\d-\d\d\.ndjson"$/)
    const [line, end] = res.text.split('\n')
    expect(JSON.parse(line ?? '')).toMatchObject({ log_id: 1, department: '=1+1', comment: null })
    expect(end).toBe('')
  })

  it('is a 422 without a valid format', async () => {
    expect((await admin.get('/export')).status).toBe(422)
    const format = ['El formato debe ser csv o ndjson.']
    expect((await admin.get('/export?format=xlsx')).body.errors).toEqual({ format })
  })
})
