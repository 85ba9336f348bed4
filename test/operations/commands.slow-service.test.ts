import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { runInProcess } from '../support/command.ts'
import { runCommand, useService } from '../support/server.ts'

const service = useService(['--var', 'INTAKE_ROLES:reloj'])

/** An operator's command, on the database of the running service. */
const run = (command: string, args: string[], input = '') =>
  runInProcess(command, [...args, '--persist-to', service.state], input)

const place = `in the local database of ${service.state}`

const login = async (email: string, password: string) => {
  const res = await fetch(`${service.api}/auth/login`, {
    method: 'POST',
    body: JSON.stringify({ email, password }),
  })
  const body = (await res.json()) as { data: { token: string } | null }
  return { status: res.status, token: body.data?.token ?? '' }
}

const me = async (token: string) =>
  (await fetch(`${service.api}/auth/me`, { headers: { Authorization: `Bearer ${token}` } })).status

describe('npm run user', () => {
  const EMAIL = 'Begoña.Ñuño@empresa.mx'

  it('adds, sets a password, revokes, deactivates and activates, effective at once', async () => {
    const added = await run(
      'user',
      ['add', EMAIL, '--first-name', 'Begoña', '--last-name', 'Ñuño'],
      'una clave larga\n',
    )
    expect(added).toEqual({ status: 0, out: `Added ${EMAIL} ${place}.\n`, err: '' })
    const first = await login(EMAIL, 'una clave larga')
    expect(await me(first.token)).toBe(200)

    expect((await run('user', ['revoke', EMAIL.toUpperCase(), '--yes'])).status).toBe(0)
    expect(await me(first.token)).toBe(401)

    const second = await login(EMAIL, 'una clave larga')
    expect((await run('user', ['password', EMAIL, '--yes'], 'otra clave larga')).status).toBe(0)
    expect(await me(second.token)).toBe(401)
    expect((await login(EMAIL, 'una clave larga')).status).toBe(401)

    const third = await login(EMAIL, 'otra clave larga')
    expect((await run('user', ['deactivate', EMAIL, '--yes'])).status).toBe(0)
    expect(await me(third.token)).toBe(401)
    expect((await login(EMAIL, 'otra clave larga')).status).toBe(403)

    expect((await run('user', ['activate', EMAIL])).status).toBe(0)
    expect(await me(third.token)).toBe(401)
    expect((await login(EMAIL, 'otra clave larga')).status).toBe(200)
  })

  it('limits an approver to a branch, and to none again, from the next request on', async () => {
    const { token } = await login(DEMO_ADMIN, DEMO_PASSWORD)
    const branches = async () => {
      const headers = { Authorization: `Bearer ${token}` }
      const res = await fetch(`${service.api}/v2/incidents/logs/summary`, { headers })
      const { data } = (await res.json()) as { data: { branches: { branch_office: string }[] } }
      return [...new Set(data.branches.map((one) => one.branch_office))]
    }
    const all = await branches()
    expect(all.length).toBeGreaterThan(1)

    const scoped = await run('user', ['scope', DEMO_ADMIN, '--branch', 'Norte'])
    expect(scoped).toEqual({
      status: 0,
      out: `${DEMO_ADMIN} sees Norte ${place}.\n`,
      err: '',
    })
    expect(await branches()).toEqual(['Norte'])

    const unknown = await run('user', ['scope', DEMO_ADMIN, '--branch', 'Nrte'])
    expect(unknown.err).toBe('Warning: no employee is in the branch Nrte.\n')
    expect(await branches()).toEqual([])

    expect((await run('user', ['scope', DEMO_ADMIN, '--all'])).status).toBe(0)
    expect(await branches()).toEqual(all)
  })

  it.each([
    ['a scope without a branch', ['scope', DEMO_ADMIN], 'Give --branch NAME, or --all.'],
    [
      'an invalid address',
      ['add', 'begoña', '--first-name', 'B', '--last-name', 'Ñ'],
      'email: must be an e-mail address',
    ],
    [
      'a user twice',
      ['add', DEMO_ADMIN.toUpperCase(), '--first-name', 'A', '--last-name', 'T'],
      'That user exists already.',
    ],
    [
      'an unknown employee',
      ['add', 'x@y.mx', '--first-name', 'X', '--last-name', 'Y', '--employee-id', 'E-999'],
      'employee_id: no such employee',
    ],
    ['an unknown user', ['revoke', 'nadie@empresa.mx', '--yes'], 'No user has that address.'],
  ])('rejects %s', async (_, args, message) => {
    expect(await run('user', args, 'una clave larga')).toEqual({
      status: 1,
      out: '',
      err: `${message}\n`,
    })
  })

  it('limits a machine to sources, and to none again, from the next request on', async () => {
    const machine = (await run('user', ['token', 'reloj@demo.mx'])).out.trim()
    const send = async () => {
      const body = JSON.stringify({
        source: 'reloj-norte',
        complete_until: new Date().toISOString(),
      })
      const headers = { Authorization: `Bearer ${machine}` }
      return (await fetch(`${service.api}/v2/incidents/logs`, { method: 'POST', headers, body }))
        .status
    }
    const sources = (...args: string[]) => run('user', ['sources', 'reloj@demo.mx', ...args])
    expect((await sources()).err).toBe('Give the names of sources, or --any.\n')
    expect((await sources('Ａpp:1')).err).toBe('No machine sends as "Ａpp:1".\n')
    expect((await sources('Reloj-Sur', 'reloj-este ', 'reloj-sur')).out).toBe(
      `reloj@demo.mx sends for reloj-este, reloj-sur ${place}.\n`,
    )
    expect(await send()).toBe(403)
    expect((await run('user', ['list'])).out).toContain('["reloj-este","reloj-sur"]')
    expect((await sources('--any')).out).toBe(`reloj@demo.mx sends for any source ${place}.\n`)
    expect(await send()).toBe(200)
  })

  it('warns of a role that may be a typing error, and says what to do', async () => {
    const machine = ['add', 'otro@demo.mx', '--first-name', 'Reloj', '--last-name', 'Otro']
    const added = await run('user', [...machine, '--role', 'relój'], 'una clave larga')
    expect(added).toEqual({
      status: 0,
      out: `Added otro@demo.mx ${place}.\n`,
      err:
        'Warning: no other user has the role relój, and ADMIN_ROLES, PAYROLL_ROLES and INTAKE_ROLES in ' +
        'wrangler.toml do not list it. Add it there (what npm start gets by --var is not seen), or ' +
        'correct it: npm run user -- role otro@demo.mx ROLE.\n',
    })
    expect((await run('user', ['role', 'otro@demo.mx', 'reloj'])).err).toBe('')
  })

  it('rejects a short password, and changes nothing', async () => {
    const rejected = await run('user', ['password', DEMO_ADMIN, '--yes'], 'siete77')
    expect(rejected.status).toBe(1)
    expect(rejected.err).toBe('The password must have 8 to 1024 characters.\n')
    expect((await login(DEMO_ADMIN, DEMO_PASSWORD)).status).toBe(200)
  })
})

describe('a command that ends tokens or erases', () => {
  const commands: [string, string[], string][] = [
    ['user', ['revoke', DEMO_ADMIN], `End every token of ${DEMO_ADMIN}`],
    ['user', ['deactivate', DEMO_ADMIN], `Deactivate ${DEMO_ADMIN} and end every token`],
    ['user', ['password', DEMO_ADMIN], `Change the password of ${DEMO_ADMIN} and end every token`],
    ['employee', ['forget', 'E-001', '--now'], 'Erase E-001 for good'],
    [
      'import',
      ['cli/demo/demo.json', '--reset-passwords'],
      "Give stored users the file's passwords and end their tokens",
    ],
  ]
  it.each(commands)(
    'does nothing without a terminal or --yes: %s %j',
    async (command, args, question) => {
      const { token } = await login(DEMO_ADMIN, DEMO_PASSWORD)
      expect(await run(command, args, 'otra clave larga')).toEqual({
        status: 1,
        out: '',
        err: `${question} ${place}? Nothing was changed: --yes does it.\n`,
      })
      expect(await me(token)).toBe(200)
    },
  )

  it.each([
    ['n', 200],
    ['y', 401],
  ])('asks on a terminal: %s', async (answer, status) => {
    const { token } = await login(DEMO_ADMIN, DEMO_PASSWORD)
    const line = `stty cols 200; ${process.execPath} cli/people/user.ts revoke ${DEMO_ADMIN} --persist-to ${service.state}`
    const terminal = spawn('script', ['-qec', line, '/dev/null'], { stdio: 'pipe' })
    let shown = ''
    terminal.stdout.on('data', (chunk) => {
      shown += chunk
    })
    const closed = once(terminal, 'close')
    await expect.poll(() => shown).toContain(`End every token of ${DEMO_ADMIN}`)
    terminal.stdin.write(answer)
    await closed
    expect(await me(token)).toBe(status)
  })
})

it('works on no remote database without the name of its installation', async () => {
  const unknown = await runInProcess('user', ['revoke', DEMO_ADMIN, '--installation', 'norte'])
  expect(unknown).toEqual({
    status: 1,
    out: '',
    err: 'There is no installation norte. There are: production, staging.\n',
  })
  for (const flag of ['--remote', '--installation', '--installation=production']) {
    const { status, err } = await run('user', ['revoke', DEMO_ADMIN, flag])
    expect([status, err]).toEqual([1, expect.stringMatching(/^error: /)])
  }
})

describe('npm run client', () => {
  const validate = async (code: string) =>
    (
      await fetch(`${service.api}/v2/clients/validate-code`, {
        method: 'POST',
        body: JSON.stringify({ code }),
      })
    ).status

  it('adds, lists, blocks and activates', async () => {
    expect(
      (await run('client', ['add', 'PEÑA 1', '--name', 'La Peña', '--url-base', 'https://pena.mx']))
        .status,
    ).toBe(0)
    expect(await validate('PEÑA 1')).toBe(200)
    expect((await run('client', ['block', 'PEÑA 1'])).status).toBe(0)
    expect(await validate('PEÑA 1')).toBe(403)
    expect((await run('client', ['list'])).out).toMatch(
      /'PEÑA 1'.+'La Peña'.+'bloqueado'.+'https:\/\/pena\.mx'/,
    )
    expect((await run('client', ['activate', 'PEÑA 1'])).status).toBe(0)
    expect(await validate('PEÑA 1')).toBe(200)
    expect((await run('client', ['block', 'peña 1'])).err).toBe('No client has that code.\n')
  })
})

describe('npm run config', () => {
  it('sets, gets and lists', async () => {
    expect(await run('config', ['set', 'misión', 'Servir', '--nombre', 'Misión'])).toEqual({
      status: 0,
      out: `Added misión ${place}.\n`,
      err: '',
    })
    expect(await run('config', ['set', 'misión', 'Servir mejor'])).toEqual({
      status: 0,
      out: `Changed misión ${place}.\n`,
      err: '',
    })
    expect((await run('config', ['get', 'misión'])).out).toBe('Servir mejor\n')
    expect((await run('config', ['list'])).out).toMatch(
      /'misión'.+'texto'.+'Misión'.+'Servir mejor'/,
    )
    expect((await run('config', ['get', 'nada'])).err).toBe('No entry has that key.\n')
  })
})

describe('npm run import', () => {
  const file = join(service.state, 'import.json')

  it('imports while the service runs and serves requests', async () => {
    const employee = {
      employee_id: 'I-1',
      full_name: 'Iñaki',
      rfc: '',
      phone: '',
      cellphone: '',
      started_at: '2024-01-01',
      job_position: '',
      department: '',
      branch_office: '',
      profile_image: '',
    }
    const logs = Array.from({ length: 20_000 }, (_, i) => ({
      log_id: 100_000 + i,
      employee_id: 'I-1',
      kind: 'entrada',
      recorded_at: '2026-11-02T08:00:00-06:00',
    }))
    writeFileSync(file, JSON.stringify({ employees: [employee], logs }))

    const imported = await run('import', [file])

    expect(imported).toEqual({
      status: 0,
      out: `employees: 1 new, 0 changed, 0 kept\nlogs: 20000 new, 0 changed, 0 kept\nImported ${place}.\n`,
      err: '',
    })
    const { token } = await login(DEMO_ADMIN, DEMO_PASSWORD)
    const res = await fetch(`${service.api}/v2/incidents/change_log_status`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify({ log_id: 119_999, status: 'approved' }),
    })
    expect(res.status).toBe(200)
  })

  it.each([
    [
      '{"clients":[{"code":"X","name":["s3cr3t"]}]}',
      /^clients\[0\] \(X\)\.name: must be text\n.*3 errors; nothing was written\.\n$/s,
    ],
    ['{"clients": s3cr3t}', /^The file is not valid JSON \(line 1\)\.\n$/],
    ['{"clients": [],\n"logs": [}]}', /^The file is not valid JSON \(line 2\)\.\n$/],
    ['{"clients": [],\n\n', /^The file is not valid JSON \(line 3\)\.\n$/],
    [' '.repeat(5), /^The file is blank\.\n$/],
    ['{"clients": [],\n"clients": []}', /^An object has the same key twice \(line 2\)\.\n$/],
  ])('reports the errors of %s, and no value', async (content, message) => {
    writeFileSync(file, content)
    const rejected = await run('import', [file])
    expect(rejected.status).toBe(1)
    expect(rejected.err).toMatch(message)
    expect(rejected.err).not.toContain('s3cr3t')
  })

  it('says what is wrong with a huge file, and nothing of its encoding', async () => {
    const holes = join(service.state, 'holes.json')
    writeFileSync(holes, '')
    truncateSync(holes, 600_000_000)
    const blank = await run('import', [holes])
    rmSync(holes)
    expect(blank).toEqual({
      status: 1,
      out: '',
      err: 'The file is larger than 512 MB: import it in parts, its logs last.\n',
    })
  })

  it('does not say that it imported on a dry run, nor after warnings', async () => {
    const url_base = 'pena.mx'
    writeFileSync(
      file,
      JSON.stringify({ clients: [{ code: 'Z', name: '', status: '', url_base }] }),
    )
    const compared = await run('import', [file, '--dry-run'])
    expect(compared).toEqual({
      status: 0,
      out: 'clients: 1 new, 0 changed, 0 kept\nNothing was written.\n',
      err: 'Valid all the same, but look at:\nclients[0] (Z).url_base: is not a URL\n\n',
    })
  })
})

it.each(['user', 'client', 'config', 'closing', 'import', 'demo'])(
  'npm run %s prints its usage',
  async (script) => {
    const { status, out } = await run(script, ['--help'])
    expect(status).toBe(0)
    expect(out).toContain('Usage:')
  },
)

it('ends quietly where its reader has ended', async () => {
  const day = new Date().toISOString().slice(0, 10)
  const command = `${process.execPath} cli/payroll/closing.ts preview ${day} --persist-to ${service.state}`
  const { status, err } = await runCommand('sh', ['-c', `${command} | true`])
  expect([status, err]).toEqual([0, ''])
})

describe('npm run branch -- zone', () => {
  const zone = (...args: string[]) => run('branch', ['zone', 'Tijuna', 'America/Tijuana', ...args])

  it('asks first where no employee is in the branch: a rule is never deleted', async () => {
    expect(await zone()).toEqual({
      status: 1,
      out: '',
      err: `No employee is in the branch Tijuna, and a zone is never deleted. Set it ${place}? Nothing was changed: --yes does it.\n`,
    })
    // Nothing was set, else this one would change nothing.
    expect(await zone('--yes')).toMatchObject({
      status: 0,
      out: expect.stringContaining(`Tijuna has the zone America/Tijuana ${place}.\n`),
    })
  })
})

describe('npm run employee', () => {
  it('adds, moves and records the last day; rejects what is wrong', async () => {
    const added = await run('employee', ['add', 'X-1', '--name', 'Rosa Lara', '--branch', 'Norte'])
    expect(added).toEqual({ status: 0, out: `Added X-1 ${place}.\n`, err: '' })
    expect((await run('employee', ['add', 'X-1', '--name', 'Otra'])).err).toBe(
      'That employee exists already.\n',
    )
    expect((await run('employee', ['move', 'X-1', '--group', 'Semanal'])).status).toBe(0)
    expect((await run('employee', ['move', 'X-1'])).status).toBe(1)
    expect((await run('employee', ['move', 'nadie', '--group', 'X'])).err).toBe(
      'No employee has that id.\n',
    )
    expect((await run('employee', ['leave', 'X-1', '--day', '2026-02-30'])).err).toBe(
      '2026-02-30 is not a date, YYYY-MM-DD.\n',
    )
    expect((await run('employee', ['leave', 'X-1', '--day', '2026-12-31'])).status).toBe(0)
    expect((await run('employee', ['list'])).out).toMatch(
      /'X-1'.+'Rosa Lara'.+'Norte'.+'Semanal'.+'2026-12-31'/,
    )
  })
})

describe('npm run sync', () => {
  const MACHINE = 'reloj@demo.mx'
  const recorded_at = new Date(Date.now() - 3_600_000).toISOString()
  const row = (id: number, employee: string) => `${id},${employee},entrada,${recorded_at}`
  const csv = (...rows: string[]) => `log_id,employee_id,kind,recorded_at\n${rows.join('\n')}\n`

  const origin = () => new URL(service.api).origin
  const sync = async (args: string[], input = '', token?: string) => {
    const machine = token ?? (await run('user', ['token', MACHINE])).out.trim()
    const url = args.includes('--url') ? [] : ['--url', origin()]
    return runInProcess('sync', [...args, ...url], input, { CHECADA_TOKEN: machine })
  }

  it('sends rows in, reports what was refused until it is accepted, and prints decisions', async () => {
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

    await run('employee', ['add', 'X-2', '--name', 'Nueva Persona'])
    expect(await sync(push, rows)).toEqual({
      status: 0,
      out: `1 created, 1 known, 0 differs, 0 refused at ${origin()}\n`,
      err: '',
    })

    const { token } = await login(DEMO_ADMIN, DEMO_PASSWORD)
    for (const status of ['approved', 'rejected']) {
      await fetch(`${service.api}/v2/incidents/change_log_status`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
        body: JSON.stringify({ log_id: 9001, status }),
      })
    }
    const pulled = (await sync(['pull', '--after', '0', '--table', 'registros'])).out
    expect(pulled).toMatch(
      /^START TRANSACTION;\n(.+\n)*UPDATE registros SET status = 'rejected' WHERE id = 9001;\n(.+\n)*UPDATE checada_feed SET next_after = \d+;\nCOMMIT;\n$/,
    )
    const inWords = await sync(['pull', '--after', '0', '--words', 'rejected=Rechazado,pending=P'])
    expect(inWords.out).toContain("UPDATE logs SET status = 'Rechazado' WHERE id = 9001;\n")
    // Left out decisions would never come: the position is past them.
    const sources = (...args: string[]) => run('user', ['sources', MACHINE, ...args])
    await sources('legado')
    const limited = await sync(['pull', '--after', '0'])
    await sources('--any')
    expect(limited).toEqual({
      status: 1,
      out: '',
      err: expect.stringMatching(
        /^This token's user is limited .+\nnpm run user -- sources EMAIL --any/,
      ),
    })
    const [, after = ''] = /next_after = (\d+)/.exec(pulled) ?? []
    expect((await sync(['pull', '--after', after])).out).toBe(
      `START TRANSACTION;\nUPDATE checada_feed SET next_after = ${after};\nCOMMIT;\n`,
    )
  })

  it('reads what mysql prints as data, reports an odd row, and goes on', async () => {
    const at = new Date(Date.parse(recorded_at) - 30_000).toISOString()
    const rows = [
      ['kind', 'source_id', 'employee_id', 'recorded_at'],
      ['entrada', 'a,"b', 'E-004', at],
      ['entrada', 'two\\tcells\\\\', 'E-005', at],
      ['entrada', 'una\\nmás', 'NULL', at],
      ['entrada', 'short'],
      ['entrada', 'last', 'E-006', at],
    ]
    const input = rows.map((row) => `${row.join('\t')}\n`).join('')
    const push = ['push', '--source', 'mysql', '--url', `${origin()}/api/`]
    expect(await sync(push, input)).toEqual({
      status: 1,
      out: `3 created, 0 known, 0 differs, 2 refused at ${origin()}/api/\n`,
      err: 'invalid (number of columns): entrada, 1 times\ninvalid (employee_id): una�más, 1 times\n',
    })
    const { token } = await login(DEMO_ADMIN, DEMO_PASSWORD)
    const ids: string[] = []
    for (let after = 0, last = -1; after !== last; ) {
      last = after
      const res = await fetch(`${service.api}/v2/incidents/changes?limit=500&after=${after}`, {
        headers: { Authorization: `Bearer ${token}` },
      })
      const { data } = (await res.json()) as {
        data: { changes: Record<string, string>[]; next_after: number }
      }
      const own = data.changes.filter(({ source }) => source === 'mysql')
      ids.push(...own.map(({ source_id }) => source_id ?? ''))
      after = data.next_after
    }
    expect(ids).toEqual(['a,"b', 'two\tcells\\', 'last'])
    const csv = `source_id,employee_id,kind,recorded_at\nx "y,E-007,entrada,${recorded_at}\nz,E-008\n`
    expect((await sync(['push', '--source', 'csv'], csv)).out).toMatch(/^1 created.+1 refused at/)
  })

  it('compares the rows with the logs: deleted, corrected, decided otherwise', async () => {
    const rows = [9101, 9102, 9103, 9104].map((id, i) => {
      const at = new Date(Date.parse(recorded_at) - (i + 1) * 60_000).toISOString()
      return `${id},E-009,entrada,${at}`
    })
    expect((await sync(['push', '--source', 'legado'], csv(...rows))).status).toBe(0)
    const { token } = await login(DEMO_ADMIN, DEMO_PASSWORD)
    const day = (days: number) =>
      new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const period = ['--from', day(-2), '--to', day(1)]
    const stored = await fetch(
      `${service.api}/v2/incidents/export?format=ndjson&from=${day(-2)}&to=${day(1)}`,
      { headers: { Authorization: `Bearer ${token}` } },
    )
    const logs = (await stored.text())
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
      .filter(({ log_id }) => log_id < 1_000_000_000)
    const lines = logs.map(
      (log) => `${log.log_id}\t${log.employee_id}\t${log.kind}\t${log.recorded_at}\t${log.status}`,
    )
    const header = 'log_id\temployee_id\tkind\trecorded_at\tstatus'
    const same = await sync(['compare', ...period], [header, ...lines, ''].join('\n'), token)
    expect(same).toEqual({ status: 0, out: `${logs.length} logs compared, 0 differ\n`, err: '' })

    const other = lines
      .filter((line) => !line.startsWith('9101'))
      .map((line) => (line.startsWith('9102') ? line.replace('E-009', 'E-010') : line))
      .map((line) => (line.startsWith('9103') ? line.replace('pending', 'approved') : line))
    const differs = await sync(['compare', ...period], [header, ...other, ''].join('\n'), token)
    expect(differs.status).toBe(1)
    expect(differs.err.split('\n').sort()).toEqual([
      '',
      '9101: deleted there, pending here',
      '9102: employee_id is E-010 there, E-009 here',
      '9103: approved there, pending here',
    ])
    const forbidden = await sync(['compare', ...period], `${header}\n`)
    expect(forbidden).toMatchObject({ status: 1, err: expect.stringMatching(/^403: /) })
  })

  it('begins within the 45 days that the service takes, also when the rows arrive later', async () => {
    const since = (await sync(['since', '--source', 'nueva'])).out.trim()
    const age = Date.now() - Date.parse(`${since.replace(' ', 'T')}Z`)
    expect(age).toBeGreaterThan(43 * 86_400_000)
    expect(age).toBeLessThan(44.5 * 86_400_000)
  })

  it('creates nothing twice after a push that was killed in the middle', async () => {
    const rows = Array.from({ length: 250 }, (_, i) => {
      const at = new Date(Date.parse(recorded_at) - i * 1000).toISOString()
      return `${20_000 + i},E-005,salida,${at}`
    })
    const push = ['cli/intake/sync.ts', 'push', '--source', 'cortado']
    const token = (await run('user', ['token', MACHINE])).out.trim()
    const child = spawn(process.execPath, [...push, '--url', new URL(service.api).origin], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { ...process.env, CHECADA_TOKEN: token },
    })
    // The input stays open: the second hundred is never complete.
    child.stdin.write(csv(...rows.slice(0, 150)))
    const sources = async () => (await run('source', ['list'])).out
    await expect.poll(sources, { timeout: 60_000 }).toContain("'cortado'")
    child.kill('SIGKILL')
    await once(child, 'exit')

    expect((await sync(push.slice(1), csv(...rows))).out).toBe(
      `150 created, 100 known, 0 differs, 0 refused at ${origin()}\n`,
    )
  })

  it('waits as long as the service asks it to, and goes on', async () => {
    const pages = [
      { changes: [], next_after: 7 },
      { changes: [], next_after: 7 },
    ]
    const statuses: number[] = []
    const server = createServer((_, response) => {
      const isLimited = statuses.length === 0
      statuses.push(isLimited ? 429 : 200)
      response.writeHead(isLimited ? 429 : 200, {
        'Retry-After': '1',
        'Content-Type': 'application/json',
      })
      const data = isLimited ? null : pages.shift()
      response.end(JSON.stringify({ success: !isLimited, message: 'm', data }))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}`
    const args = ['pull', '--after', '0', '--url', url]
    const { status, out } = await runInProcess('sync', args, '', { CHECADA_TOKEN: 'x' })
    server.close()
    expect([status, statuses]).toEqual([0, [429, 200, 200]])
    expect(out).toContain('next_after = 7;')
  })

  it('reports a service that does not respond, a token that is not valid, and a missing one', async () => {
    const nowhere = ['since', '--source', 'legado', '--url', 'http://127.0.0.1:1']
    expect(await runInProcess('sync', nowhere, '', { CHECADA_TOKEN: 'x' })).toEqual({
      status: 1,
      out: '',
      err: 'http://127.0.0.1:1 does not respond.\n',
    })
    const wrong = await sync(['since', '--source', 'legado'], '', 'x')
    expect(wrong).toMatchObject({ status: 1, err: expect.stringMatching(/^401: No autenticado\./) })
    expect((await sync(['since', '--source', 'legado'], '', ' ')).status).toBe(1)
  })
})

it('npm run audit -- checkpoint says what seals, before the first seal', async () => {
  expect(await run('audit', ['checkpoint'])).toEqual({
    status: 1,
    out: '',
    err: expect.stringContaining('GET /api/v2/audit/checkpoint does at once.'),
  })
})

describe('npm run source', () => {
  it('lists the sources, labels and retires one', async () => {
    expect((await run('source', ['list'])).out).toMatch(/'reloj-sur'/)
    const label = (...args: string[]) => run('source', ['label', ...args])
    expect((await label('Reloj-Sur', ' Nave sur ')).out).toBe(`Labelled reloj-sur ${place}.\n`)
    expect((await run('source', ['list'])).out).toMatch(/'Nave sur'/)
    for (const text of ['x'.repeat(61), '\u200b']) {
      expect((await label('reloj-sur', text)).err).toMatch(/^The label needs a text of 1 to 60/)
    }
    expect((await label('nada', 'Nave sur')).err).toBe('No source has that name.\n')
    expect((await label('reloj-sur', '')).out).toBe(`Took the label of reloj-sur ${place}.\n`)
    expect((await run('source', ['list'])).out).not.toMatch(/Nave/)
    expect((await run('source', ['retire', 'reloj-sur'])).status).toBe(0)
    expect((await run('source', ['retire', 'nada'])).err).toBe('No source has that name.\n')
  })

  it('dismisses a problem with a reason', async () => {
    const machine = await run('user', ['token', 'reloj@demo.mx'])
    expect(machine).toMatchObject({ status: 0 })
    const headers = { Authorization: `Bearer ${machine.out.trim()}` }
    // Both repeat: a service that answers 503 beside a command is asked again.
    const report = () => {
      const body = JSON.stringify({ source: 'Reloj-Roto', logs: [{ source_id: '7' }] })
      return fetch(`${service.api}/v2/incidents/logs`, { method: 'POST', headers, body })
    }
    await expect.poll(async () => (await report()).status).toBe(200)
    const problems = async () => {
      const res = await fetch(`${service.api}/v2/incidents/sources`, { headers })
      expect(res.status).toBe(200)
      const { data } = (await res.json()) as { data: { source: string; problem_count: number }[] }
      return data.find(({ source }) => source === 'reloj-roto')?.problem_count
    }
    await expect.poll(problems).toBe(1)
    const dismiss = (...args: string[]) => run('source', ['dismiss', 'RELOJ-roto', ...args])
    expect((await dismiss('7', '--reason', ' \u200b')).err).toMatch(/^--reason needs a text/)
    expect((await dismiss('--reason', 'Dañado.')).err).toBe('Give an id, or --all.\n')
    expect((await dismiss('7', '--reason', 'Dañado.')).out).toBe(`Dismissed 1 problem ${place}.\n`)
    await report()
    await expect.poll(problems).toBe(0)
    expect((await dismiss('--all', '--reason', 'Dañado.')).err).toBe('There is no such problem.\n')
  })
})

describe('npm run employee -- forget', () => {
  it('says where the person is still named', async () => {
    const added = ['E-ADIOS', '--name', 'Fulgencia Ontiveros', '--phone', '5550004321']
    await run('employee', ['add', ...added, '--started', '2015-01-01'])
    const { token } = await login(DEMO_ADMIN, DEMO_PASSWORD)
    await fetch(`${service.api}/v2/incidents/change_log_status`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify({
        log_id: 1,
        status: 'approved',
        comment: 'La vio fulgencia ONTIVEROS.',
      }),
    })
    const { out } = await run('employee', ['forget', 'E-ADIOS', '--yes'])
    expect(out).toMatch(/Look at each:\n {2}log_comments\.comment, \d+\nEvidence goes on to verify/)
    expect(out).toContain('Forgot E-ADIOS, with 0 comments, in ')
    expect((await run('employee', ['forget', 'E-ADIOS', '--yes'])).out).toContain(
      'No text of the database names the person any more.',
    )
  })
})

describe('npm run demo -- --logs', () => {
  it('adds nothing where a closing locks some of the days, and says so', async () => {
    expect((await run('demo', ['--logs', '1000'])).status).toBe(0)
    const { token } = await login(DEMO_ADMIN, DEMO_PASSWORD)
    const headers = { Authorization: `Bearer ${token}` }
    const before = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10)
    const days = { before, from: '2020-01-01', leave_pending: true }
    const body = JSON.stringify({ ...days, comment: 'Cierre de prueba.' })
    const closing = await fetch(`${service.api}/v2/incidents/closings`, {
      method: 'POST',
      headers,
      body,
    })
    expect(closing.status, await closing.text()).toBe(200)
    const counts = async () => {
      const summary = await fetch(`${service.api}/v2/incidents/logs/summary`, { headers })
      return summary.text()
    }
    const stored = await counts()
    const result = await run('demo', ['--logs', '20000'])
    expect([result.status, result.err]).toEqual([
      1,
      expect.stringMatching(/^A closing has paid days/),
    ])
    expect(await counts()).toBe(stored)
    expect((await run('employee', ['list'])).out).not.toContain('D-000003')
  })
})
