import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { DEMO_ADMIN } from '../../cli/demo/demo-data.ts'
import { failedWith, type ScriptName, scriptOf, succeededWith } from '../support/command.ts'
import { useOperator } from '../support/operator.ts'
import { runCommand, runScript } from '../support/server.ts'
import { signInToService } from '../support/service-evidence.ts'

const { service, place, run } = useOperator()

/** Commands, with a text that each one prints if it has something to list. */
const STARTS: [command: ScriptName, args: string[], printed: string][] = [
  ['user', ['list'], DEMO_ADMIN],
  ['client', ['list'], 'DEMO-2026'],
  ['config', ['list'], 'logo'],
  ['employee', ['--help'], 'Usage: employee'],
  ['notify', ['--help'], 'Usage: notify'],
  ['audit', ['--help'], 'Usage: audit'],
  ['import', ['--help'], 'Usage: import'],
  ['demo', ['--help'], 'Usage: demo'],
  ['sync', ['--help'], 'Usage: sync'],
  ['backup', ['--help'], 'Usage: backup'],
  ['restore', ['--help'], 'Usage: restore'],
  ['installation', ['--help'], 'Usage: installation'],
  ['soak', ['--help'], 'Usage: soak'],
  ['picture', ['--help'], 'Usage: picture'],
  ['bench', ['--help'], 'Usage: bench'],
]

it.each(STARTS)('npm run %s starts', async (command, args, printed) => {
  const flags = args.includes('list') ? ['--persist-to', service.state] : []
  const { status, out, err } = await runScript(scriptOf(command), [...args, ...flags])
  expect([status, err]).toEqual([0, ''])
  expect(out).toContain(printed)
})

it.each([
  ['soak', ['--seconds', 'x'], 'Not a whole number, 1 or more.'],
  ['soak', ['--at-once', '0'], 'Not a whole number, 1 or more.'],
  ['bench', ['--wirte'], "unknown option '--wirte'"],
  ['start', ['--var', 'REQUIRE_COMENT:approved'], 'REQUIRE_COMENT is unknown. Known: TOKEN_SECRET'],
  ['user', ['list', '--var', 'TYPO:1'], 'TYPO is unknown. Known: TOKEN_SECRET'],
] as [ScriptName, string[], string][])('npm run %s %j is refused', async (command, args, error) => {
  const { status, out, err } = await runScript(scriptOf(command), args)
  expect([status, out]).toEqual([1, ''])
  expect(err).toContain(error)
})

it('a command ends without an error if the reader of its output has ended', async () => {
  const command = `${process.execPath} cli/users/user.ts list --persist-to ${service.state}`
  const { status, err } = await runCommand('sh', ['-c', `${command} | true`])
  expect([status, err]).toEqual([0, ''])
})

describe('npm run import', () => {
  const file = join(service.state, 'import.json')

  it('imports while the service runs and serves requests', async () => {
    const texts = ['rfc', 'phone', 'cellphone', 'job_position', 'department', 'branch_office']
    const employee = {
      ...Object.fromEntries([...texts, 'profile_image'].map((name) => [name, ''])),
      ...{ employee_id: 'I-1', full_name: 'Iñaki', started_at: '2024-01-01' },
    }
    const logs = Array.from({ length: 20_000 }, (_, i) => ({
      log_id: 100_000 + i,
      employee_id: 'I-1',
      kind: 'entrada',
      recorded_at: '2026-11-02T08:00:00-06:00',
    }))
    writeFileSync(file, JSON.stringify({ employees: [employee], logs }))

    const imported = await run('import', [file])

    expect(imported).toEqual(
      succeededWith(
        `employees: 1 new, 0 changed, 0 kept\nlogs: 20000 new, 0 changed, 0 kept\nImported ${place}.\n`,
      ),
    )
    const admin = await signInToService(service)
    expect(await admin.decide(119_999, 'approved')).toContain('"success":true')
  })

  // util-linux has `script`. Without a terminal on its input, the width of its terminal is 0.
  it.skipIf(process.platform !== 'linux').each([0, 60])(
    'shows its progress in one line on a terminal with %i columns',
    async (columns) => {
      const logs = Array.from({ length: 5_000 }, (_, i) => ({
        log_id: 300_000 + 10_000 * columns + i,
        employee_id: 'E-001',
        kind: 'entrada',
        recorded_at: '2026-11-03T08:00:00-06:00',
      }))
      writeFileSync(file, JSON.stringify({ logs }))
      const size = columns > 0 ? `stty cols ${columns}; ` : ''
      const command = `${size}${process.execPath} cli/import/import.ts ${file} --persist-to ${service.state}`
      const args = ['-qfec', command, '/dev/null']
      const { out } = await runCommand('script', args, { env: { CI: '' } })
      expect(out).toMatch(/Importing: \d+ of 5000[^\n]+Importing: done/)
    },
  )

  it.each([
    [
      '{"clients":[{"code":"X","name":["s3cr3t"]}]}',
      /^clients\[0\] \(X\)\.name: must be text\n.*3 errors; nothing was written\.\n$/s,
    ],
    ['{"clients": s3cr3t}', /^The file is not valid JSON \(line 1\)\.\n$/],
    ['{"clients": [],\n"logs": [}]}', /^The file is not valid JSON \(line 2\)\.\n$/],
    ['{"clients": [],\n\n', /^The file is not valid JSON \(line 3\)\.\n$/],
    [
      Buffer.from('{\n"a": "ñ"}', 'latin1'),
      /^The file is not in UTF-8 \(line 2\)\. Save it as UTF-8\.\n$/,
    ],
    [Buffer.from('\uFEFF{}', 'utf16le'), /^The file is in UTF-16\. Save it as UTF-8\.\n$/],
    [Buffer.from('\uFEFF{}', 'utf16le').swap16(), /^The file is in UTF-16\. Save it as UTF-8\.\n$/],
    [gzipSync('{}'), /^The file is compressed\. Unpack it\.\n$/],
    [Buffer.from('PK\x03\x04'), /^The file is compressed\. Unpack it\.\n$/],
    [' '.repeat(5), /^The file is blank\.\n$/],
    ['{"clients": [],\n"clients": []}', /^An object has the same key twice \(line 2\)\.\n$/],
  ])('reports the errors of %j, and no value', async (content, message) => {
    writeFileSync(file, content)
    const rejected = await run('import', [file])
    expect(rejected.status).toBe(1)
    expect(rejected.err).toMatch(message)
    expect(rejected.err).not.toContain('s3cr3t')
  })

  it('reports the error of a huge file, without a message about its encoding', async () => {
    const holes = join(service.state, 'holes.json')
    writeFileSync(holes, '')
    truncateSync(holes, 600_000_000)
    const blank = await run('import', [holes])
    rmSync(holes)
    expect(blank).toEqual(
      failedWith('The file is larger than 512 MB: import it in parts, its logs last.\n'),
    )
  })

  it('says on a dry run with warnings that nothing was written', async () => {
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

describe('npm run demo -- --logs', () => {
  it('adds nothing if a closing locks some of the days, and reports it', async () => {
    expect((await run('demo', ['--logs', '1000'])).status).toBe(0)
    const file = join(service.state, 'grupos.json')
    const general = { payroll_group: '', calendar: 'month', pays_from: '2020-01-01' }
    writeFileSync(file, JSON.stringify({ payroll_groups: [general] }))
    expect((await run('import', [file])).status).toBe(0)
    const admin = await signInToService(service)
    const before = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10)
    const days = { before, leave_pending: true }
    await admin.post('/v2/incidents/closings', { ...days, comment: 'Cierre de prueba.' })
    const counts = () => admin.get('/v2/incidents/logs/summary')
    const stored = await counts()
    const result = await run('demo', ['--logs', '20000'])
    expect([result.status, result.err]).toEqual([
      1,
      expect.stringMatching(/^A closing has paid days/),
    ])
    expect(await counts()).toBe(stored)
    expect(await admin.get('/v2/people/employees?q=D-000003')).not.toContain('"D-000003"')
  })
})

it('npm run audit -- checkpoint explains before the first seal how sealing starts', async () => {
  expect(await run('audit', ['checkpoint'])).toEqual(
    failedWith(expect.stringContaining('GET /api/v2/audit/checkpoint does at once.')),
  )
})
