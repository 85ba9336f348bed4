import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { DEMO_ADMIN, DEMO_PASSWORD } from '../../cli/demo/demo-data.ts'
import { failedWith, runInProcess, succeededWith } from '../support/command.ts'
import { useOperator } from '../support/operator.ts'
import { signInToService } from '../support/service-evidence.ts'

const { service, place, run, login, me } = useOperator()

describe('npm run user', () => {
  const EMAIL = 'Begoña.Ñuño@empresa.mx'

  it('adds, sets a password, revokes, deactivates and activates, effective at once', async () => {
    const added = await run(
      'user',
      ['add', EMAIL, '--first-name', 'Begoña', '--last-name', 'Ñuño'],
      'una clave larga\n',
    )
    expect(added).toEqual(succeededWith(`Added ${EMAIL} ${place}.\n`))
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

  it('limits an approver to a branch at once, and removes the limit from the next sign-in on', async () => {
    let admin = await signInToService(service)
    const branches = async () => {
      const { data } = JSON.parse(await admin.get('/v2/incidents/logs/summary'))
      const names: string[] = data.branches.map(
        (one: { branch_office: string }) => one.branch_office,
      )
      return [...new Set(names)]
    }
    const all = await branches()
    expect(all.length).toBeGreaterThan(1)

    const scoped = await run('user', ['scope', DEMO_ADMIN, '--branch', 'Norte'])
    expect(scoped).toEqual(succeededWith(`${DEMO_ADMIN} sees Norte ${place}.\n`))
    expect(await branches()).toEqual(['Norte'])

    const unknown = await run('user', ['scope', DEMO_ADMIN, '--branch', 'Nrte'])
    expect(unknown.err).toBe('Warning: no employee is in the branch Nrte.\n')
    // Another branch widens what the user sees, which ends every session.
    await expect(branches()).rejects.toThrow('401')
    admin = await signInToService(service)
    expect(await branches()).toEqual([])

    expect((await run('user', ['scope', DEMO_ADMIN, '--all'])).status).toBe(0)
    admin = await signInToService(service)
    expect(await branches()).toEqual(all)
  })

  it.each([
    ['a scope without a branch', ['scope', DEMO_ADMIN], 'Give --branch NAME, or --all.'],
    [
      'an invalid address',
      ['add', 'begoña', '--first-name', 'B', '--last-name', 'Ñ'],
      'That is not an e-mail address.',
    ],
    [
      'a user twice',
      ['add', DEMO_ADMIN.toUpperCase(), '--first-name', 'A', '--last-name', 'T'],
      'That user exists already.',
    ],
    [
      'an unknown employee',
      ['add', 'x@y.mx', '--first-name', 'X', '--last-name', 'Y', '--employee-id', 'E-999'],
      'No employee has that id.',
    ],
    ['an unknown user', ['revoke', 'nadie@empresa.mx', '--yes'], 'No user has that address.'],
  ])('rejects %s', async (_, args, message) => {
    expect(await run('user', args, 'una clave larga')).toEqual(failedWith(`${message}\n`))
  })

  it('limits a machine to sources, then removes the limit, from the next request on', async () => {
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
    for (const name of ['Ａpp:1', 'app :1', 'request：1', '10.0.0.7:4370']) {
      expect((await sources(name)).err).toBe('The name of a source has no colon.\n')
    }
    expect((await sources('Reloj-Sur', 'reloj-este ', 'reloj-sur')).out).toBe(
      `reloj@demo.mx sends for reloj-este, reloj-sur ${place}.\n`,
    )
    expect(await send()).toBe(403)
    expect((await run('user', ['list'])).out).toContain("'reloj-este, reloj-sur'")
    expect((await sources('--any')).out).toBe(`reloj@demo.mx sends for any source ${place}.\n`)
    expect(await send()).toBe(200)
  })

  it('refuses what the API refuses', async () => {
    const refusal = async (args: string[], input = '') => (await run('user', args, input)).err
    const named = ['add', 'otro@demo.mx', '--first-name', 'Reloj', '--last-name', 'Otro']
    const unnamed = await refusal([...named, '--role', 'relój'], 'una clave larga')
    expect(unnamed).toMatch(/^No setting names that role/)
    expect(await refusal(['role', DEMO_ADMIN, 'relój'])).toBe(unnamed)
    // This user is the other administrator of the demo data.
    const scope = (...args: string[]) => run('user', ['scope', 'maria.hernandez@demo.mx', ...args])
    expect((await scope('--branch', 'Norte')).status).toBe(0)
    for (const change of [
      ['deactivate', DEMO_ADMIN, '--yes'],
      ['role', DEMO_ADMIN, 'employee'],
      ['scope', DEMO_ADMIN, '--branch', 'Norte'],
    ]) {
      expect(await refusal(change)).toMatch(/^Nobody else who has a password administers all/)
    }
    expect((await scope('--all')).status).toBe(0)
    expect(await refusal(['role', 'reloj@demo.mx', 'admin'])).toMatch(/^A machine has a role of/)
    expect(await refusal(['password', 'reloj@demo.mx', '--yes'], 'una clave larga')).toMatch(
      /^A machine has no password/,
    )
    expect(await refusal(['password', DEMO_ADMIN, '--yes'], 'contraseña123')).toBe(
      'That password is one of the most used: choose another.\n',
    )
  })

  it('gives no token to a person', async () => {
    const email = 'luis.mendoza@demo.mx'
    expect(await run('user', ['token', email])).toEqual(
      failedWith(`${email} is a person, and signs in with a password.\n`),
    )
    expect((await login(email, DEMO_PASSWORD)).status).toBe(200)
  })

  it('records each change as one of an operator', async () => {
    const admin = await signInToService(service)
    const { data } = JSON.parse(await admin.get('/v2/people/changes?subject=user&limit=500'))
    const fields = new Set(
      data.changes.flatMap((one: { changes: { field: string }[] }) =>
        one.changes.map(({ field }) => field),
      ),
    )
    for (const field of ['password_set', 'tokens_ended', 'active', 'sources', 'machine_access']) {
      expect(fields).toContain(field)
    }
  })

  it('rejects a short password, and changes nothing', async () => {
    const rejected = await run('user', ['password', DEMO_ADMIN, '--yes'], 'siete77')
    expect(rejected.status).toBe(1)
    expect(rejected.err).toBe('The password must have 8 to 1024 characters.\n')
    expect((await login(DEMO_ADMIN, DEMO_PASSWORD)).status).toBe(200)
  })

  it('rejects a password that is not in UTF-8, since nobody could type it', async () => {
    const rejected = await run('user', ['password', DEMO_ADMIN, '--yes'], 'contrase\uFFFDa larga\n')
    expect(rejected.err).toBe('The password contains an invalid character.\n')
    expect((await login(DEMO_ADMIN, DEMO_PASSWORD)).status).toBe(200)
  })

  it.each([
    'otra clave larga\notra clave larga\n',
    'otra clave larga\r\n\r\n',
    '\notra clave larga',
  ])('rejects two lines on standard input, and changes nothing: %j', async (lines) => {
    const failed = failedWith('The password must be a single line of standard input.\n')
    expect(await run('user', ['password', DEMO_ADMIN, '--yes'], lines)).toEqual(failed)
    const add = ['add', 'dos@demo.mx', '--first-name', 'Dos', '--last-name', 'Líneas']
    expect(await run('user', add, lines)).toEqual(failed)
    expect((await run('user', ['list'])).out).not.toContain('dos@demo.mx')
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
      expect(await run(command, args, 'otra clave larga')).toEqual(
        failedWith(`${question} ${place}? Nothing was changed: --yes does it.\n`),
      )
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

it('does not work on a remote database without the name of its installation', async () => {
  const unknown = await runInProcess('user', ['revoke', DEMO_ADMIN, '--installation', 'norte'])
  expect(unknown).toEqual(
    failedWith('There is no installation norte. There are: production, staging.\n'),
  )
  for (const flag of ['--remote', '--installation', '--installation=production']) {
    const { status, err } = await run('user', ['revoke', DEMO_ADMIN, flag])
    expect([status, err]).toEqual([1, expect.stringMatching(/^error: /)])
  }
})
