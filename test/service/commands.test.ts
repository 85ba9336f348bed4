import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../../cli/demo-data.ts'
import { type Server, startServer } from '../../scripts/test-server.ts'

const state = mkdtempSync(join(tmpdir(), 'checada-commands-'))
let server: Server

beforeAll(async () => {
  server = await startServer(state)
})
afterAll(async () => {
  await server.stop()
  rmSync(state, { recursive: true, force: true })
})

/** An operator's command, on the database of the running service. */
const run = (script: string, args: string[], input = '') => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`cli/${script}.ts`, ...args, '--persist-to', state],
    { encoding: 'utf8', input },
  )
  return { status, out: stdout, err: stderr }
}

const login = async (email: string, password: string) => {
  const res = await fetch(`${server.api}/auth/login`, {
    method: 'POST',
    body: JSON.stringify({ email, password }),
  })
  const body = (await res.json()) as { data: { token: string } | null }
  return { status: res.status, token: body.data?.token ?? '' }
}

const me = async (token: string) =>
  (await fetch(`${server.api}/auth/me`, { headers: { Authorization: `Bearer ${token}` } })).status

describe('npm run user', () => {
  const EMAIL = 'Begoña.Ñuño@empresa.mx'

  it('adds, gives a new password, revokes, deactivates and activates, at once', async () => {
    const added = run(
      'user',
      ['add', EMAIL, '--first-name', 'Begoña', '--last-name', 'Ñuño'],
      'una clave larga\n',
    )
    expect(added).toEqual({ status: 0, out: `Added ${EMAIL}.\n`, err: '' })
    const first = await login(EMAIL, 'una clave larga')
    expect(await me(first.token)).toBe(200)

    expect(run('user', ['revoke', EMAIL.toUpperCase()]).status).toBe(0)
    expect(await me(first.token)).toBe(401)

    const second = await login(EMAIL, 'una clave larga')
    expect(run('user', ['password', EMAIL], 'otra clave larga').status).toBe(0)
    expect(await me(second.token)).toBe(401)
    expect((await login(EMAIL, 'una clave larga')).status).toBe(401)

    const third = await login(EMAIL, 'otra clave larga')
    expect(run('user', ['deactivate', EMAIL]).status).toBe(0)
    expect(await me(third.token)).toBe(401)
    expect((await login(EMAIL, 'otra clave larga')).status).toBe(403)

    expect(run('user', ['activate', EMAIL]).status).toBe(0)
    expect(await me(third.token)).toBe(401)
    expect((await login(EMAIL, 'otra clave larga')).status).toBe(200)
  })

  it.each([
    [
      'an address that is none',
      ['add', 'begoña', '--first-name', 'B', '--last-name', 'Ñ'],
      'email: must be an e-mail address',
    ],
    [
      'a user twice',
      ['add', DEMO_ADMIN.toUpperCase(), '--first-name', 'A', '--last-name', 'T'],
      'That user exists already.',
    ],
    [
      'an employee nobody knows',
      ['add', 'x@y.mx', '--first-name', 'X', '--last-name', 'Y', '--employee-id', 'E-999'],
      'employee_id: no such employee',
    ],
    ['a user nobody knows', ['revoke', 'nadie@empresa.mx'], 'No user has that address.'],
  ])('refuses %s', (_, args, message) => {
    expect(run('user', args, 'una clave larga')).toEqual({
      status: 1,
      out: '',
      err: `${message}\n`,
    })
  })

  it('refuses a short password, and changes nothing', async () => {
    const refused = run('user', ['password', DEMO_ADMIN], 'siete77')
    expect(refused.status).toBe(1)
    expect(refused.err).toBe('The password must have 8 to 1024 characters.\n')
    expect((await login(DEMO_ADMIN, DEMO_PASSWORD)).status).toBe(200)
  })
})

it('refuses --env without --remote: it would touch the local database alone', () => {
  const refused = run('user', ['revoke', DEMO_ADMIN, '--env', 'staging'])
  expect(refused).toEqual({ status: 1, out: '', err: '--env needs --remote.\n' })
})

describe('npm run client', () => {
  const validate = async (code: string) =>
    (
      await fetch(`${server.api}/v2/clients/validate-code`, {
        method: 'POST',
        body: JSON.stringify({ code }),
      })
    ).status

  it('adds, lists, blocks and activates', async () => {
    expect(
      run('clients', ['add', 'PEÑA 1', '--name', 'La Peña', '--url-base', 'https://pena.mx'])
        .status,
    ).toBe(0)
    expect(await validate('PEÑA 1')).toBe(200)
    expect(run('clients', ['block', 'PEÑA 1']).status).toBe(0)
    expect(await validate('PEÑA 1')).toBe(403)
    expect(run('clients', ['list']).out).toMatch(
      /^PEÑA 1 +La Peña +bloqueado +https:\/\/pena\.mx$/m,
    )
    expect(run('clients', ['activate', 'PEÑA 1']).status).toBe(0)
    expect(await validate('PEÑA 1')).toBe(200)
    expect(run('clients', ['block', 'peña 1']).err).toBe('No client has that code.\n')
  })
})

describe('npm run config', () => {
  it('sets, gets and lists', () => {
    expect(run('config', ['set', 'misión', 'Servir', '--nombre', 'Misión']).out).toBe(
      'Added misión.\n',
    )
    expect(run('config', ['set', 'misión', 'Servir mejor']).out).toBe('Changed misión.\n')
    expect(run('config', ['get', 'misión']).out).toBe('Servir mejor\n')
    expect(run('config', ['list']).out).toMatch(/^misión +texto +Misión +Servir mejor$/m)
    expect(run('config', ['get', 'nada']).err).toBe('No entry has that key.\n')
  })
})

describe('npm run import', () => {
  const file = join(state, 'import.json')

  it('imports while the service runs, which goes on answering', async () => {
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

    const child = spawn(process.execPath, ['cli/import.ts', file, '--persist-to', state])
    const closed = new Promise<number | null>((resolve) => child.on('close', resolve))
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })

    expect(await closed).toBe(0)
    expect(out).toBe('Imported 0 clients, 0 modules, 0 config, 1 employees, 0 users, 20000 logs.\n')
    const { token } = await login(DEMO_ADMIN, DEMO_PASSWORD)
    const res = await fetch(`${server.api}/v2/incidents/change_log_status`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify({ log_id: 119_999, status: 'approved' }),
    })
    expect(res.status).toBe(200)
  })

  it.each([
    [
      '{"clients":[{"code":"s3cr3t"}]}',
      /^clients\[0\]\.name: is missing\n.*3 faults; nothing was written\.\n$/s,
    ],
    ['{"clients": s3cr3t}', /^The file is not valid JSON in UTF-8.*\.\n$/],
  ])('names the faults of %s, and no value', (content, words) => {
    writeFileSync(file, content)
    const refused = run('import', [file])
    expect(refused.status).toBe(1)
    expect(refused.err).toMatch(words)
    expect(refused.err).not.toContain('s3cr3t')
  })
})

it.each(['user', 'clients', 'config', 'import', 'demo'])('npm run %s explains itself', (script) => {
  const { status, out } = run(script, ['--help'])
  expect(status).toBe(0)
  expect(out).toContain('Usage:')
})
