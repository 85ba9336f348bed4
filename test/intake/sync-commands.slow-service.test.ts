import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { failedWith, runInProcess, succeededWith } from '../support/command.ts'
import { parseLines } from '../support/lines.ts'
import { useOperator } from '../support/operator.ts'
import { signInToService } from '../support/service-evidence.ts'

// A test sees how long a command pauses, and need not wait.
vi.mock('node:timers/promises', { spy: true })

const { service, login, admin: signInAdmin } = useOperator()

interface Source {
  source: string
  complete_until: string | null
  problems: { id: number; source_id: string }[]
}

describe('npm run sync', () => {
  const MACHINE = 'reloj@demo.mx'
  const recorded_at = new Date(Date.now() - 3_600_000).toISOString()
  const row = (id: number, employee: string) => `${id},${employee},entrada,${recorded_at}`
  const csv = (...rows: string[]) => `log_id,employee_id,kind,recorded_at\n${rows.join('\n')}\n`

  const origin = () => new URL(service.api).origin
  const sync = async (args: string[], input = '', token?: string) => {
    const machine = token ?? (await (await signInAdmin()).machineToken(MACHINE))
    const url = args.includes('--url') ? [] : ['--url', origin()]
    return runInProcess('sync', [...args, ...url], input, { CHECADA_TOKEN: machine })
  }

  /** The sources, as an administrator reads them. */
  const listSources = async (): Promise<Source[]> => {
    const admin = await signInToService(service)
    return JSON.parse(await admin.get('/v2/incidents/sources')).data
  }

  it('sends rows, reports refused ones until they are accepted, prints decisions', async () => {
    const push = ['push', '--source', 'legado', '--complete-until', recorded_at]
    const rows = csv(row(9001, 'E-004'), row(9002, 'X-2'))
    expect(await sync(push, rows)).toEqual({
      status: 1,
      out: `1 created, 0 known, 0 differs, 1 refused at ${origin()}\n`,
      err: 'unknown_employee: 9002 of employee X-2, 1 times\n',
    })
    const unreadable = `${row(9003, 'E-004').replace('entrada', 'ENTRADA')}\n,E-004,entrada,${recorded_at}`
    expect(await sync(['push', '--source', 'otra'], csv(unreadable))).toEqual({
      status: 1,
      out: `0 created, 0 known, 0 differs, 2 refused at ${origin()}\n`,
      err: 'invalid (log_id or source_id): a log without an id, 1 times\ninvalid (kind): 9003, 1 times\n',
    })
    const since = (await sync(['since', '--source', 'legado'])).out
    const dayBefore = new Date(Date.parse(recorded_at) - 86_400_000).toISOString()
    expect(since).toBe(`${dayBefore.slice(0, 19).replace('T', ' ')}\n`)

    const ana = await signInAdmin()
    await ana.addEmployee('X-2', 'Nueva Persona')
    expect(await sync(push, rows)).toEqual(
      succeededWith(`1 created, 1 known, 0 differs, 0 refused at ${origin()}\n`),
    )

    const admin = await signInToService(service)
    for (const status of ['approved', 'rejected']) await admin.decide(9001, status)
    const pulled = (await sync(['pull', '--after', '0', '--table', 'registros'])).out
    expect(pulled).toMatch(
      /^START TRANSACTION;\n(.+\n)*UPDATE registros SET status = 'rejected' WHERE id = 9001;\n(.+\n)*UPDATE checada_feed SET next_after = \d+;\nCOMMIT;\n$/,
    )
    const inWords = await sync(['pull', '--after', '0', '--words', 'rejected=Rechazado,pending=P'])
    expect(inWords.out).toContain("UPDATE logs SET status = 'Rechazado' WHERE id = 9001;\n")
    // A limited token would never get the decisions of other sources, so `pull` must fail.
    await ana.changeUser(MACHINE, { sources: ['legado'] })
    const limited = await sync(['pull', '--after', '0'])
    await ana.changeUser(MACHINE, { sources: null })
    const hint = /^This token's user is limited to sources or branches/
    expect(limited).toEqual(failedWith(expect.stringMatching(hint)))
    const [, after = ''] = /next_after = (\d+)/.exec(pulled) ?? []
    expect((await sync(['pull', '--after', after])).out).toBe(
      `START TRANSACTION;\nUPDATE checada_feed SET next_after = ${after};\nCOMMIT;\n`,
    )
  })

  it('completes nothing without rows, except for a header with --allow-empty', async () => {
    const push = ['push', '--source', 'vacio', '--complete-until', recorded_at]
    const complete = async () => (await listSources()).some(({ source }) => source === 'vacio')
    const error = 'ERROR 2003 (HY000): Can\'t connect to MySQL server on "db" (111)\n'
    const header = 'log_id,employee_id,kind,recorded_at\n'
    for (const input of ['', header, error, `${row(9301, 'E-004')}\n`]) {
      const { status, out, err } = await sync(push, input)
      expect([status, out]).toEqual([1, ''])
      expect(err).toMatch(/^The input is (empty|not the rows)/)
    }
    for (const input of [error, header.trim()]) {
      expect((await sync([...push, '--allow-empty'], input)).status).toBe(1)
    }
    expect(await complete()).toBe(false)
    expect((await sync([...push, '--allow-empty'], header)).out).toMatch(/^0 created, 0 known/)
    expect(await complete()).toBe(true)
  })

  it('sends nothing if the moment of --complete-until is blank', async () => {
    const push = ['push', '--source', 'sin momento', '--complete-until', '']
    const { status, out, err } = await sync(push, csv(row(9321, 'E-004')))
    expect([status, out]).toEqual([1, ''])
    expect(err).toContain("'' is invalid. It is blank.")
    expect((await listSources()).map(({ source }) => source)).not.toContain('sin momento')
  })

  it.each([
    ['is cut in a value, which looks whole', 'E-00', /9312, 1 times/],
    ['is an error of as many values', 'E-004\nERROR: a, b, c, d\n', /ERROR: a, 1 times/],
  ])('completes nothing if the last row %s', async (_, end, problem) => {
    const push = ['push', '--source', 'a medias', '--complete-until', recorded_at]
    const start = 'log_id,kind,recorded_at,employee_id\n'
    const at = (id: number) => new Date(Date.parse(recorded_at) - id * 1_000).toISOString()
    const rows = `9311,entrada,${at(9311)},E-007\n9312,entrada,${at(9312)},${end}`
    const { status, err } = await sync(push, `${start}${rows}`)
    expect([status, err]).toEqual([1, expect.stringMatching(problem)])
    expect(err).toContain('The last row is not whole, so the source does not count as complete.')
    const halfSent = { source: 'a medias', complete_until: null }
    expect(await listSources()).toContainEqual(expect.objectContaining(halfSent))
  })

  it('pulls nothing after an event that does not exist, as after a restore', async () => {
    const beyond = await sync(['pull', '--after', '99999999'])
    expect(beyond).toEqual(failedWith(expect.stringMatching(/^The newest event here is older/)))
  })

  it('accepts --words for known statuses only', async () => {
    for (const words of ['aproved=Aprobado', 'approved', 'approved=', 'approved=A,x=B']) {
      const wrong = await sync(['pull', '--after', '0', '--words', words])
      expect(wrong).toEqual(failedWith(expect.stringMatching(/status is/)))
    }
  })

  it('prints no decision on rows of other sources unless these sources are named', async () => {
    const at = new Date(Date.parse(recorded_at) - 90_000).toISOString()
    const rowOf = (id: number) => csv(`${id},E-006,salida,${at}`)
    const pushAs = (source: string, id: number) => sync(['push', '--source', source], rowOf(id))
    expect((await pushAs('reloj-oeste', 9201)).status).toBe(0)
    const admin = await signInToService(service)
    await admin.decide(9201, 'rejected')
    const pull = ['pull', '--after', '0']
    const update = "UPDATE logs SET status = 'rejected' WHERE id = 9201;\n"
    const other = await sync(pull)
    expect(other.out).not.toContain('9201')
    expect(other.err).toBe('Left out decisions on rows of other sources: --source "reloj-oeste"\n')
    const named = await sync([...pull, '--source', 'legado', '--source', 'Reloj-Oeste'])
    expect([named.out.includes(update), named.err]).toEqual([true, ''])

    // A machine that is limited to sources may not send logs with numbers of the legacy API.
    const ana = await signInAdmin()
    await ana.changeUser(MACHINE, { sources: ['legado'] })
    const limited = await pushAs('legado', 9202)
    await ana.changeUser(MACHINE, { sources: null })
    expect(limited).toEqual({
      status: 1,
      out: `0 created, 0 known, 0 differs, 1 refused at ${origin()}\n`,
      err: 'invalid (forbidden_id): 9202 of employee E-006, 1 times\n',
    })
    const { problems = [] } = (await listSources()).find(({ source }) => source === 'legado') ?? {}
    const refused = problems.find(({ source_id }) => source_id === '9202')
    await admin.post(`/v2/incidents/sources/legado/problems/${refused?.id}/dismiss`, {
      reason: 'x',
    })
  })

  it('reports odd rows, and goes on', async () => {
    const at = new Date(Date.parse(recorded_at) - 30_000).toISOString()
    const rows = [
      'kind\tsource_id\temployee_id\trecorded_at',
      `entrada\ttwo\\tcells\tE-005\t${at}`,
      `entrada\tuna\\nmás\tNULL\t${at}`,
      'entrada\tshort',
      `entrada\tlast\tE-006\t${at}\n`,
    ]
    const push = ['push', '--source', 'mysql', '--url', `${origin()}/api/`]
    expect(await sync(push, rows.join('\n'))).toEqual({
      status: 1,
      out: `2 created, 0 known, 0 differs, 2 refused at ${origin()}/api/\n`,
      err: 'invalid (number of columns, or no line break at the end): entrada, 1 times\ninvalid (employee_id): una�más, 1 times\n',
    })
  })

  it('compares rows with logs, and finds deleted, corrected and redecided ones', async () => {
    const at = (i: number) => new Date(Date.parse(recorded_at) - (i + 1) * 60_000).toISOString()
    const rows = [9101, 9102, 9103].map((id, i) => `${id},E-009,entrada,${at(i)}`)
    expect((await sync(['push', '--source', 'legado'], csv(...rows))).status).toBe(0)
    const { token } = await login(DEMO_ADMIN, DEMO_PASSWORD)
    const day = (days: number) =>
      new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const period = ['--from', day(-2), '--to', day(1)]
    const admin = await signInToService(service)
    const path = `/v2/incidents/export?format=ndjson&from=${day(-2)}&to=${day(1)}`
    const logs = parseLines(await admin.get(path)).filter(({ log_id }) => log_id < 1_000_000_000)
    const lines = logs.map(
      (log) => `${log.log_id}\t${log.employee_id}\t${log.kind}\t${log.recorded_at}\t${log.status}`,
    )
    const header = 'log_id\temployee_id\tkind\trecorded_at\tstatus'
    const compare = (rows: string[]) =>
      sync(['compare', ...period], [header, ...rows, ''].join('\n'), token)
    expect(await compare(lines)).toEqual(succeededWith(`${logs.length} logs compared, 0 differ\n`))

    const other = lines
      .filter((line) => !line.startsWith('9101'))
      .map((line) => (line.startsWith('9102') ? line.replace('E-009', 'E-010') : line))
    const differs = await compare(other)
    expect([differs.status, differs.err.split('\n').sort()]).toEqual([
      1,
      ['', '9101: deleted there, pending here', '9102: employee_id is E-010 there, E-009 here'],
    ])
    // Rows that never arrived are counted, and some of them are listed.
    const fields = `E-009\tsalida\t${recorded_at}\tpending`
    const missing = Array.from({ length: 5_000 }, (_, i) => `${500_000 + i}\t${fields}`)
    const lacks = await compare([...lines, ...missing])
    expect(lacks.status).toBe(1)
    expect(lacks.out).toBe(
      `${logs.length + 5_000} logs compared, 5000 differ: 5000 missing here, 0 missing there, 0 changed\n`,
    )
    expect(lacks.err).toMatch(/^500000: pending there, missing here\n.+\n… and 4900 more\n$/s)
    const twice = [header, ...lines, lines[0], ''].join('\n')
    expect(await sync(['compare', ...period], twice, token)).toEqual(
      failedWith(`Row ${lines.length + 2} has the log_id ${logs[0].log_id} once more.\n`),
    )
    for (const cut of ['', '\tE-009\n']) {
      const input = [header, ...lines].join('\n') + cut
      const { status, err } = await sync(['compare', ...period], input, token)
      expect([status, err]).toEqual([1, expect.stringMatching(/^Row \d+ is not whole: /)])
    }
    const forbidden = await sync(['compare', ...period], [header, ...lines, ''].join('\n'))
    expect(forbidden).toMatchObject({ status: 1, err: expect.stringMatching(/^403: /) })
  })

  it('prints a `since` less than 45 days ago, so that rows are still accepted when sent', async () => {
    const since = (await sync(['since', '--source', 'nueva'])).out.trim()
    const age = Date.now() - Date.parse(`${since.replace(' ', 'T')}Z`)
    expect(age).toBeGreaterThan(43 * 86_400_000)
    expect(age).toBeLessThan(44.5 * 86_400_000)
  })

  it('creates nothing twice after a push that was killed in the middle', async () => {
    const at = (i: number) => new Date(Date.parse(recorded_at) - i * 1000).toISOString()
    const rows = Array.from({ length: 250 }, (_, i) => `${20_000 + i},E-013,salida,${at(i)}`)
    const push = ['cli/intake/sync.ts', 'push', '--source', 'cortado']
    const token = await (await signInAdmin()).machineToken(MACHINE)
    const child = spawn(process.execPath, [...push, '--url', new URL(service.api).origin], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { ...process.env, CHECADA_TOKEN: token },
    })
    // The input stays open, so the second hundred rows are never complete.
    child.stdin.write(csv(...rows.slice(0, 150)))
    const sources = async () => (await listSources()).map(({ source }) => source)
    await expect.poll(sources, { timeout: 60_000 }).toContain('cortado')
    child.kill('SIGKILL')
    await once(child, 'exit')

    expect((await sync(push.slice(1), csv(...rows))).out).toBe(
      `150 created, 100 known, 0 differs, 0 refused at ${origin()}\n`,
    )
  })

  it.each([
    ['as long as the service asks it to', { 'Retry-After': '7' }, 7_000],
    ['a minute if the service does not say how long', {}, 60_000],
  ])('waits %s, and goes on', async (_, headers, pause) => {
    vi.mocked(sleep).mockClear().mockResolvedValueOnce(undefined)
    const statuses: number[] = []
    const server = createServer((_, response) => {
      const isLimited = statuses.length === 0
      const status = isLimited ? 429 : 200
      statuses.push(status)
      response.writeHead(status, { ...headers, 'Content-Type': 'application/json' })
      const data = isLimited ? null : { changes: [], next_after: 7 }
      response.end(JSON.stringify({ success: !isLimited, message: 'm', data }))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}`
    const args = ['pull', '--after', '0', '--url', url]
    const { status, out } = await runInProcess('sync', args, '', { CHECADA_TOKEN: 'x' })
    server.close()
    expect([status, statuses]).toEqual([0, [429, 200, 200]])
    expect(sleep).toHaveBeenCalledExactlyOnceWith(pause)
    expect(out).toContain('next_after = 7;')
  })

  it('reports a service that does not respond, and an invalid or missing token', async () => {
    const nowhere = ['since', '--source', 'legado', '--url', 'http://127.0.0.1:1']
    expect(await runInProcess('sync', nowhere, '', { CHECADA_TOKEN: 'x' })).toEqual(
      failedWith('http://127.0.0.1:1 does not respond.\n'),
    )
    const wrong = await sync(['since', '--source', 'legado'], '', 'x')
    expect(wrong).toMatchObject({ status: 1, err: expect.stringMatching(/^401: No autenticado\./) })
    expect((await sync(['since', '--source', 'legado'], '', ' ')).status).toBe(1)
  })
})
